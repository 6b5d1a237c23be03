"""The functions of Python's ``math`` for floats inside kernels, and a few more.

They take and give one float type; f16 and bf16 are computed in f32 and rounded once. There are no exceptions: outside
a function's domain the result is NaN, beyond its range an infinity, and NaN stays NaN. ``floor`` and the like give a
float, where Python gives an int. ``min``, ``max``, ``abs`` and ``round`` are Python's own names.

Errors are given in units in the last place (ulp) of the exact result. Those for GPUs are from the CUDA C++ Programming
Guide, Mathematical Functions (bounds found by extensive tests, not proven); the CPU target calls the C library of the
system, whose errors are of the same size.
"""
import math as _math

from simt.cuda_std.math._classify import isclose, isfinite, isinf, isnan
from simt.cuda_std.math._powers import cbrt, exp, exp2, exp10, expm1, hypot, log, log1p, log2, log10, pow, rsqrt, sqrt
from simt.cuda_std.math._rounding import (
    ceil,
    copysign,
    fabs,
    floor,
    fma,
    fmod,
    frexp,
    ilogb,
    ldexp,
    modf,
    nextafter,
    remainder,
    rint,
    trunc,
)
from simt.cuda_std.math._special import erf, erfc, gamma, lgamma
from simt.cuda_std.math._trigonometric import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    degrees,
    radians,
    sin,
    sincos,
    sinh,
    tan,
    tanh,
)

e = _math.e
inf = _math.inf
nan = _math.nan
pi = _math.pi
tau = _math.tau

__all__ = [
    "e", "inf", "nan", "pi", "tau",
    "isclose", "isfinite", "isinf", "isnan",
    "cbrt", "exp", "exp2", "exp10", "expm1", "hypot", "log", "log1p", "log2", "log10", "pow", "rsqrt", "sqrt",
    "ceil", "copysign", "fabs", "floor", "fma", "fmod", "frexp", "ilogb", "ldexp", "modf", "nextafter", "remainder",
    "rint", "trunc",
    "erf", "erfc", "gamma", "lgamma",
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "degrees", "radians", "sin", "sincos",
    "sinh", "tan", "tanh",
]
