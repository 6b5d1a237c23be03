"""What kind of value a float is, and whether two are close."""
from __future__ import annotations

import math

from simt.cuda_std.generics import AnyFloat, Float
from simt.cuda_std.math._rounding import fabs


def isnan(x: Float) -> bool:
    """Whether ``x`` is NaN."""
    return x != x


def isinf(x: Float) -> bool:
    """Whether ``x`` is an infinity of either sign."""
    return fabs(x) == math.inf


def isfinite(x: Float) -> bool:
    """Whether ``x`` is neither an infinity nor NaN."""
    return fabs(x) < math.inf


def isclose(a: Float, b: Float, rel_tol: AnyFloat = 1e-9, abs_tol: AnyFloat = 0.0) -> bool:
    """Whether ``a`` and ``b`` differ by at most ``rel_tol`` times the larger magnitude, or by ``abs_tol``.

    Equal infinities are close, NaN is close to nothing. The default tolerance is below the precision of f32.
    """
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    return fabs(a - b) <= max(rel_tol * max(fabs(a), fabs(b)), abs_tol)
