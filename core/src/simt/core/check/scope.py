"""Scopes: the names of one function instance while it is checked, and what inference has found out about them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import FunctionType

from simt.core.check import tir
from simt.core.check.operand import Operand, Poison
from simt.core.frontend import hir
from simt.core.types import Type


@dataclass(slots=True)
class Plan:
    """What is known of a function instance's locals and result; kept from one attempt of checking it to the next.

    ``weak`` names have met only literals so far. ``stored`` names need a variable, though each assignment of theirs
    could stand for its value alone: two of them reach one read. ``changed`` asks for another attempt.
    ``returns_late``: some return is not the last statement, so the result needs a variable.
    """

    types: dict[str, Type] = field(default_factory=dict[str, Type])
    weak: set[str] = field(default_factory=set[str])
    stored: set[str] = field(default_factory=set[str])
    settled: bool = False
    returns_late: bool = False
    changed: bool = False


@dataclass(slots=True)
class Flow:
    """What is known of a scope's names on one path: which surely have a value, what they stand for.

    ``mixed`` names stand for different operands on the paths that led here.
    """

    definite: set[str]
    bindings: dict[str, Operand]
    mixed: set[str]


@dataclass(slots=True)
class Loop:
    """A loop being checked. An unrolled one leaves through blocks. ``breaks``
    and ``continues``: what is known at each of them."""

    break_label: tir.Label
    continue_label: tir.Label
    unrolled: bool
    break_used: bool = False
    continue_used: bool = False
    breaks: list[Flow] = field(default_factory=list[Flow])
    continues: list[Flow] = field(default_factory=list[Flow])


@dataclass(eq=False, slots=True)
class Scope:
    """One instance of a function. ``parent`` is the enclosing scope of a lambda or nested ``def``.

    ``host`` is the Python function whose names it sees, as ``python`` gives it: a field of that type would be a method
    to type checkers.
    """

    function: hir.Function
    host: object
    plan: Plan
    parent: Scope | None
    sites: Counter[str]
    types: dict[str, Type] = field(default_factory=dict[str, Type])  # by TypeVar name
    bindings: dict[str, Operand] = field(default_factory=dict[str, Operand])
    storage: dict[str, tir.Local] = field(default_factory=dict[str, tir.Local])
    declared: dict[str, Type] = field(default_factory=dict[str, Type])
    definite: set[str] = field(default_factory=set[str])
    mixed: set[str] = field(default_factory=set[str])
    loops: list[Loop] = field(default_factory=list[Loop])
    return_label: tir.Label | None = None
    return_used: bool = False
    result_local: tir.Local | None = None
    result: Operand | None = None
    returns_nothing: bool | None = None  # of the returns so far
    returns: object = object  # the annotation of the result; `object` where there is none
    is_kernel: bool = False

    @property
    def python(self) -> FunctionType:
        """The Python function whose names are seen here."""
        assert isinstance(self.host, FunctionType)
        return self.host

    def all_types(self) -> dict[str, Type]:
        """What type variables stand for here and in the enclosing functions."""
        outer = {} if self.parent is None else self.parent.all_types()
        return {**outer, **self.types}

    def has_one_value(self, name: str) -> bool:
        """Whether a name is assigned in one place, so that it can stand for the operand itself."""
        return self.sites[name] == 1 and name not in self.plan.stored and name not in self.declared

    def bind(self, name: str, operand: Operand) -> None:
        """From here on, ``name`` stands for ``operand``."""
        self.bindings[name] = operand
        self.definite.add(name)
        self.mixed.discard(name)

    def flow(self) -> Flow:
        """What is known here."""
        return Flow(set(self.definite), dict(self.bindings), set(self.mixed))

    def resume(self, flow: Flow) -> None:
        """Go on with what was known at ``flow``."""
        self.definite, self.bindings, self.mixed = set(flow.definite), dict(flow.bindings), set(flow.mixed)

    def join(self, flows: Sequence[Flow]) -> None:
        """Go on where several paths meet. Nothing changes where none does."""
        if not flows:
            return
        first, *rest = flows
        self.resume(first)
        for flow in rest:
            self.definite &= flow.definite
            self.mixed |= flow.mixed
            for name, operand in flow.bindings.items():
                if isinstance(operand, Poison) or name not in self.bindings:
                    self.bindings[name] = operand
                elif self.bindings[name] is not operand and not isinstance(self.bindings[name], Poison):
                    self.mixed.add(name)

    def enter_loop(self, loop: hir.While | hir.For) -> Flow:
        """Begin a loop at run time: what its body binds may be bound by the round before. Gives what was known."""
        before = self.flow()
        self._mix(loop)
        return before

    def leave_loop(self, before: Flow, loop: hir.While | hir.For) -> None:
        """Go on behind a loop that may have run or not."""
        inside = self.bindings
        self.resume(before)
        self.bindings.update({name: operand for name, operand in inside.items() if isinstance(operand, Poison)})
        self._mix(loop)

    def _mix(self, loop: hir.While | hir.For) -> None:
        names = {*_bound_names((loop,)), *_loop_names((loop,))} & self.bindings.keys() & self.definite
        self.mixed |= {name for name in names if not isinstance(self.bindings[name], Poison)}


def assignment_sites(function: hir.Function) -> Counter[str]:
    """How many places of ``function`` bind each of its locals, parameters included.

    The loops over one name count as one place: each binds it for its own body.
    """
    sites = Counter(parameter.name for parameter in function.parameters)
    sites.update(_bound_names(function.body))
    sites.update(set(_loop_names(function.body)))
    return sites


def _bound_names(body: tuple[hir.Stmt, ...]) -> Iterator[str]:
    """Names bound by assignments, once for each."""
    for statement in body:
        match statement:
            case hir.Assign(targets=targets):
                for target in targets:
                    yield from _target_names(target)
            case hir.AugmentedAssign(target=target):
                yield from _target_names(target)
            case hir.AnnotatedAssign(local=local, value=value):
                if value is not None:
                    yield local.name
            case hir.Define(local=local):
                yield local.name
            case hir.Evaluate(value=hir.Refused(names=names)):
                yield from names
            case _:
                for inner in _inner_bodies(statement):
                    yield from _bound_names(inner)


def _loop_names(body: tuple[hir.Stmt, ...]) -> Iterator[str]:
    """Names bound by ``for``."""
    for statement in body:
        if isinstance(statement, hir.For):
            yield from _target_names(statement.target)
        for inner in _inner_bodies(statement):
            yield from _loop_names(inner)


def _inner_bodies(statement: hir.Stmt) -> Iterator[tuple[hir.Stmt, ...]]:
    match statement:
        case hir.If(then=then, orelse=orelse):
            yield then
            yield orelse
        case hir.While(body=inner) | hir.For(body=inner):
            yield inner
        case hir.Match(cases=cases):
            for case in cases:
                yield case.body
        case _:
            pass


def _target_names(target: hir.Target | hir.Expr) -> Iterator[str]:
    match target:
        case hir.LocalName(name=name):
            yield name
        case hir.Tuple(elements=elements):
            for element in elements:
                yield from _target_names(element)
        case _:
            pass
