"""Blocks in the interior of a grid: where guards such as ``row < height`` hold for all threads, they can be left out.

``decide`` emits code that finds out at run time, from the intervals of the guards' operands, and gives the statements
that then remain. Only guards on positions in the grid are looked at: those on positions in the block, such as
``if lane < offset``, part the threads of every block. One guard alone is left to LLVM, which masks well; a guard inside
another, or one with an else, is worth a copy of the loop.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.check import tir
from simt.core.check.tir import CompareOp, LogicalOp
from simt.core.cpu.bounds import Bounds, Facts
from simt.core.cpu.interval import TRUE, Arithmetic
from simt.core.cpu.proof import Search
from simt.core.cpu.state import Emission
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer


@dataclass(frozen=True, slots=True)
class Interior:
    """Where ``condition`` (i1) holds, the region does no more than ``statements``."""

    condition: Value
    statements: tuple[tir.Stmt, ...]


def decide(emission: Emission, statements: tuple[tir.Stmt, ...], *, always: bool = False) -> Interior | None:
    """Emit the decision for a region; None where it has no guard, or where a copy of its loop would not pay and is not
    wanted ``always``."""
    arithmetic = Arithmetic(emission.ctx.emitter)
    decision = _Decision(emission, Search(Bounds(emission, arithmetic)))
    if not always and not _pays(emission, statements):
        return None
    remaining = decision.body(statements, Facts())
    if decision.decided == 0:
        return None
    condition = TRUE
    for part in arithmetic.conditions:
        condition = arithmetic.both(condition, part)
    return Interior(condition, remaining)


def _pays(emission: Emission, statements: tuple[tir.Stmt, ...]) -> bool:
    """Whether a guard on the grid has an else, or another such guard inside. Nothing is emitted."""
    guards = [node for node in statements if isinstance(node, tir.If) and is_guard(emission, node.condition)]
    return any(
        guard.orelse or any(isinstance(node, tir.If) and is_guard(emission, node.condition) for node in guard.then)
        for guard in guards
    )


@dataclass(slots=True)
class _Decision:
    emission: Emission
    search: Search
    decided: int = field(default=0)

    def body(self, statements: tuple[tir.Stmt, ...], facts: Facts) -> tuple[tir.Stmt, ...]:
        """What remains of the statements where all guards on the way hold."""
        remaining: list[tir.Stmt] = []
        for statement in statements:
            if isinstance(statement, tir.If) and is_guard(self.emission, statement.condition):
                facts = self.require(statement.condition, facts)
                self.decided += 1
                remaining += self.body(statement.then, facts.copy())
                facts = self.search.forgotten(statement.then, facts)
                continue
            remaining.append(statement)
            if isinstance(statement, tir.Assign):
                facts = self.search.assigned(statement.local, statement.value, facts)
            else:
                facts = self.search.forgotten((statement,), facts)
        return tuple(remaining)

    def require(self, condition: tir.Expr, facts: Facts) -> Facts:
        """The decision holds only where ``condition``, a guard, does for all threads; gives what is known there."""
        match condition:
            case tir.ShortCircuit(lhs=lhs, rhs=rhs):
                return self.require(rhs, self.require(lhs, facts))
            case tir.Compare(op=op, lhs=lhs, rhs=rhs):
                arithmetic = self.search.bounds.arithmetic
                first, second = self.search.bounds.of(lhs, facts), self.search.bounds.of(rhs, facts)
                if first is None or second is None:
                    arithmetic.require(Value("i1", "false"))
                    return facts
                if op in (CompareOp.GT, CompareOp.GE):
                    first, second = second, first
                limit = second.low
                if op in (CompareOp.LT, CompareOp.GT):
                    limit = arithmetic.exact("sub", limit, integer(64, 1))
                arithmetic.require(arithmetic.at_most(first.high, limit))
                return self.search.bounds.narrow(condition, True, facts)
            case _:
                raise AssertionError("not a guard")


def is_guard(emission: Emission, condition: tir.Expr) -> bool:
    """Whether the condition compares positions in the grid with values that are the same for all threads."""
    match condition:
        case tir.ShortCircuit(op=LogicalOp.AND, lhs=lhs, rhs=rhs):
            return is_guard(emission, lhs) and is_guard(emission, rhs)
        case tir.Compare(op=CompareOp.LT | CompareOp.LE | CompareOp.GT | CompareOp.GE, lhs=lhs, rhs=rhs):
            return _is_position(emission, lhs) or _is_position(emission, rhs)
        case _:
            return False


def _is_position(emission: Emission, node: tir.Expr) -> bool:
    """Whether the expression depends on the block's index."""
    for inner in tir.walk(node):
        if isinstance(inner, tir.Call) and isinstance(inner.callee.cpu, SpecialRegister):
            if inner.callee.cpu.name.startswith("ctaid"):
                return True
        elif isinstance(inner, tir.Ref):
            value = emission.storage.recomputed.get(inner.local)
            if value is not None and _is_position(emission, value):
                return True
    return False
