"""Explicit conversions between scalars, and bits as another type."""
from __future__ import annotations

from typing import assert_never

from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.narrow_floats import bf16_from_float, float_from_bf16, float_from_double_to_odd
from simt.core.llvm.types import scalar_type
from simt.core.llvm.wide import double_to_wide, wide_to_double
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BF16, F16, F32, F64


def convert(ctx: FunctionContext, value: Value, source: ScalarType, target: ScalarType) -> Value:
    """``value`` as ``target``: integers wrap, float to integer truncates and saturates with NaN giving 0, to bool
    means ``!= 0``, float to float rounds to nearest even, real to complex has a zero imaginary part.
    """
    if source == target:
        return value
    match target.kind:
        case Kind.BOOL:
            return is_nonzero(ctx, value, source)
        case Kind.SIGNED | Kind.UNSIGNED:
            if source.is_float:
                return float_to_integer(ctx, value, source, target)
            return resize_integer(ctx, value, source, target)
        case Kind.FLOAT:
            if source.is_float:
                return float_to_float(ctx, value, source, target)
            return integer_to_float(ctx, value, source, target)
        case Kind.COMPLEX:
            return _to_complex(ctx, value, source, target)
        case _:
            assert_never(target.kind)


def is_nonzero(ctx: FunctionContext, value: Value, source: ScalarType) -> Value:
    """``value != 0``; true for NaN, as in Python."""
    emitter = ctx.emitter
    if source.kind is Kind.BOOL:
        return value
    if source.is_complex:
        part = scalar_type(source.component)
        parts = [emitter.extract(value, index, part) for index in (0, 1)]
        re, im = (is_nonzero(ctx, part, source.component) for part in parts)
        return emitter.binary("or", re, im)
    if source == BF16:
        value = float_from_bf16(emitter, value)
    if source.is_float:
        return emitter.compare("fcmp une", value, Value(value.type, "0.0"))
    return emitter.compare("icmp ne", value, integer(source.bits, 0))


def resize_integer(ctx: FunctionContext, value: Value, source: ScalarType, target: ScalarType) -> Value:
    """Integer or bool to integer, modulo 2**bits."""
    if target.bits < source.bits:
        return ctx.emitter.cast("trunc", value, scalar_type(target))
    return ctx.emitter.cast("sext" if source.kind is Kind.SIGNED else "zext", value, scalar_type(target))


def float_to_float(ctx: FunctionContext, value: Value, source: ScalarType, target: ScalarType) -> Value:
    """Between float types, to nearest even; f64 narrows to 16 bits through f32 rounded to odd, so it rounds once."""
    emitter = ctx.emitter
    if source == target:
        return value
    if source == BF16:
        return float_to_float(ctx, float_from_bf16(emitter, value), F32, target)
    if source == F64 and target.bits == 16:
        return float_to_float(ctx, float_from_double_to_odd(emitter, value), F32, target)
    if target == BF16:
        wide = emitter.cast("fpext", value, "float") if source == F16 else value
        return bf16_from_float(emitter, wide)
    return emitter.cast("fptrunc" if target.bits < source.bits else "fpext", value, scalar_type(target))


def integer_to_float(ctx: FunctionContext, value: Value, source: ScalarType, target: ScalarType) -> Value:
    """Integer or bool to float, to nearest even.

    f16 goes through f32: integers below 2**24 are exact there, and greater ones are infinite in f16 either way. bf16
    goes through f64, which is exact for 32 bits and rounds to odd for more, so that only the last step rounds.
    """
    if target == F16:
        return float_to_float(ctx, integer_to_float(ctx, value, source, F32), F32, F16)
    signed = source.kind is Kind.SIGNED
    if target == BF16 and source.bits <= 32:
        return float_to_float(ctx, integer_to_float(ctx, value, source, F64), F64, BF16)
    if target == BF16:
        wide = ctx.emitter.cast("sext" if signed else "zext", value, "i128")
        return float_to_float(ctx, wide_to_double(ctx.emitter, wide, "double", signed=signed, to_odd=True), F64, BF16)
    if source.bits == 128:
        return wide_to_double(ctx.emitter, value, scalar_type(target), signed=signed)
    return ctx.emitter.cast("sitofp" if signed else "uitofp", value, scalar_type(target))


def float_to_integer(ctx: FunctionContext, value: Value, source: ScalarType, target: ScalarType) -> Value:
    """Toward zero; saturates, and gives 0 for NaN."""
    emitter, signed = ctx.emitter, target.kind is Kind.SIGNED
    if source.bits == 16:
        value, source = float_to_float(ctx, value, source, F32), F32
    if target.bits == 128:
        return double_to_wide(emitter, float_to_float(ctx, value, source, F64), signed=signed)
    if target.bits >= 32:
        return ctx.backend.float_to_integer(ctx, value, target.bits, signed)
    wide = ctx.backend.float_to_integer(ctx, value, 32, True)
    low, high = integer(32, target.minimum), integer(32, target.maximum)
    wide = emitter.select(emitter.compare("icmp slt", wide, low), low, wide)
    wide = emitter.select(emitter.compare("icmp sgt", wide, high), high, wide)
    return emitter.cast("trunc", wide, scalar_type(target))


def _to_complex(ctx: FunctionContext, value: Value, source: ScalarType, target: ScalarType) -> Value:
    emitter, part = ctx.emitter, target.component
    if source.is_complex:
        old = scalar_type(source.component)
        parts = [convert(ctx, emitter.extract(value, index, old), source.component, part) for index in (0, 1)]
    else:
        parts = [convert(ctx, value, source, part), Value(scalar_type(part), "0.0")]
    pair = emitter.insert(Value(scalar_type(target), "undef"), parts[0], 0)
    return emitter.insert(pair, parts[1], 1)
