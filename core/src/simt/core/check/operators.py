"""Operators of numbers and pointers: shifts, powers, addresses; the rest is arithmetic."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.arithmetic import binary, fold_binary, meet, scalar_of, widen
from simt.core.check.naming import type_name, weak_value
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static
from simt.core.check.state import State
from simt.core.check.values import const, convert, literal
from simt.core.check.written import grouped, written_operands
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.intrinsics.declare import REGISTRY
from simt.core.types import Kind, PointerType, ScalarType
from simt.core.types.scalar import BF16, BY_NAME, F16, F32, I32, I64

MAX_UNROLLED_POWER = 64
POWER = "cuda_std.math.pow"


def operate(state: State, op: hir.BinaryOp, lhs: Operand, rhs: Operand, span: Span) -> Operand:
    """``lhs op rhs`` of numbers and pointers."""
    if isinstance(lhs, Poison) or isinstance(rhs, Poison):
        return POISON
    left, right = weak_value(lhs), weak_value(rhs)
    if left is not None and right is not None:
        return fold_binary(state, op, left, right, span)
    if _is_pointer(lhs) and op in (hir.BinaryOp.ADD, hir.BinaryOp.SUB):
        return _moved(state, op, lhs, rhs, span)
    match op:
        case hir.BinaryOp.POW:
            return power(state, lhs, rhs, span)
        case hir.BinaryOp.SHL | hir.BinaryOp.SHR:
            return shift(state, op, lhs, rhs, span)
        case _:
            return binary(state, op, lhs, rhs, span)


def _is_pointer(operand: Operand) -> bool:
    return isinstance(operand, Runtime) and isinstance(operand.expr.type, PointerType)


def _moved(state: State, op: hir.BinaryOp, pointer: Operand, count: Operand, span: Span) -> Operand:
    """A pointer moved by a number of elements."""
    distance = convert(state, count, I64, span, "move a pointer by")
    if distance is None or not isinstance(pointer, Runtime):
        return POISON
    if op is hir.BinaryOp.SUB:
        distance = tir.Unary(span=span, type=I64, op=tir.UnaryOp.NEGATE, operand=distance)
    return Runtime(tir.Offset(span=state.at(span), type=pointer.expr.type, pointer=pointer.expr, count=distance))


def shift(state: State, op: hir.BinaryOp, lhs: Operand, rhs: Operand, span: Span) -> Operand:
    """``<<`` and ``>>``: the result has the left operand's type; the count is converted to it."""
    value, count = scalar_of(state, lhs, span, str(op)), scalar_of(state, rhs, span, str(op))
    if value is None or count is None:
        return POISON
    kind, counts = value.type, count.type
    assert isinstance(kind, ScalarType) and isinstance(counts, ScalarType)
    if weak_value(lhs) is not None and counts.is_integer:
        converted = literal(state, weak_value(lhs) or 0, counts, span)
        if converted is None:
            return POISON
        value, kind = converted, counts
    if not kind.is_integer or not counts.is_integer:
        return state.error(
            "unsupported-operator", f"`{op}` needs integers", span, f"{type_name(lhs)} {op} {type_name(rhs)}",
            help=_integer_help(span, str(op)),
        )
    number = weak_value(rhs)
    if isinstance(number, int) and number < 0:
        return state.error(
            "constant-evaluation", "negative shift count", span, f"count is {number}", help="shift the other way",
        )
    if counts != kind:
        count = const(count.span, min(number, kind.maximum), kind) if isinstance(number, int) else clamp(
            count, counts, kind,
        )
    return Runtime(tir.Binary(span=state.at(span), type=kind, op=tir.BinaryOp(op.value), lhs=value, rhs=count))


def _integer_help(span: Span, op: str) -> str:
    written = written_operands(span)
    left, right = ("...", "...") if written is None else (written.left, grouped(written.right))
    return f"convert to an integer type first: `i32({left}) {op} {right}`"


def _power_help(span: Span) -> str:
    written = written_operands(span)
    base, exponent = ("...", "...") if written is None else (written.left, grouped(written.right))
    return f"multiply in a loop, or convert first: `f32({base}) ** {exponent}`; powers of two are `1 << {exponent}`"


def clamp(count: tir.Expr, source: ScalarType, target: ScalarType) -> tir.Expr:
    """A shift count as ``target``, large counts staying at least the width; negative ones are huge unsigned ones."""
    if source.maximum > target.maximum:
        if source.kind is Kind.SIGNED:
            source = BY_NAME[f"u{source.bits}"]
            count = tir.Convert(span=count.span, type=source, value=count)
        limit = const(count.span, target.maximum, source)
        count = tir.Binary(span=count.span, type=source, op=tir.BinaryOp.MIN, lhs=count, rhs=limit)
    return tir.Convert(span=count.span, type=target, value=count)


def power(state: State, lhs: Operand, rhs: Operand, span: Span) -> Operand:
    """``**``: repeated multiplication for a literal exponent from 0 to 64; else the library's ``pow``, of floats."""
    exponent = weak_value(rhs)
    base = scalar_of(state, lhs, span, "**")
    if base is None:
        return POISON
    assert isinstance(base.type, ScalarType)
    if isinstance(exponent, int) and not isinstance(exponent, bool) and 0 <= exponent <= MAX_UNROLLED_POWER:
        kind = I32 if base.type.kind is Kind.BOOL else base.type
        return Runtime(_repeated_product(state, state.spill(widen(base, kind), "base"), exponent, kind, span))
    met = meet(state, lhs, rhs, span, "**")
    if met is None:
        return POISON
    x, y, kind = met
    if kind.is_float and POWER in REGISTRY:
        narrow = kind in (F16, BF16)
        arguments = [Runtime(widen(x, F32)), Runtime(widen(y, F32))] if narrow else [Runtime(x), Runtime(y)]
        result = state.call(Static(REGISTRY[POWER]), tuple(arguments), (), span)
        if narrow and isinstance(result, Runtime):
            return Runtime(tir.Convert(span=state.at(span), type=kind, value=result.expr))
        return result
    if kind.is_float:
        return state.error(
            "unsupported-operator", "`**` of floats is a function of simt.cuda_std", span,
            f"{type_name(lhs)} ** {type_name(rhs)}", help="import simt.cuda_std.math",
        )
    return state.error(
        "unsupported-operator", f"`**` of {kind} takes a literal exponent from 0 to {MAX_UNROLLED_POWER}", span,
        f"{type_name(lhs)} ** {type_name(rhs)}",
        help=_power_help(span),
    )


def _repeated_product(state: State, base: tir.Expr, exponent: int, kind: ScalarType, span: Span) -> tir.Expr:
    """Square and multiply, from the highest bit down."""
    if exponent == 0:
        return const(span, 1, kind)
    result: tir.Expr = base
    for bit in bin(exponent)[3:]:
        result = state.spill(_product(result, result, kind, span), "power")
        if bit == "1":
            result = state.spill(_product(result, base, kind, span), "power")
    return result


def _product(a: tir.Expr, b: tir.Expr, kind: ScalarType, span: Span) -> tir.Expr:
    return tir.Binary(span=span, type=kind, op=tir.BinaryOp.MUL, lhs=a, rhs=b)
