"""Explicit conversions between payloads: the Python number inside a scalar value.

Integers are a Python ``int`` within range, bool a ``bool``, floats a ``float`` that the format holds exactly, complex
numbers a ``complex`` of two such.
"""
from __future__ import annotations

import math

from simt.core.types import Kind, ScalarType
from simt.core.values.rounding import round_float, round_integer

Payload = int | float | complex | bool


def wrap(value: int, target: ScalarType) -> int:
    """``value`` modulo 2**bits, in the range of the integer type ``target``."""
    value &= (1 << target.bits) - 1
    return value - (1 << target.bits) if value > target.maximum else value


def convert(value: Payload, target: ScalarType) -> Payload:
    """What ``target(value)`` holds: integers wrap; float to integer truncates, saturates, and gives 0 for NaN;
    to bool is ``!= 0``; everything to float rounds once.

    Raises:
        TypeError: complex to a real type.
    """
    if target.is_complex:
        if isinstance(value, complex):
            return complex(round_float(value.real, target.component), round_float(value.imag, target.component))
        return complex(_to_real(value, target.component), 0.0)
    if target.kind is Kind.BOOL:
        return value != 0
    if isinstance(value, complex):
        raise TypeError(f"a complex number does not convert to {target}: take .real, .imag or abs() first")
    if target.is_float:
        return _to_real(value, target)
    if isinstance(value, float):
        return _truncate(value, target)
    return wrap(int(value), target)


def _to_real(value: float, target: ScalarType) -> float:
    return round_float(value, target) if isinstance(value, float) else round_integer(int(value), target)


def _truncate(value: float, target: ScalarType) -> int:
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return target.maximum if value > 0 else target.minimum
    return min(max(int(value), target.minimum), target.maximum)
