"""Uniformity: which values surely agree between the threads of a warp or block, and where all of them pass together.

Three levels, ordered: BLOCK (all threads of the block), WARP (all threads of each warp), DIVERGENT (nothing is known).
A fixpoint over the locals: a local is as divergent as the worst value it is given and the worst control under which it
is given one. Threads that have returned do not count: what is said holds for those still at work.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar, assert_never

from simt.core.check import tir
from simt.core.intrinsics.declare import Behavior, Intrinsic, Uniformity
from simt.core.types import Access, AddressSpace, ArrayType

K = TypeVar("K")


class Level(IntEnum):
    """How far a value agrees, best first; joining two is ``max``."""

    BLOCK = 0
    WARP = 1
    DIVERGENT = 2


@dataclass(slots=True)
class UniformityFacts:
    """``local_levels`` by local; ``control_levels`` by statement identity: the control under which it runs.

    ``loop_levels`` by label: whether the threads make the same number of rounds.
    """

    local_levels: dict[tir.Local, Level] = field(default_factory=dict[tir.Local, Level])
    control_levels: dict[int, Level] = field(default_factory=dict[int, Level])
    loop_levels: dict[tir.Label, Level] = field(default_factory=dict[tir.Label, Level])

    def of_local(self, local: tir.Local) -> Level:
        return self.local_levels.get(local, Level.BLOCK)

    def of(self, node: tir.Expr | tir.Place) -> Level:
        """The level of an expression's value, or of what is found at a place."""
        match node:
            case tir.Ref(local=local) | tir.Variable(local=local):
                return self.of_local(local)
            case tir.Const() | tir.DynamicShared():
                return Level.BLOCK
            case tir.Call(callee=callee, arguments=arguments):
                return call_level(callee, [self.of(argument) for argument in arguments])
            case tir.Element(array=array):
                return max(_memory_level(array), self._of_children(node))
            case tir.Pointee():
                return Level.DIVERGENT
            case tir.AddressOf(place=place):
                return self._of_address(place)
            case (
                tir.Unary() | tir.Binary() | tir.Compare() | tir.ShortCircuit() | tir.Conditional() | tir.Convert()
                | tir.Bitcast() | tir.Load() | tir.Aggregate() | tir.Extract() | tir.Extent() | tir.SubArray()
                | tir.MakeArray() | tir.Offset() | tir.Member() | tir.Item()
            ):
                return self._of_children(node)
            case _:
                assert_never(node)

    def control_of(self, statement: tir.Stmt) -> Level:
        """The control under which ``statement``, a node of the analysed kernel, runs."""
        return self.control_levels[id(statement)]

    def _of_children(self, node: tir.Node) -> Level:
        return max((self.of(child) for child in tir.children(node)), default=Level.BLOCK)  # pyright: ignore[reportArgumentType] -- below an expression or place there are only those

    def _of_address(self, place: tir.Place) -> Level:
        """An address is as uniform as its indices, whatever stands there; a local's own address is each thread's."""
        match place:
            case tir.Variable():
                return Level.DIVERGENT
            case tir.Element() | tir.Pointee():
                return self._of_children(place)
            case tir.Member(place=inner):
                return self._of_address(inner)
            case tir.Item(place=inner, index=index):
                return max(self._of_address(inner), self.of(index))


def call_level(callee: Intrinsic[Any, Any], arguments: list[Level]) -> Level:
    """The level of an intrinsic's result; Any: intrinsics of every signature."""
    if callee.behavior in (Behavior.EFFECT, Behavior.OBSERVE, Behavior.LAUNCH):
        return Level.DIVERGENT
    least = Level.WARP if callee.behavior is Behavior.WARP else Level.BLOCK
    match callee.uniformity:
        case Uniformity.LANE:
            return Level.DIVERGENT
        case Uniformity.WARP:
            mask = arguments[-1] if callee.behavior is Behavior.WARP and arguments else Level.BLOCK
            return Level.WARP if mask <= Level.WARP else Level.DIVERGENT
        case Uniformity.BLOCK:
            return least
        case Uniformity.INPUTS:
            return max([least, *arguments])


def analyse(kernel: tir.Kernel) -> UniformityFacts:
    """The facts of one kernel, by repetition until nothing changes. Levels only rise, so this ends."""
    facts = UniformityFacts()
    analysis = _Analysis(facts)
    while analysis.changed:
        analysis.changed = False
        analysis.body(kernel.body, Level.BLOCK)
    return facts


def _memory_level(array: tir.Expr) -> Level:
    """How uniform a load at one index is. Shared memory counts as agreed: a race is a fault of the kernel."""
    assert isinstance(array.type, ArrayType)
    match array.type.space:
        case AddressSpace.SHARED | AddressSpace.CONSTANT:
            return Level.BLOCK
        case AddressSpace.GLOBAL:
            return Level.BLOCK if array.type.access is Access.IN else Level.DIVERGENT
        case AddressSpace.GENERIC | AddressSpace.LOCAL:
            return Level.DIVERGENT


Escapes = dict[tir.Label, Level]
"""Labels that a statement may break or continue to, each with the worst control under which it does."""


@dataclass(slots=True)
class _Analysis:
    facts: UniformityFacts
    changed: bool = True

    def body(self, statements: tuple[tir.Stmt, ...], control: Level) -> Escapes:
        """Statements after one that some threads leave through run under that divergence, up to the label's end."""
        escapes: Escapes = {}
        for statement in statements:
            here = max([control, *escapes.values()])
            self._note(self.facts.control_levels, id(statement), here)
            for label, level in self.statement(statement, here).items():
                escapes[label] = max(level, escapes.get(label, Level.BLOCK))
        return escapes

    def statement(self, statement: tir.Stmt, control: Level) -> Escapes:
        of = self.facts.of
        match statement:
            case tir.Assign(local=local, value=value):
                self._assign(local, max(control, of(value)))
            case tir.Store(place=place, value=value):
                root, indices = _root(place)
                if root is not None:
                    self._assign(root, max([control, of(value), *map(of, indices)]))
            case tir.Effect(target=target, callee=callee, arguments=arguments):
                if target is not None:
                    level = call_level(callee, [of(argument) for argument in arguments])
                    self._assign(target, max(control, level))
            case tir.Collective(target=target, callee=callee, arguments=arguments):
                if target is not None:
                    self._assign(target, max(control, call_level(callee, [of(argument) for argument in arguments])))
            case tir.If(condition=condition, then=then, orelse=orelse):
                inner = max(control, of(condition))
                first, second = self.body(then, inner), self.body(orelse, inner)
                least = Level.BLOCK
                return {label: max(first.get(label, least), second.get(label, least)) for label in first | second}
            case tir.While() | tir.For():
                return self._loop(statement, control)
            case tir.Block(label=label, body=body):
                escapes = self.body(body, control)
                escapes.pop(label, None)
                return escapes
            case tir.Break(label=label) | tir.Continue(label=label):
                return {label: control}
            case tir.Return() | tir.Assert() | tir.Print():
                pass
            case _:
                assert_never(statement)
        return {}

    def _loop(self, loop: tir.While | tir.For, control: Level) -> Escapes:
        of, known = self.facts.of, self.facts.loop_levels.get(loop.label, Level.BLOCK)
        match loop:
            case tir.While(header=header, condition=condition, body=body):
                rounds = max(control, known, of(condition))
                escapes = self.body((*header, *body), rounds)
            case tir.For(local=local, start=start, stop=stop, step=step, body=body):
                rounds = max(control, known, of(start), of(stop), of(step))
                self._assign(local, rounds)
                escapes = self.body(body, rounds)
        leaving = [escapes[label] for label in escapes if label != loop.label]
        leaving += [level for label, level in _breaks(loop.body, self.facts) if label == loop.label]
        self._note(self.facts.loop_levels, loop.label, max([rounds, *leaving]))
        escapes.pop(loop.label, None)
        return escapes

    def _assign(self, local: tir.Local, level: Level) -> None:
        self._note(self.facts.local_levels, local, level)

    def _note(self, table: dict[K, Level], key: K, level: Level) -> None:
        if level > table.get(key, Level.BLOCK) or key not in table:
            table[key] = max(level, table.get(key, Level.BLOCK))
            self.changed = True


def _breaks(body: tuple[tir.Stmt, ...], facts: UniformityFacts) -> list[tuple[tir.Label, Level]]:
    """The breaks inside ``body`` with their control. A ``Continue`` ends a round, not the loop, and is left out."""
    levels = facts.control_levels
    return [
        (node.label, levels[id(node)])
        for statement in body for node in tir.walk(statement) if isinstance(node, tir.Break) and id(node) in levels
    ]


def _root(place: tir.Place) -> tuple[tir.Local | None, list[tir.Expr]]:
    """The local of which ``place`` is a part, and the run-time indices on the way; None for other memory."""
    match place:
        case tir.Variable(local=local):
            return local, []
        case tir.Member(place=inner):
            return _root(inner)
        case tir.Item(place=inner, index=index):
            root, indices = _root(inner)
            return root, [*indices, index]
        case tir.Element() | tir.Pointee():
            return None, []
