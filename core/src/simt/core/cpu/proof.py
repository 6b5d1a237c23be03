"""Proving before a region runs that its checks cannot fail, so that it may run without them.

``prove`` walks the region's statements once at compile time and emits code that computes, at run time and once for all
threads, the interval of every index. Where all lie within their arrays, which one condition tells, the region's copy
without those checks runs, which LLVM vectorises; else the checked copy. What cannot be judged keeps its check in both.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from simt.core.check import tir
from simt.core.check.tir import BinaryOp, LogicalOp, UnaryOp
from simt.core.cpu.bounds import Bounds, Facts
from simt.core.cpu.changes import Changes
from simt.core.cpu.interval import TRUE, Arithmetic, Interval
from simt.core.cpu.splitting import stored_local
from simt.core.cpu.state import Emission
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.types import AddressSpace, ArrayType, ScalarType


@dataclass(frozen=True, slots=True)
class Proof:
    """``nodes``: identities of the nodes whose checks hold where ``condition`` (i1) does.

    ``reads_shared``: whether the region reads shared memory; ``judged``: whether any check is left.
    """

    condition: Value
    nodes: frozenset[int]
    reads_shared: bool


def prove(emission: Emission, statements: tuple[tir.Stmt, ...]) -> Proof | None:
    """Emit the proof for a region; None where it has nothing to prove."""
    search = Search(Bounds(emission, Arithmetic(emission.ctx.emitter)))
    if not any(has_check(node) for statement in statements for node in tir.walk(statement)):
        return None
    search.body(statements, Facts())
    if not search.nodes and not search.reads_shared:
        return None
    condition = TRUE
    for part in search.bounds.arithmetic.conditions:
        condition = search.bounds.arithmetic.both(condition, part)
    return Proof(condition, frozenset(search.nodes), search.reads_shared)


def has_check(node: tir.Node) -> bool:
    """Whether the node has a check that a proof may spare."""
    return isinstance(node, tir.Element | tir.SubArray) or (
        isinstance(node, tir.Binary) and node.op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD)
    )


Ends = Facts | None
"""What is known behind a statement; None where control never gets there."""


@dataclass(slots=True)
class Search:
    """The walk: facts go along with it, what it can judge is collected in ``nodes``."""

    bounds: Bounds
    nodes: set[int] = field(default_factory=set[int])
    reads_shared: bool = False
    changes: Changes = field(default_factory=Changes)

    def body(self, statements: tuple[tir.Stmt, ...], facts: Facts) -> Ends:
        for statement in statements:
            after = self.statement(statement, facts)
            if after is None:
                return None
            facts = after
        return facts

    def statement(self, node: tir.Stmt, facts: Facts) -> Ends:
        match node:
            case tir.Assign(local=local, value=value):
                self.look(value, facts)
                return self.assigned(local, value, facts)
            case tir.Store(place=place, value=value):
                self.look(value, facts)
                self.look(place, facts, writes=True)
                return self.forgotten((node,), facts)
            case tir.Effect(arguments=arguments):
                for argument in arguments:
                    self.look(argument, facts)
                return self.forgotten((node,), facts)
            case tir.If(condition=condition, then=then, orelse=orelse):
                first = self.body(then, self.narrowed(condition, True, facts).copy())
                second = self.body(orelse, self.bounds.narrow(condition, False, facts).copy())
                return self._joined(node, first, second, facts)
            case tir.While(header=header, condition=condition, body=body):
                facts = self.forgotten((*header, *body), facts)
                at_test = self.body(header, facts)
                if at_test is not None:
                    self.body(body, self.narrowed(condition, True, at_test).copy())
                return facts
            case tir.For():
                return self._for(node, facts)
            case tir.Block(body=body):
                self.body(body, facts.copy())
                return self.forgotten(body, facts)
            case tir.Break() | tir.Continue() | tir.Return():
                return None
            case tir.Assert(condition=condition):
                return self.narrowed(condition, True, facts)
            case tir.Print():
                for child in tir.children(node):
                    self.look(child, facts)
                return facts
            case tir.Collective():
                return self.forgotten((node,), facts)
            case _:
                assert_never(node)

    def look(self, node: tir.Node, facts: Facts, *, writes: bool = False) -> None:
        """Judge every check inside an expression or place."""
        match node:
            case tir.ShortCircuit(op=op, lhs=lhs, rhs=rhs):
                self.look(rhs, self.narrowed(lhs, op is LogicalOp.AND, facts))
                return
            case tir.Conditional(condition=condition, then=then, orelse=orelse):
                self.look(then, self.narrowed(condition, True, facts))
                self.look(orelse, self.bounds.narrow(condition, False, facts))
                return
            case tir.Element(array=array, indices=indices) | tir.SubArray(array=array, indices=indices):
                self._judge(node, array, indices, facts)
                assert isinstance(array.type, ArrayType)
                if array.type.space is AddressSpace.SHARED and not writes:
                    self.reads_shared = True
            case tir.Pointee() if not writes:
                self.reads_shared = True
            case tir.Binary(op=BinaryOp.FLOOR_DIV | BinaryOp.MOD, rhs=rhs):
                self._judge_divisor(node, rhs, facts)
            case _:
                pass
        for child in tir.children(node):
            self.look(child, facts, writes=writes and isinstance(child, tir.Place))

    def narrowed(self, condition: tir.Expr, holds: bool, facts: Facts) -> Facts:
        """``look``, and ``facts`` where the condition is known to hold, or not to; each link of a chain once."""
        match condition:
            case tir.Unary(op=UnaryOp.NOT, operand=operand):
                return self.narrowed(operand, not holds, facts)
            case tir.ShortCircuit(op=op, lhs=lhs, rhs=rhs) if (op is LogicalOp.AND) == holds:
                return self.narrowed(rhs, holds, self.narrowed(lhs, holds, facts))
            case _:
                self.look(condition, facts)
                return self.bounds.narrow(condition, holds, facts)

    def _judge(self, node: tir.Node, array: tir.Expr, indices: tuple[tir.Expr, ...], facts: Facts) -> None:
        arithmetic = self.bounds.arithmetic
        judged: list[Value] = []
        for axis, index in enumerate(indices):
            interval, extent = self.bounds.of(index, facts), self.bounds.extent(array, axis, facts)
            if interval is None or extent is None:
                return
            last = arithmetic.exact("sub", extent, integer(64, 1))
            inside = arithmetic.both(
                arithmetic.at_most(integer(64, 0), interval.low), arithmetic.at_most(interval.high, last)
            )
            judged.append(arithmetic.either(facts.empty, inside))
        for condition in judged:
            arithmetic.require(condition)
        self.nodes.add(id(node))

    def _judge_divisor(self, node: tir.Node, divisor: tir.Expr, facts: Facts) -> None:
        interval = self.bounds.of(divisor, facts)
        if interval is not None:
            arithmetic = self.bounds.arithmetic
            arithmetic.require(arithmetic.either(facts.empty, arithmetic.at_most(integer(64, 1), interval.low)))
            self.nodes.add(id(node))

    def assigned(self, local: tir.Local, value: tir.Expr, facts: Facts) -> Facts:
        """``facts`` after an assignment."""
        interval = self.bounds.of(value, facts)
        out = facts.copy()
        out.forget(local)
        if isinstance(local.type, ScalarType):
            out.locals[local] = interval
        elif isinstance(local.type, ArrayType) and isinstance(value, tir.Ref):
            out.arrays[local] = facts.arrays.get(value.local, value)
        return out

    def forgotten(self, statements: tuple[tir.Stmt, ...], facts: Facts) -> Facts:
        """``facts`` without what the statements may change."""
        out = facts.copy()
        for local in dict.fromkeys(local for statement in statements for local in self.changes.of(statement)):
            out.forget(local)
            out.locals[local] = None
        return out

    def _joined(self, node: tir.If, first: Ends, second: Ends, before: Facts) -> Ends:
        if first is None or second is None:
            return second if first is None else first
        out = self.forgotten((*node.then, *node.orelse), before)
        for local in out.locals:
            a, b = first.locals.get(local), second.locals.get(local)
            if a is not None and b is not None:
                out.locals[local] = self.bounds.arithmetic.union(a, b)
        return out

    def _for(self, node: tir.For, facts: Facts) -> Facts:
        for bound in (node.start, node.stop, node.step):
            self.look(bound, facts)
        start, stop, step = (self.bounds.of(part, facts) for part in (node.start, node.stop, node.step))
        after = self.forgotten((node,), facts)
        inside = after.copy()
        if start is not None and stop is not None and step is not None:
            arithmetic, one = self.bounds.arithmetic, integer(64, 1)
            falls = isinstance(node.step, tir.Const) and int(node.step.value.real) < 0
            if falls:
                counter = Interval(arithmetic.exact("add", stop.low, one), start.high)
            else:
                arithmetic.require(arithmetic.at_most(one, step.low))
                counter = Interval(start.low, arithmetic.exact("sub", stop.high, one))
            inside.locals[node.local] = counter
            none = arithmetic.at_most(arithmetic.exact("add", counter.high, one), counter.low)
            inside.empty = arithmetic.either(facts.empty, none)
        if not any(stored_local(inner) == node.local for inner in _statements(node.body)):
            self.body(node.body, inside)
        else:
            inside.locals[node.local] = None
            self.body(node.body, inside)
        return after


def _statements(body: tuple[tir.Stmt, ...]) -> list[tir.Stmt]:
    return [node for statement in body for node in tir.walk(statement) if isinstance(node, tir.Stmt)]
