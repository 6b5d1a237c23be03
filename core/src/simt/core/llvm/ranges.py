"""Bounds on the value of an integer expression, from its types, constants, extents and special registers."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check import tir
from simt.core.check.tir import BinaryOp
from simt.core.intrinsics.declare import Intrinsic
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.intrinsics.registers import REGISTER_RANGES
from simt.core.types import Kind, ScalarType

MAXIMUM_EXTENT = 1 << 48  # no address space that a kernel sees holds more bytes


@dataclass(frozen=True, slots=True)
class Range:
    """Every value lies from ``low`` to ``high``, both included."""

    low: int
    high: int


def range_of(node: tir.Expr) -> Range:
    """The range of an integer expression's value."""
    t = node.type
    assert isinstance(t, ScalarType)
    whole = Range(t.minimum, t.maximum)
    found = _find(node)
    return found if found is not None and whole.low <= found.low and found.high <= whole.high else whole


def _find(node: tir.Expr) -> Range | None:
    """The range of the exact result, which the type may be too narrow for; None where nothing is known."""
    match node:
        case tir.Const(value=int(value)):
            return Range(int(value), int(value))
        case tir.Extent():
            return Range(0, MAXIMUM_EXTENT)
        case tir.Call(callee=Intrinsic(gpu=SpecialRegister(name=name))) if name in REGISTER_RANGES:
            return Range(*REGISTER_RANGES[name])
        case tir.Convert(value=value) if isinstance(value.type, ScalarType) and (
            value.type.is_integer or value.type.kind is Kind.BOOL
        ):
            return range_of(value)
        case tir.Binary(op=BinaryOp.ADD, lhs=lhs, rhs=rhs):
            a, b = range_of(lhs), range_of(rhs)
            return Range(a.low + b.low, a.high + b.high)
        case tir.Binary(op=BinaryOp.SUB, lhs=lhs, rhs=rhs):
            a, b = range_of(lhs), range_of(rhs)
            return Range(a.low - b.high, a.high - b.low)
        case tir.Binary(op=BinaryOp.MUL, lhs=lhs, rhs=rhs):
            a, b = range_of(lhs), range_of(rhs)
            products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Range(min(products), max(products))
        case _:
            return None
