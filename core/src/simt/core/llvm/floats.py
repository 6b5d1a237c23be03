"""Floating-point arithmetic on f16, f32 and f64 as they are, and on bf16 through f32.

Computing bf16 in f32 and rounding once is exact rounding for + - * /: f32 has more than twice bf16's digits plus two
(Figueroa, When is double rounding innocuous?, SIGNUM Newsletter 30(3), 1995).
"""
from __future__ import annotations

from simt.core.check.tir import BinaryOp, CompareOp
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.narrow_floats import bf16_from_float, float_from_bf16
from simt.core.llvm.types import scalar_type
from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, F16, F32

_INSTRUCTIONS = {BinaryOp.ADD: "fadd", BinaryOp.SUB: "fsub", BinaryOp.MUL: "fmul", BinaryOp.TRUE_DIV: "fdiv"}
_COMPARISONS = {
    CompareOp.EQ: "fcmp oeq", CompareOp.NE: "fcmp une", CompareOp.LT: "fcmp olt", CompareOp.LE: "fcmp ole",
    CompareOp.GT: "fcmp ogt", CompareOp.GE: "fcmp oge",
}


def float_binary(ctx: FunctionContext, op: BinaryOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs op rhs`` in ``t``."""
    emitter = ctx.emitter
    if op in (BinaryOp.MIN, BinaryOp.MAX):
        return float_extremum(ctx, op, t, lhs, rhs)
    if t == BF16:
        wide = float_binary(ctx, op, F32, float_from_bf16(emitter, lhs), float_from_bf16(emitter, rhs))
        return bf16_from_float(emitter, wide)
    if op in _INSTRUCTIONS:
        return arithmetic(ctx, _INSTRUCTIONS[op], lhs, rhs)
    if t == F16:
        wide = [emitter.cast("fpext", operand, "float") for operand in (lhs, rhs)]
        return emitter.cast("fptrunc", float_binary(ctx, op, F32, wide[0], wide[1]), "half")
    assert op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD)
    quotient, modulo = _floor_division(ctx, lhs, rhs)
    return quotient if op is BinaryOp.FLOOR_DIV else modulo


def float_compare(ctx: FunctionContext, op: CompareOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs op rhs``; every comparison but ``!=`` is false where an operand is NaN."""
    if t == BF16:
        lhs, rhs = float_from_bf16(ctx.emitter, lhs), float_from_bf16(ctx.emitter, rhs)
    return ctx.emitter.compare(_COMPARISONS[op], lhs, rhs)


def float_extremum(ctx: FunctionContext, op: BinaryOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """Python's ``min`` and ``max``: the right operand only where it is strictly smaller or greater."""
    comparison = CompareOp.LT if op is BinaryOp.MIN else CompareOp.GT
    return ctx.emitter.select(float_compare(ctx, comparison, t, rhs, lhs), rhs, lhs)


def float_negate(ctx: FunctionContext, t: ScalarType, value: Value) -> Value:
    """``-value``. LLVM 7 has no ``fneg``; subtracting from -0.0 is read as one."""
    if t == BF16:
        return ctx.emitter.binary("xor", value, integer(16, 1 << 15))
    return ctx.emitter.binary("fsub", Value(scalar_type(t), "-0.0"), value)


def arithmetic(ctx: FunctionContext, instruction: str, lhs: Value, rhs: Value) -> Value:
    """One IEEE operation, with the target's fast-math flags."""
    return ctx.emitter.let(lhs.type, f"{instruction} {ctx.backend.float_flags}{lhs}, {rhs.text}")


def _floor_division(ctx: FunctionContext, lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Python's ``divmod`` of float or double (Objects/floatobject.c, ``_float_div_mod``, CPython 3.11).

    The remainder is ``fmod`` moved into the divisor's sign, the quotient ``(lhs - remainder) / rhs`` rounded to the
    nearest integer, since it is one but for rounding. Both zeros keep the sign they would have had as tiny numbers.
    Python raises where the divisor is zero; here the quotient is ``lhs / rhs`` and the remainder NaN.
    """
    emitter, kind = ctx.emitter, lhs.type
    zero = Value(kind, "0.0")
    remainder = ctx.backend.remainder(ctx, lhs, rhs)
    quotient = emitter.binary("fdiv", emitter.binary("fsub", lhs, remainder), rhs)
    nonzero = emitter.compare("fcmp une", remainder, zero)
    signs_differ = emitter.binary(
        "xor", emitter.compare("fcmp olt", remainder, zero), emitter.compare("fcmp olt", rhs, zero)
    )
    move = emitter.binary("and", nonzero, signs_differ)
    modulo = emitter.select(move, emitter.binary("fadd", remainder, rhs), remainder)
    modulo = emitter.select(nonzero, modulo, copy_sign(ctx, zero, rhs))
    quotient = emitter.select(move, emitter.binary("fsub", quotient, Value(kind, "1.0")), quotient)
    exact = emitter.binary("fdiv", lhs, rhs)
    floored = emitter.call(kind, f"llvm.floor.{_suffix(kind)}", (quotient,))
    too_low = emitter.compare("fcmp ogt", emitter.binary("fsub", quotient, floored), Value(kind, "0.5"))
    floored = emitter.select(too_low, emitter.binary("fadd", floored, Value(kind, "1.0")), floored)
    is_zero = emitter.compare("fcmp oeq", quotient, zero)
    floored = emitter.select(is_zero, copy_sign(ctx, zero, exact), floored)
    return emitter.select(emitter.compare("fcmp oeq", rhs, zero), exact, floored), modulo


def copy_sign(ctx: FunctionContext, magnitude: Value, sign: Value) -> Value:
    """``magnitude`` (float or double, not negative) with the sign bit of ``sign``."""
    emitter, bits = ctx.emitter, 64 if magnitude.type == "double" else 32
    word = f"i{bits}"
    sign_bit = emitter.binary("and", emitter.cast("bitcast", sign, word), integer(bits, 1 << (bits - 1)))
    signed = emitter.binary("or", emitter.cast("bitcast", magnitude, word), sign_bit)
    return emitter.cast("bitcast", signed, magnitude.type)


def absolute(ctx: FunctionContext, value: Value) -> Value:
    """The magnitude of a float or double, by its bits: libNVVM refuses ``llvm.fabs``."""
    emitter, bits = ctx.emitter, 64 if value.type == "double" else 32
    word = emitter.cast("bitcast", value, f"i{bits}")
    return emitter.cast("bitcast", emitter.binary("and", word, integer(bits, (1 << (bits - 1)) - 1)), value.type)


def _suffix(kind: str) -> str:
    return {"float": "f32", "double": "f64", "half": "f16"}[kind]
