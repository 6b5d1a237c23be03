"""Integer arithmetic: Python's floor division and modulo, and shifts that saturate."""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.wide import divide_wide
from simt.core.types import ScalarType
from simt.core.types.scalar import Kind


def floor_divide(emitter: Emitter, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs // rhs``. The smallest signed value by -1 wraps to itself; a zero divisor is undefined."""
    if (power := _power_of_two(rhs)) is not None:
        return emitter.binary("ashr" if t.kind is Kind.SIGNED else "lshr", lhs, integer(t.bits, power))
    if t.kind is Kind.UNSIGNED:
        return _divide(emitter, t, lhs, rhs)[0]
    quotient, remainder = _truncating(emitter, t, lhs, rhs)
    return emitter.binary("add", quotient, emitter.cast("sext", _needs_floor(emitter, t, remainder, rhs), lhs.type))


def floor_modulo(emitter: Emitter, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs % rhs``, with the sign of ``rhs``. A zero divisor is undefined."""
    if (power := _power_of_two(rhs)) is not None:
        return emitter.binary("and", lhs, integer(t.bits, (1 << power) - 1))
    if t.kind is Kind.UNSIGNED:
        return _divide(emitter, t, lhs, rhs)[1]
    _, remainder = _truncating(emitter, t, lhs, rhs)
    moved = emitter.binary("add", remainder, rhs)
    return emitter.select(_needs_floor(emitter, t, remainder, rhs), moved, remainder)


def shift_left(emitter: Emitter, t: ScalarType, lhs: Value, count: Value) -> Value:
    """``lhs << count``: 0 where ``count``, read as unsigned, is the width or more."""
    shifted = emitter.binary("shl", lhs, count)
    inside = emitter.compare("icmp ult", count, integer(t.bits, t.bits))
    return emitter.select(inside, shifted, integer(t.bits, 0))


def shift_right(emitter: Emitter, t: ScalarType, lhs: Value, count: Value) -> Value:
    """``lhs >> count``: 0, or -1 for a negative ``lhs``, where ``count``, read as unsigned, is the width or more."""
    inside = emitter.compare("icmp ult", count, integer(t.bits, t.bits))
    if t.kind is Kind.SIGNED:
        return emitter.binary("ashr", lhs, emitter.select(inside, count, integer(t.bits, t.bits - 1)))
    return emitter.select(inside, emitter.binary("lshr", lhs, count), integer(t.bits, 0))


def negate(emitter: Emitter, t: ScalarType, value: Value) -> Value:
    """``-value``, wrapping."""
    return emitter.binary("sub", integer(t.bits, 0), value)


def _truncating(emitter: Emitter, t: ScalarType, lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """C's quotient and remainder. LLVM's ``sdiv`` is undefined for minimum / -1, so -1 is divided by separately."""
    if _is_constant(rhs) and rhs.text != "-1":
        return _divide(emitter, t, lhs, rhs)
    minus_one = emitter.compare("icmp eq", rhs, integer(t.bits, -1))
    quotient, remainder = _divide(emitter, t, lhs, emitter.select(minus_one, integer(t.bits, 1), rhs))
    return (
        emitter.select(minus_one, negate(emitter, t, lhs), quotient),
        emitter.select(minus_one, integer(t.bits, 0), remainder),
    )


def _divide(emitter: Emitter, t: ScalarType, lhs: Value, rhs: Value) -> tuple[Value, Value]:
    if t.bits == 128:
        return divide_wide(emitter, lhs, rhs, signed=t.kind is Kind.SIGNED)
    prefix = "s" if t.kind is Kind.SIGNED else "u"
    quotient = emitter.binary(f"{prefix}div", lhs, rhs)
    return quotient, emitter.binary("sub", lhs, emitter.binary("mul", quotient, rhs))


def _needs_floor(emitter: Emitter, t: ScalarType, remainder: Value, rhs: Value) -> Value:
    """Whether truncation went up: the remainder is not zero and its sign differs from the divisor's."""
    zero = integer(t.bits, 0)
    inexact = emitter.compare("icmp ne", remainder, zero)
    differs = emitter.compare("icmp slt", emitter.binary("xor", remainder, rhs), zero)
    return emitter.binary("and", inexact, differs)


def _is_constant(value: Value) -> bool:
    return value.text.lstrip("-").isdigit()


def _power_of_two(value: Value) -> int | None:
    """The exponent of a constant power of two, else None."""
    if not value.text.isdigit() or int(value.text).bit_count() != 1:
        return None
    return int(value.text).bit_length() - 1
