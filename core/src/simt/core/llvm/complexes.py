"""Complex arithmetic on pairs (re, im), by the formulas of CPython 3.11 (Objects/complexobject.c)."""
from __future__ import annotations

from simt.core.check.tir import BinaryOp, CompareOp
from simt.core.llvm.builder import Value
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.floats import absolute, arithmetic, float_compare, float_negate
from simt.core.llvm.types import scalar_type
from simt.core.types import ScalarType


def complex_binary(ctx: FunctionContext, op: BinaryOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs op rhs`` for + - * /."""
    (a, b), (c, d) = parts_of(ctx, t, lhs), parts_of(ctx, t, rhs)
    match op:
        case BinaryOp.ADD | BinaryOp.SUB:
            instruction = "fadd" if op is BinaryOp.ADD else "fsub"
            return make_complex(ctx, t, arithmetic(ctx, instruction, a, c), arithmetic(ctx, instruction, b, d))
        case BinaryOp.MUL:
            re = arithmetic(ctx, "fsub", arithmetic(ctx, "fmul", a, c), arithmetic(ctx, "fmul", b, d))
            im = arithmetic(ctx, "fadd", arithmetic(ctx, "fmul", a, d), arithmetic(ctx, "fmul", b, c))
            return make_complex(ctx, t, re, im)
        case BinaryOp.TRUE_DIV:
            return _divide(ctx, t, (a, b), (c, d))
        case _:
            raise AssertionError(f"{op} on complex numbers is refused by the checker")


def complex_compare(ctx: FunctionContext, op: CompareOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``==`` where both parts are equal, ``!=`` where either differs."""
    assert op in (CompareOp.EQ, CompareOp.NE)
    pairs = zip(parts_of(ctx, t, lhs), parts_of(ctx, t, rhs), strict=True)
    re, im = (float_compare(ctx, op, t.component, a, b) for a, b in pairs)
    return ctx.emitter.binary("and" if op is CompareOp.EQ else "or", re, im)


def complex_negate(ctx: FunctionContext, t: ScalarType, value: Value) -> Value:
    """``-value``, part by part."""
    re, im = (float_negate(ctx, t.component, part) for part in parts_of(ctx, t, value))
    return make_complex(ctx, t, re, im)


def parts_of(ctx: FunctionContext, t: ScalarType, value: Value) -> tuple[Value, Value]:
    """The real and the imaginary part."""
    part = scalar_type(t.component)
    return ctx.emitter.extract(value, 0, part), ctx.emitter.extract(value, 1, part)


def make_complex(ctx: FunctionContext, t: ScalarType, re: Value, im: Value) -> Value:
    """A complex value from its parts."""
    return ctx.emitter.insert(ctx.emitter.insert(Value(scalar_type(t), "undef"), re, 0), im, 1)


def _divide(ctx: FunctionContext, t: ScalarType, lhs: tuple[Value, Value], rhs: tuple[Value, Value]) -> Value:
    """Smith's division (Algorithm 116, CACM 5(8), 1962): no intermediate overflows where the quotient does not.

    With ``large`` the divisor's part of greater magnitude and ``small`` the other, ratio = small / large and
    denominator = large + small * ratio. A zero or NaN divisor gives NaN in both parts.
    """
    emitter, (a, b), (c, d) = ctx.emitter, lhs, rhs
    by_real = emitter.compare("fcmp oge", absolute(ctx, c), absolute(ctx, d))
    large, small = emitter.select(by_real, c, d), emitter.select(by_real, d, c)
    first, second = emitter.select(by_real, a, b), emitter.select(by_real, b, a)
    ratio = arithmetic(ctx, "fdiv", small, large)
    denominator = arithmetic(ctx, "fadd", large, arithmetic(ctx, "fmul", small, ratio))
    re = arithmetic(ctx, "fadd", first, arithmetic(ctx, "fmul", second, ratio))
    scaled = arithmetic(ctx, "fmul", first, ratio)
    im = emitter.select(by_real, arithmetic(ctx, "fsub", b, scaled), arithmetic(ctx, "fsub", scaled, a))
    return make_complex(ctx, t, arithmetic(ctx, "fdiv", re, denominator), arithmetic(ctx, "fdiv", im, denominator))
