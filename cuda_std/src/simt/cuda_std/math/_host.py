"""The functions of ``math`` on the host: computed in f64, IEEE answers instead of exceptions, rounded once."""
from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any, cast

import numpy as np

from simt.core.scalars import f64


def on_host(function: Callable[..., Any], *arguments: Any) -> Any:
    """``function`` of the arguments' values, in the type in which they meet; Python numbers alone give a float.

    Any: a scalar's class is known only at run time.
    """
    with np.errstate(all="ignore"):
        value = float(function(*(np.float64(float(argument)) for argument in arguments)))
    kind = _meeting_class(*arguments)
    return value if kind is int else kind(value)


def _meeting_class(*arguments: Any) -> Callable[[Any], Any]:
    return cast("Callable[[Any], Any]", type(reduce(operator.add, arguments)))


def rsqrt(x: np.float64) -> np.float64:
    """``1 / sqrt(x)``; NumPy's numbers divide by zero."""
    return np.float64(1) / np.sqrt(x)


def gamma(x: float) -> float:
    """The gamma function; NaN at negative integers and -inf, an infinity of its sign at a zero."""
    if x == 0:
        return math.copysign(math.inf, x)
    if x == -math.inf or (x < 0 and x == math.floor(x)):
        return math.nan
    try:
        return math.gamma(x)
    except OverflowError:  # next to zero, or a large positive argument
        return math.copysign(math.inf, x)


def lgamma(x: float) -> float:
    """The logarithm of gamma's magnitude; inf at its poles and where it overflows."""
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


def remainder(x: float, y: float) -> float:
    """IEEE 754's remainder; NaN for an infinite ``x`` or a zero ``y``."""
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return math.remainder(x, y)


def ldexp(x: float, exponent: float) -> float:
    """``x * 2**exponent``, with infinities where it overflows."""
    return float(np.ldexp(x, int(exponent)))


def nextafter(x: Any, y: Any) -> Any:
    """The neighbour of ``x`` toward ``y``, in the type in which they meet."""
    kind = _meeting_class(x, y)
    dtype = getattr(kind, "numpy_dtype", np.dtype(np.float64))
    with np.errstate(all="ignore"):
        return kind(np.nextafter(np.asarray(float(x), dtype), np.asarray(float(y), dtype))[()])


def fma(x: Any, y: Any, z: Any) -> Any:
    """``x * y + z`` rounded once to the type in which they meet."""
    a, b, c = float(x), float(y), float(z)
    kind = _meeting_class(x, y, z)
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        with np.errstate(all="ignore"):
            return kind(float(np.float64(a) * np.float64(b) + np.float64(c)))
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return kind(a * b + c if a * b == 0 else 0.0)
    try:
        nearest = float(exact)
    except OverflowError:
        return kind(math.inf if exact > 0 else -math.inf)
    if kind in (float, int, f64) or Fraction(nearest) == exact:
        return float(nearest) if kind is int else kind(nearest)
    return kind(_odd_neighbour(nearest, exact))


def _odd_neighbour(nearest: float, exact: Fraction) -> float:
    """Of the two f64 around ``exact`` the one with an odd last bit: rounding it again gives what one rounding would."""
    if int(np.float64(nearest).view(np.uint64)) & 1:
        return nearest
    return math.nextafter(nearest, math.inf if exact > nearest else -math.inf)
