"""Arithmetic on float and complex payloads, rounded to the type after each operation.

``+ - * /`` are computed in f64 and rounded once more to the type. Both roundings together give the correctly rounded
result, since 53 bits are at least twice the type's precision and two more (24, 11 or 8 bits); so do GPUs and CPUs,
whether they compute f16 and bf16 natively or in f32.
"""
from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np

from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, F16, F32
from simt.core.values.rounding import round_float


def divide(a: float, b: float) -> float:
    """IEEE division: by zero gives an infinity or NaN."""
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def remainder(a: float, b: float) -> float:
    """C's ``fmod``, which is exact."""
    if math.isinf(a) or b == 0 or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.fmod(a, b)


def modulo(a: float, b: float, kind: ScalarType) -> float:
    """Python's ``a % b``: the sign of ``b``, a zero too; NaN where ``b`` is 0 or ``a`` infinite."""
    rest = remainder(a, b)
    if rest == 0:
        return math.copysign(0.0, b)
    return round_float(rest + b, kind) if (rest < 0) != (b < 0) else rest


def power(a: float, b: float) -> float:
    """C's ``pow`` in f64: NaN or an infinity where Python raises."""
    with np.errstate(all="ignore"):
        return float(np.power(np.float64(a), np.float64(b)))


def floor_divide(a: float, b: float, kind: ScalarType) -> float:
    """Python's ``a // b``, which goes with its ``%``; by zero it is ``a / b``.

    Each step is rounded to ``kind`` (f16 and bf16: to f32, as they are computed), as a compiled kernel does.
    """
    if b == 0:
        return divide(a, b)
    step = F32 if kind in (F16, BF16) else kind
    rest = remainder(a, b)
    quotient = round_float(round_float(a - rest, step) / b, step)
    if rest != 0 and (rest < 0) != (b < 0):
        quotient -= 1.0
    if math.isnan(quotient) or math.isinf(quotient):
        return quotient
    if quotient == 0:
        return math.copysign(0.0, divide(a, b))
    floor = float(math.floor(quotient))
    if quotient - floor > 0.5:
        floor += 1.0
    return round_float(floor, kind)


_EXACT: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": divide,
}


def float_binary(op: str, a: float, b: float, kind: ScalarType) -> float:
    """``a op b`` for two values of the float type ``kind``.

    Raises:
        TypeError: floats have no such operator.
    """
    match op:
        case "+" | "-" | "*" | "/":
            return round_float(_EXACT[op](a, b), kind)
        case "//":
            return floor_divide(a, b, kind)
        case "%":
            return modulo(a, b, kind)
        case "**":
            return round_float(power(a, b), kind)
        case _:
            raise TypeError(f"{kind} has no operator {op}; convert to an integer first, or reinterpret its bits")


def complex_binary(op: str, a: complex, b: complex, kind: ScalarType) -> complex:
    """``a op b`` for two values of the complex type ``kind``; parts are rounded after every real operation.

    Division is Smith's (Algorithm 116, CACM 5(8), 1962).

    Raises:
        TypeError: complex numbers have no such operator.
    """
    def rounded(value: float) -> float:
        return round_float(value, kind.component)

    match op:
        case "+":
            return complex(rounded(a.real + b.real), rounded(a.imag + b.imag))
        case "-":
            return complex(rounded(a.real - b.real), rounded(a.imag - b.imag))
        case "*":
            real = rounded(a.real * b.real) - rounded(a.imag * b.imag)
            return complex(rounded(real), rounded(rounded(a.real * b.imag) + rounded(a.imag * b.real)))
        case "/":
            return _divide_complex(a, b, rounded)
        case _:
            raise TypeError(f"{kind} has no operator {op}")


def _divide_complex(a: complex, b: complex, rounded: Callable[[float], float]) -> complex:
    by_real = abs(b.real) >= abs(b.imag)
    large, small = (b.real, b.imag) if by_real else (b.imag, b.real)
    first, second = (a.real, a.imag) if by_real else (a.imag, a.real)
    ratio = rounded(divide(small, large))
    denominator = rounded(large + rounded(small * ratio))
    real = rounded(first + rounded(second * ratio))
    scaled = rounded(first * ratio)
    imaginary = rounded(a.imag - scaled) if by_real else rounded(scaled - a.real)
    return complex(rounded(divide(real, denominator)), rounded(divide(imaginary, denominator)))
