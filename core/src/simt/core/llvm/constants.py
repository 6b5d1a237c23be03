"""Scalar constants as LLVM text, each rounded once from the exact literal."""
from __future__ import annotations

from typing import assert_never

from simt.core.llvm.builder import Value
from simt.core.llvm.types import scalar_type
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BF16, F16, F64
from simt.core.values.rounding import bits_of_float, round_float, round_integer

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
    rounded = round_integer(value, t) if isinstance(value, int) else round_float(value, t)
    if t == BF16:
        pattern = bits_of_float(rounded, BF16)
        return str(pattern - (pattern >> 15 << 16))
    if t == F16:
        return f"0xH{bits_of_float(rounded, F16):04X}"
    return f"0x{bits_of_float(rounded, F64):016X}"
