"""Functions of ``math`` that classify, take apart and put together: exact, so compared bit for bit."""
from __future__ import annotations

import math as python_math
from fractions import Fraction
from typing import TypeVar

import numpy as np
import pytest

from simt.core import D2, In, Out, bf16, f16, f32, f64, i32, kernel
from simt.cuda_std import math, thread
from tests.cuda_std.targets import Run, both_targets

Real = TypeVar("Real", f32, f64)
Narrow = TypeVar("Narrow", f16, f32, f64)


@kernel
def classify(x: In[Narrow], nan: Out[bool], infinite: Out[bool], finite: Out[bool]):
    i = thread.index_1d()
    nan[i] = math.isnan(x[i])
    infinite[i] = math.isinf(x[i])
    finite[i] = math.isfinite(x[i])


@kernel
def take_apart(x: In[Real], mantissa: Out[Real], exponent: Out[i32], fraction: Out[Real], whole: Out[Real]):
    i = thread.index_1d()
    mantissa[i], exponent[i] = math.frexp(x[i])
    fraction[i], whole[i] = math.modf(x[i])


@kernel
def scale(x: In[Real], exponent: In[i32], out: Out[Real]):
    i = thread.index_1d()
    out[i] = math.ldexp(x[i], exponent[i])


@kernel
def fused(x: In[Real], y: In[Real], z: In[Real], out: Out[Real]):
    i = thread.index_1d()
    out[i] = math.fma(x[i], y[i], z[i])


@kernel
def neighbours(x: In[Real], out: Out[Real, D2]):
    i = thread.index_1d()
    out[0, i] = math.nextafter(x[i], math.inf)
    out[1, i] = math.nextafter(x[i], -math.inf)


@kernel
def close(x: In[Real], y: In[Real], usual: Out[bool], loose: Out[bool]):
    i = thread.index_1d()
    usual[i] = math.isclose(x[i], y[i])
    loose[i] = math.isclose(x[i], y[i], rel_tol=0.1, abs_tol=0.01)


@kernel
def constants(out: Out[f64], pair: Out[f64]):
    out[0], out[1], out[2], out[3], out[4] = math.pi, math.e, math.tau, math.inf, math.nan
    pair[0], pair[1] = math.sincos(f64(1))


VALUES = [0.0, -0.0, 1.0, -1.5, 2.75, -1e10, 6e-8, 1e-40, -5e-324, python_math.inf, -python_math.inf, python_math.nan]
BOTH = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def values(dtype: type) -> np.ndarray:
    info = np.finfo(dtype)
    ends = [info.max, info.min, info.tiny, info.smallest_subnormal, -3 * info.smallest_subnormal]
    with np.errstate(under="ignore", over="ignore"):
        return np.concatenate([np.array(VALUES).astype(dtype), np.array(ends, dtype)])


@both_targets
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_classification(run: Run, dtype: type) -> None:
    with np.errstate(over="ignore", under="ignore"):
        x = np.array(VALUES).astype(dtype)
    nan, infinite, finite = (np.zeros(len(x), np.bool_) for _ in range(3))
    run(classify, 1, len(x), x, nan, infinite, finite)
    np.testing.assert_array_equal(nan, np.isnan(x))
    np.testing.assert_array_equal(infinite, np.isinf(x))
    np.testing.assert_array_equal(finite, np.isfinite(x))


@both_targets
@BOTH
def test_frexp_and_modf(run: Run, dtype: type) -> None:
    x = values(dtype)
    mantissa, fraction, whole = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)
    exponent = np.zeros(len(x), np.int32)
    run(take_apart, 1, len(x), x, mantissa, exponent, fraction, whole)
    for i, value in enumerate(x):
        assert_same((mantissa[i], fraction[i], whole[i]), (python_math.frexp(value)[0], *python_math.modf(value)))
        if python_math.isfinite(value):
            assert exponent[i] == python_math.frexp(value)[1]


@both_targets
@BOTH
def test_ldexp_rounds_once_and_overflows(run: Run, dtype: type) -> None:
    x = np.repeat(values(dtype), 5)
    exponent = np.tile(np.array([0, 3, -30, 2000, -2000], np.int32), len(x) // 5)
    out = np.zeros_like(x)
    run(scale, len(x) // 5, 5, x, exponent, out)
    with np.errstate(all="ignore"):
        assert_same(out, np.ldexp(x, exponent))


@both_targets
@BOTH
def test_fma_rounds_once(run: Run, dtype: type) -> None:
    rng = np.random.default_rng(10)
    info = np.finfo(dtype)
    x, y = (rng.uniform(1, 2, 64).astype(dtype) for _ in range(2))
    z = (-(x.astype(dtype) * y)).astype(dtype)  # what is left is the rounding error of the product
    z[:32] = rng.uniform(-1, 1, 32).astype(dtype) * dtype(info.eps)
    out = np.zeros_like(x)
    run(fused, 1, 64, x, y, z, out)
    for a, b, c, found in zip(x, y, z, out, strict=True):
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        spacing = Fraction(float(np.spacing(np.abs(found)))) if found else Fraction(float(info.tiny))
        assert abs(Fraction(float(found)) - exact) <= spacing / 2


@both_targets
@BOTH
def test_nextafter(run: Run, dtype: type) -> None:
    x = values(dtype)
    out = np.zeros((2, len(x)), dtype)
    run(neighbours, 1, len(x), x, out)
    with np.errstate(all="ignore"):
        assert_same(out[0], np.nextafter(x, dtype(np.inf)))
        assert_same(out[1], np.nextafter(x, dtype(-np.inf)))


@both_targets
def test_isclose(run: Run) -> None:
    inf, nan = python_math.inf, python_math.nan
    pairs = [
        (1.0, 1.0), (1.0, 1.0 + 1e-10), (1.0, 1.05), (1.0, 1.2), (0.0, 0.005), (0.0, 1e-12), (inf, inf), (inf, -inf),
        (inf, 1e300), (nan, nan), (-2.0, -2.1),
    ]
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    usual, loose = np.zeros(len(pairs), np.bool_), np.zeros(len(pairs), np.bool_)
    run(close, 1, len(pairs), x, y, usual, loose)
    assert usual.tolist() == [python_math.isclose(a, b) for a, b in pairs]
    assert loose.tolist() == [python_math.isclose(a, b, rel_tol=0.1, abs_tol=0.01) for a, b in pairs]


@both_targets
def test_constants_and_sincos(run: Run) -> None:
    out, pair = np.zeros(5), np.zeros(2)
    run(constants, 1, 1, out, pair)
    assert out[:4].tolist() == [python_math.pi, python_math.e, python_math.tau, python_math.inf]
    assert np.isnan(out[4])
    np.testing.assert_allclose(pair, [python_math.sin(1), python_math.cos(1)], rtol=1e-15)


def assert_same(found: object, expected: object) -> None:
    """Equal, with NaN equal to NaN and the signs of zeros equal."""
    ours, theirs = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    np.testing.assert_array_equal(ours, theirs)
    numbers = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(ours)[numbers], np.signbit(theirs)[numbers])


@kernel
def in_bf16(x: In[f32], out: Out[f32, D2]):
    i = thread.index_1d()
    narrow = bf16(x[i])
    out[0, i] = f32(math.sqrt(narrow))
    out[1, i] = f32(math.rsqrt(narrow))
    out[2, i] = f32(math.exp(narrow))
    out[3, i] = f32(math.floor(narrow))
    out[4, i] = f32(math.pow(narrow, bf16(1.5)))


@both_targets
def test_bf16_is_computed_in_f32_and_rounded_once(run: Run) -> None:
    x = np.linspace(0.5, 30, 64).astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    x = x.view(np.float32)  # values of bf16
    out = np.zeros((5, 64), np.float32)
    run(in_bf16, 1, 64, x, out)
    exact = x.astype(np.float64)
    for found, expected in zip(
        out, (np.sqrt(exact), 1 / np.sqrt(exact), np.exp(exact), np.floor(exact), exact**1.5), strict=True
    ):
        assert (found.view(np.uint32) & 0xFFFF == 0).all()  # values of bf16
        unit = 2.0 ** (np.floor(np.log2(np.maximum(expected, 1e-30))) - 7)
        assert (np.abs(found - expected) <= 0.501 * unit).all()
