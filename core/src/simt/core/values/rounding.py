"""Rounding to the floating-point formats: to nearest, ties to even, in one step from the exact value."""
from __future__ import annotations

import ctypes
import math
import struct
from dataclasses import dataclass

from simt.core.types import ScalarType
from simt.core.types.conversion import SIGNIFICAND_BITS
from simt.core.types.scalar import BF16, F16, F32, F64


@dataclass(frozen=True, slots=True)
class Format:
    """An IEEE 754 binary format. ``precision`` counts the implicit bit; ``least`` is the exponent of the least
    positive subnormal (a power of two); values from ``2.0**limit`` on are infinite.
    """

    precision: int
    least: int
    limit: int


FORMATS = {
    F16: Format(SIGNIFICAND_BITS[F16], -24, 16),
    BF16: Format(SIGNIFICAND_BITS[BF16], -133, 128),
    F32: Format(SIGNIFICAND_BITS[F32], -149, 128),
    F64: Format(SIGNIFICAND_BITS[F64], -1074, 1024),
}


def round_float(value: float, target: ScalarType) -> float:
    """The value of ``target`` nearest to ``value``, as a Python float (which holds every value of every format)."""
    if target == F64:
        return value
    if target == F32:
        return ctypes.c_float(value).value
    if value == 0 or not math.isfinite(value):
        return value
    form = FORMATS[target]
    _, exponent = math.frexp(value)  # 2**(exponent - 1) <= |value| < 2**exponent
    if exponent > form.limit:
        return math.copysign(math.inf, value)
    unit = max(exponent - form.precision, form.least)
    # Scaling by a power of two is exact here: f16 and bf16 lie well inside the range of f64. round() is ties-to-even.
    rounded = math.ldexp(float(round(math.ldexp(value, -unit))), unit)
    if abs(rounded) >= 2.0**form.limit:
        return math.copysign(math.inf, value)
    return math.copysign(rounded, value)


def round_integer(value: int, target: ScalarType) -> float:
    """The value of the float type ``target`` nearest to an integer of any size."""
    form = FORMATS[target]
    excess = abs(value).bit_length() - form.precision
    if excess > 0:
        magnitude = abs(value)
        kept, lost, half = magnitude >> excess, magnitude & ((1 << excess) - 1), 1 << (excess - 1)
        kept += lost > half or (lost == half and kept & 1)
        value = (kept << excess) if value > 0 else -(kept << excess)
    if abs(value) >= 1 << form.limit:
        return math.inf if value > 0 else -math.inf  # copysign would convert the integer
    return float(value)


def bits_of_float(value: float, kind: ScalarType) -> int:
    """The bit pattern of a value that ``kind`` holds exactly."""
    if kind == F64:
        return int.from_bytes(struct.pack("<d", value), "little")
    if kind == F16:
        return int.from_bytes(struct.pack("<e", value), "little")
    pattern = int.from_bytes(struct.pack("<f", value), "little")
    return pattern >> 16 if kind == BF16 else pattern


def float_of_bits(pattern: int, kind: ScalarType) -> float:
    """The value of a bit pattern of ``kind``."""
    if kind == F64:
        return struct.unpack("<d", pattern.to_bytes(8, "little"))[0]
    if kind == F16:
        return struct.unpack("<e", pattern.to_bytes(2, "little"))[0]
    if kind == BF16:
        pattern <<= 16
    return struct.unpack("<f", pattern.to_bytes(4, "little"))[0]
