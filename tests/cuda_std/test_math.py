"""Every function of ``math``: special values as in C, errors in ulp against mpmath's many digits."""
from __future__ import annotations

import math as python_math
from collections.abc import Callable
from typing import TypeVar

import mpmath
import numpy as np
import pytest

from simt.core import D2, In, Out, f16, f32, f64, kernel
from simt.cuda_std import math, thread
from tests.cuda_std.targets import run_on_cpu, run_on_host

Real = TypeVar("Real", f16, f32, f64)
Pairs = tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]

UNARY = (
    "sqrt", "rsqrt", "cbrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "erf", "erfc", "gamma", "lgamma", "floor", "ceil", "trunc", "rint", "fabs", "degrees", "radians",
)
BINARY = ("hypot", "pow", "atan2", "fmod", "remainder", "copysign")


@kernel
def powers(x: In[Real], out: Out[Real, D2]):
    i = thread.index_1d()
    if i < x.size:
        out[0, i] = math.sqrt(x[i])
        out[1, i] = math.rsqrt(x[i])
        out[2, i] = math.cbrt(x[i])
        out[3, i] = math.exp(x[i])
        out[4, i] = math.exp2(x[i])
        out[5, i] = math.exp10(x[i])
        out[6, i] = math.expm1(x[i])
        out[7, i] = math.log(x[i])
        out[8, i] = math.log2(x[i])
        out[9, i] = math.log10(x[i])
        out[10, i] = math.log1p(x[i])


@kernel
def angles(x: In[Real], out: Out[Real, D2]):
    i = thread.index_1d()
    if i < x.size:
        out[11, i] = math.sin(x[i])
        out[12, i] = math.cos(x[i])
        out[13, i] = math.tan(x[i])
        out[14, i] = math.asin(x[i])
        out[15, i] = math.acos(x[i])
        out[16, i] = math.atan(x[i])
        out[17, i] = math.sinh(x[i])
        out[18, i] = math.cosh(x[i])
        out[19, i] = math.tanh(x[i])
        out[20, i] = math.asinh(x[i])
        out[21, i] = math.acosh(x[i])
        out[22, i] = math.atanh(x[i])


@kernel
def others(x: In[Real], out: Out[Real, D2]):
    i = thread.index_1d()
    if i < x.size:
        out[23, i] = math.erf(x[i])
        out[24, i] = math.erfc(x[i])
        out[25, i] = math.gamma(x[i])
        out[26, i] = math.lgamma(x[i])
        out[27, i] = math.floor(x[i])
        out[28, i] = math.ceil(x[i])
        out[29, i] = math.trunc(x[i])
        out[30, i] = math.rint(x[i])
        out[31, i] = math.fabs(x[i])
        out[32, i] = math.degrees(x[i])
        out[33, i] = math.radians(x[i])


@kernel
def pairs(x: In[Real], y: In[Real], out: Out[Real, D2]):
    i = thread.index_1d()
    if i < x.size:
        out[0, i] = math.hypot(x[i], y[i])
        out[1, i] = math.pow(x[i], y[i])
        out[2, i] = math.atan2(x[i], y[i])
        out[3, i] = math.fmod(x[i], y[i])
        out[4, i] = math.remainder(x[i], y[i])
        out[5, i] = math.copysign(x[i], y[i])


SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 3.0, -2.0, 100.0, -100.0, python_math.inf, -python_math.inf,
    python_math.nan,
]
# Worst errors allowed (ulp of the exact result): those of the GNU C Library Reference Manual, "Known Maximum Errors in
# Math Functions". Functions that are not listed have 2; f16 is computed in f32 and rounded once.
ULP: dict[str, float] = {
    "sqrt": 0.5, "cbrt": 4, "sinh": 3, "asinh": 3, "acosh": 3, "atanh": 3, "erfc": 5, "gamma": 10, "lgamma": 6,
    "degrees": 1.5, "radians": 1.5,
    "floor": 0, "ceil": 0, "trunc": 0, "rint": 0, "fabs": 0, "fmod": 0, "remainder": 0, "copysign": 0,
}
NARROW_ULP = 0.51
DIGITS = 60
EXACT: dict[str, Callable[..., object]] = {
    "sqrt": mpmath.sqrt, "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.root(abs(x), 3),
    "exp": mpmath.exp, "exp2": lambda x: mpmath.power(2, x), "exp10": lambda x: mpmath.power(10, x),
    "expm1": mpmath.expm1, "log": mpmath.log, "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log10": mpmath.log10, "log1p": mpmath.log1p,
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos,
    "atan": mpmath.atan, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh, "asinh": mpmath.asinh,
    "acosh": mpmath.acosh, "atanh": mpmath.atanh, "erf": mpmath.erf, "erfc": mpmath.erfc, "gamma": mpmath.gamma,
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))), "degrees": mpmath.degrees, "radians": mpmath.radians,
    "hypot": mpmath.hypot, "pow": mpmath.power, "atan2": mpmath.atan2,
    "floor": mpmath.floor, "ceil": mpmath.ceil, "rint": mpmath.nint, "fabs": abs,
    "trunc": lambda x: mpmath.sign(x) * mpmath.floor(abs(x)),
    "fmod": lambda x, y: mpmath.sign(x) * mpmath.fmod(abs(x), abs(y)),
    "remainder": lambda x, y: x - y * mpmath.nint(x / y),
    "copysign": lambda x, y: abs(x) * (1 if y > 0 else -1),
}
ON_HOST = {name: getattr(np, numpy_name) for name, numpy_name in {
    "sqrt": "sqrt", "cbrt": "cbrt", "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log2": "log2",
    "log10": "log10", "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "rint", "fabs": "fabs",
    "degrees": "degrees", "radians": "radians", "hypot": "hypot", "pow": "power", "atan2": "arctan2", "fmod": "fmod",
    "copysign": "copysign",
}.items()}


def arguments(dtype: type) -> np.ndarray:
    """Special values, then values of every size, dense around 1 and 0, and the ends of the format."""
    info = np.finfo(dtype)
    rng = np.random.default_rng(8)
    ends = [info.max, info.min, info.tiny, -info.tiny, info.smallest_subnormal, 1 + info.eps, 1 - info.epsneg]
    largest = python_math.log10(float(info.max)) - 0.5
    spread = rng.uniform(-1, 1, 40) * 10.0 ** rng.uniform(-largest, largest, 40)
    near = np.concatenate([rng.uniform(-1, 1, 60), rng.uniform(-20, 20, 60), rng.normal(1, 0.01, 20)])
    return np.concatenate([SPECIAL, np.array(ends, np.float64), spread, near]).astype(dtype)


def compute(dtype: type, run: Callable[..., None] = run_on_cpu) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    x = arguments(dtype)
    out = np.zeros((len(UNARY), len(x)), dtype)
    for group in (powers, angles, others):
        run(group, -(-len(x) // 64), 64, x, out)
    return x, dict(zip(UNARY, out, strict=True))


def pair_arguments(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(9)
    x, y = (np.repeat(SPECIAL, len(SPECIAL)), np.tile(SPECIAL, len(SPECIAL)))
    moderate = rng.uniform(-12, 12, (2, 100))
    return np.concatenate([x, moderate[0]]).astype(dtype), np.concatenate([y, moderate[1]]).astype(dtype)


def compute_pairs(dtype: type) -> Pairs:
    x, y = pair_arguments(dtype)
    out = np.zeros((len(BINARY), len(x)), dtype)
    run_on_cpu(pairs, -(-len(x) // 64), 64, x, y, out)
    return x, y, dict(zip(BINARY, out, strict=True))


@pytest.fixture(scope="module", params=[np.float16, np.float32, np.float64], ids=["f16", "f32", "f64"])
def unary(request: pytest.FixtureRequest) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    return compute(request.param)


@pytest.fixture(scope="module", params=[np.float16, np.float32, np.float64], ids=["f16", "f32", "f64"])
def binary(request: pytest.FixtureRequest) -> Pairs:
    return compute_pairs(request.param)


def error_in_ulp(found: np.floating, exact: mpmath.mpf) -> float:
    """Distance in units of the last place of the exact value, in the format of ``found``."""
    info = np.finfo(found.dtype)
    if abs(exact) >= mpmath.mpf(float(info.max)) * (1 + mpmath.mpf(float(info.eps)) / 4):
        return 0.0 if np.isinf(found) and (found > 0) == (exact > 0) else python_math.inf
    exponent = int(mpmath.floor(mpmath.log(abs(exact), 2))) if exact != 0 else info.minexp
    unit = mpmath.mpf(2) ** (max(exponent, info.minexp) - info.nmant)
    return float(abs(mpmath.mpf(float(found)) - exact) / unit)


def assert_close(name: str, found: np.ndarray, *inputs: np.ndarray) -> None:
    """Every finite result of finite arguments is within the bound."""
    bound = ULP.get(name, 2) + 1e-6
    if found.dtype == np.float16 and name not in ("degrees", "radians"):
        bound = min(bound, NARROW_ULP)
    with mpmath.workdps(DIGITS):
        for value, *given in zip(found, *inputs, strict=True):
            if not all(np.isfinite(part) for part in given) or np.isnan(value):
                continue
            try:
                exact = mpmath.mpf(EXACT[name](*(mpmath.mpf(float(part)) for part in given)))
            except (ValueError, ZeroDivisionError, TypeError, OverflowError):
                continue  # a pole, complex, or beyond mpmath's exponents: the special values' business
            error = error_in_ulp(value, exact)
            assert error <= bound, f"{name}{tuple(map(float, given))} = {value!r}, exactly {exact}: {error} ulp"


@pytest.mark.parametrize("name", UNARY)
def test_errors_of_one_argument(name: str, unary: tuple[np.ndarray, dict[str, np.ndarray]]) -> None:
    x, results = unary
    if name == "lgamma":  # relative error grows without bound next to the function's zeros, between -23 and -2
        keep = ~((x > -24) & (x < -1.9)) & (np.abs(x - 1.5) > 0.6)
        x, found = x[keep], results[name][keep]
    elif name == "gamma":  # at large negative arguments the result is subnormal or zero
        keep = (x > -10) & (np.abs(x) > np.finfo(x.dtype).tiny)
        x, found = x[keep], results[name][keep]
    else:
        found = results[name]
    assert_close(name, found, x)


@pytest.mark.parametrize("name", BINARY)
def test_errors_of_two_arguments(name: str, binary: Pairs) -> None:
    x, y, results = binary
    keep = (x != 0) & (y != 0) if name in ("copysign", "atan2", "pow") else np.ones(len(x), bool)
    assert_close(name, results[name][keep], x[keep], y[keep])


@pytest.mark.parametrize("name", [name for name in UNARY if name in ON_HOST])
def test_special_values_of_one_argument(name: str, unary: tuple[np.ndarray, dict[str, np.ndarray]]) -> None:
    x, results = unary
    with np.errstate(all="ignore"):
        expected = ON_HOST[name](x[: len(SPECIAL)].astype(np.float64))
    assert_same_kind(results[name][: len(SPECIAL)], expected, name)


@pytest.mark.parametrize("name", [name for name in BINARY if name in ON_HOST])
def test_special_values_of_two_arguments(name: str, binary: Pairs) -> None:
    x, y, results = binary
    count = len(SPECIAL) ** 2
    with np.errstate(all="ignore"):
        expected = ON_HOST[name](x[:count].astype(np.float64), y[:count].astype(np.float64))
    if name == "hypot":
        expected[np.isinf(x[:count]) | np.isinf(y[:count])] = np.inf
    assert_same_kind(results[name][:count], expected, name)


def assert_same_kind(found: np.ndarray, expected: np.ndarray, name: str) -> None:
    """The same NaNs, infinities, zeros and signs; what overflows in the narrow format may be infinite."""
    with np.errstate(over="ignore"):
        expected = expected.astype(found.dtype)
    for ours, theirs in zip(found, expected, strict=True):
        assert np.isnan(ours) == np.isnan(theirs), f"{name}: {ours} for {theirs}"
        if not np.isnan(theirs):
            assert np.signbit(ours) == np.signbit(theirs), f"{name}: {ours} for {theirs}"
            assert np.isinf(ours) == np.isinf(theirs), f"{name}: {ours} for {theirs}"
            assert (ours == 0) == (theirs == 0), f"{name}: {ours} for {theirs}"


def test_gamma_at_its_poles(unary: tuple[np.ndarray, dict[str, np.ndarray]]) -> None:
    x, results = unary
    at = {value: index for index, value in enumerate(SPECIAL) if value != 0 and not np.isnan(value)}
    gamma, lgamma = results["gamma"], results["lgamma"]
    assert gamma[0] == np.inf
    assert gamma[1] == -np.inf
    assert all(np.isnan(gamma[at[pole]]) for pole in (-1.0, -2.0, -100.0, -np.inf))
    assert gamma[at[np.inf]] == np.inf
    assert all(lgamma[at[pole]] == np.inf for pole in (-1.0, -2.0, -100.0, -np.inf, np.inf))
    assert lgamma[0] == lgamma[1] == np.inf
    assert np.isnan(gamma[len(SPECIAL) - 1])
    assert np.isnan(lgamma[len(SPECIAL) - 1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_reference_is_the_nearest_value(dtype: type) -> None:
    """The Python bodies, which other tests trust, give the correctly rounded result but for rare ties."""
    x, results = compute(dtype, run_on_host)
    for name in ("sqrt", "exp", "log", "sin", "atan", "erf", "floor", "rint"):
        with mpmath.workdps(DIGITS):
            for value, given in zip(results[name], x, strict=True):
                if np.isfinite(given) and np.isfinite(value):
                    exact = mpmath.mpf(EXACT[name](mpmath.mpf(float(given))))
                    assert error_in_ulp(value, exact) <= (0.500001 if dtype is np.float32 else 1), (name, given)
