"""Scalar constants as LLVM text, each rounded once from the exact literal."""
from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import assert_never

from simt.core.llvm.builder import Value
from simt.core.llvm.types import scalar_type
from simt.core.types import Kind, ScalarType
from simt.core.types.conversion import SIGNIFICAND_BITS
from simt.core.types.scalar import BF16, F16, F64

_MAXIMUM_EXPONENT = {"f16": 15, "bf16": 127, "f32": 127, "f64": 1023}
Number = int | float | complex | bool


def constant(t: ScalarType, value: Number) -> Value:
    """An operand of type ``t``. A complex constant is the struct of its parts."""
    match t.kind:
        case Kind.BOOL:
            return Value("i1", "true" if value else "false")
        case Kind.SIGNED | Kind.UNSIGNED:
            assert isinstance(value, int)
            return integer(t.bits, value)
        case Kind.FLOAT:
            assert not isinstance(value, complex)
            return Value(scalar_type(t), float_text(t, value))
        case Kind.COMPLEX:
            part = t.component
            parts = [Value(scalar_type(part), float_text(part, x)) for x in (value.real, value.imag)]
            return Value(scalar_type(t), "{ " + ", ".join(map(str, parts)) + " }")
        case _:
            assert_never(t.kind)


def integer(bits: int, value: int) -> Value:
    """An integer constant, taken modulo 2**bits; printed signed, as LLVM prefers."""
    value &= (1 << bits) - 1
    if bits > 1 and value >> (bits - 1):
        value -= 1 << bits
    return Value(f"i{bits}", str(value))


def float_text(t: ScalarType, value: int | float) -> str:
    """The literal of ``t`` nearest to ``value`` (ties to even), as LLVM writes it: hexadecimal bits of a double."""
    rounded = round_to(t, value)
    if t == BF16:
        return str(int.from_bytes(struct.pack(">f", rounded)[:2], "big", signed=True))
    if t == F16:
        return "0xH" + struct.pack(">e", rounded).hex().upper()
    return "0x" + struct.pack(">d", rounded).hex().upper()


def round_to(t: ScalarType, value: int | float) -> float:
    """The value of float type ``t`` nearest to ``value``, ties to even, overflow to infinity (IEEE 754-2019, 4.3.1)."""
    if isinstance(value, float) and (t == F64 or value == 0.0 or not math.isfinite(value)):
        return value
    exact = Fraction(value)
    if exact == 0:
        return 0.0
    precision, highest = SIGNIFICAND_BITS[t], _MAXIMUM_EXPONENT[t.name]
    exponent = _floor_log2(abs(exact))
    quantum = Fraction(2) ** (max(exponent, 1 - highest) - (precision - 1))
    rounded = round(exact / quantum) * quantum
    if abs(rounded) >= Fraction(2) ** (highest + 1):
        return math.inf if rounded > 0 else -math.inf
    return math.copysign(float(rounded), value)


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1
