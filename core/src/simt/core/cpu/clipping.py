"""Guards that end a row, such as ``if i < out.size``: a loop over threads along x stops there instead of asking each.

Only where a thread beyond the end does nothing, and cannot fail: the guard is the last statement, without an else.
"""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check import tir
from simt.core.check.tir import BinaryOp, CompareOp, LogicalOp
from simt.core.cpu.bounds import Bounds, Facts, keeps_value
from simt.core.cpu.interval import TRUE, Arithmetic
from simt.core.cpu.proof import has_check
from simt.core.cpu.state import Emission
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.types import Kind, ScalarType


@dataclass(frozen=True, slots=True)
class Clipping:
    """``width`` (i64): how many threads along x are left, 0 or less where all are beyond the end.

    ``is_all``: the guard says nothing else.
    """

    width: Value
    is_all: bool


def clip(emission: Emission, statements: tuple[tir.Stmt, ...], width: Value) -> Clipping:
    """Emit how many of ``width`` (i64) threads, the first of which is the block's, a guard at the end leaves."""
    *before, last = statements
    if not isinstance(last, tir.If) or last.orelse or not all(map(_only_computes, before)):
        return Clipping(width, is_all=False)
    emitter, block = emission.ctx.emitter, emission.backend.block
    start, across = (emitter.cast("zext", part, "i64") for part in (block.index[0], block.dimension[0]))
    first = emitter.binary("mul nuw nsw", start, across)
    parts = _conjuncts(last.condition)
    clipped = 0
    for part in parts:
        end = _end(emission, part, emitter.binary("add nuw nsw", first, width))
        if end is not None:
            clipped += 1
            width = emitter.call("i64", "llvm.smin.i64", [width, emitter.binary("sub nsw", end, first)])
    return Clipping(width, is_all=clipped == len(parts))


def place_along_x(node: tir.Node) -> bool:
    """Whether the node is ``block_idx.x * block_dim.x + thread_idx.x``, in any order."""
    match node:
        case tir.Binary(op=BinaryOp.ADD, lhs=tir.Binary(op=BinaryOp.MUL, lhs=first, rhs=second), rhs=thread):
            pass
        case tir.Binary(op=BinaryOp.ADD, lhs=thread, rhs=tir.Binary(op=BinaryOp.MUL, lhs=first, rhs=second)):
            pass
        case _:
            return False
    return _register(thread) == "tid.x" and {_register(first), _register(second)} == {"ctaid.x", "ntid.x"}


def _register(node: tir.Expr) -> str | None:
    """The special register that an expression reads, widened or not."""
    while isinstance(node, tir.Convert) and keeps_value(node):
        node = node.value
    return node.callee.cpu.name if isinstance(node, tir.Call) and isinstance(node.callee.cpu, SpecialRegister) else None


def _only_computes(statement: tir.Stmt) -> bool:
    return isinstance(statement, tir.Assign) and not any(map(has_check, tir.walk(statement)))


def _conjuncts(condition: tir.Expr) -> list[tir.Expr]:
    match condition:
        case tir.ShortCircuit(op=LogicalOp.AND, lhs=lhs, rhs=rhs):
            return _conjuncts(lhs) + _conjuncts(rhs)
        case _:
            return [condition]


def _end(emission: Emission, condition: tir.Expr, behind: Value) -> Value | None:
    """Where ``condition`` ends the row: the first place (i64) for which it does not hold.

    ``behind``: the first place after the run. Where numbers could wrap on the way there, the end is ``behind``.
    """
    match condition:
        case tir.Compare(op=CompareOp.LT, lhs=lhs, rhs=rhs) if isinstance(lhs.type, ScalarType):
            pass
        case _:
            return None
    if lhs.type.kind is not Kind.SIGNED or lhs.type.bits not in (32, 64) or not is_place(emission, lhs):
        return None
    arithmetic = Arithmetic(emission.ctx.emitter)
    bound = Bounds(emission, arithmetic).of(rhs, Facts())
    if bound is None or not bound.is_point:
        return None
    if lhs.type.bits == 32:
        arithmetic.require(arithmetic.at_most(behind, integer(64, lhs.type.maximum)))
    fits = TRUE
    for part in arithmetic.conditions:
        fits = arithmetic.both(fits, part)
    return bound.low if fits == TRUE else emission.ctx.emitter.select(fits, bound.low, behind)


def is_place(emission: Emission, node: tir.Expr) -> bool:
    """Whether the expression is the thread's place along x, as it stands or as a local's value."""
    while True:
        if isinstance(node, tir.Convert) and keeps_value(node):
            node = node.value
        elif isinstance(node, tir.Ref) and node.local in emission.storage.recomputed:
            node = emission.storage.recomputed[node.local]
        else:
            return place_along_x(node)
