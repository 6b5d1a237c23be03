"""Rounding to the float formats against NumPy and exact rational arithmetic."""
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simt.core.types.scalar import BF16, F16, F32, F64, FLOATS
from simt.core.values.rounding import bits_of_float, float_of_bits, round_float, round_integer


def nearest(value: Fraction, kind) -> float:
    """The nearest of all finite values of a 16-bit format, ties to even: by search, an independent method."""
    top = 0x7C00 if kind == F16 else 0x7F80
    patterns = np.arange(top, dtype=np.uint16)
    values = patterns.view(np.float16).astype(np.float64) if kind == F16 else \
        (patterns.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    magnitude = abs(value)
    position = int(np.searchsorted(values, float(magnitude)))
    near = range(max(position - 2, 0), min(position + 2, top))
    best = min(near, key=lambda i: (abs(Fraction(values[i]) - magnitude), i & 1))
    limit = Fraction(values[-1]) + (Fraction(values[-1]) - Fraction(values[-2])) / 2
    result = math.inf if magnitude >= limit else float(values[best])
    return -result if value < 0 else result


def test_every_f16_is_kept():
    patterns = np.arange(65536, dtype=np.uint16)
    values = patterns.view(np.float16).astype(float).tolist()
    for pattern, value in list(enumerate(values))[::7]:
        if not math.isnan(value):
            assert round_float(value, F16) == value
            assert bits_of_float(value, F16) == pattern
            assert float_of_bits(pattern, F16) == value


def test_every_bf16_is_kept():
    for pattern in range(0, 65536, 7):
        value = float_of_bits(pattern, BF16)
        if not math.isnan(value):
            assert round_float(value, BF16) == value
            assert bits_of_float(value, BF16) == pattern


@given(st.floats(width=64, allow_nan=False))
def test_f32_and_f16_as_numpy_rounds(value: float):
    with np.errstate(over="ignore"):
        assert round_float(value, F32) == float(np.float32(value))
        assert round_float(value, F16) == float(np.float64(value).astype(np.float16))
    assert math.copysign(1, round_float(value, F16)) == math.copysign(1, value)


@pytest.mark.parametrize("kind", [F16, BF16], ids=str)
@given(value=st.floats(min_value=-1e39, max_value=1e39) | st.floats(min_value=-1e-4, max_value=1e-4))
def test_16_bit_formats_take_the_nearest(kind, value: float):
    assert round_float(value, kind) == nearest(Fraction(value), kind)


@pytest.mark.parametrize("kind", [F16, BF16], ids=str)
@given(pattern=st.integers(0, 0x7BFE), nudge=st.sampled_from([-1, 0, 1]))
def test_16_bit_ties_go_to_even(kind, pattern: int, nudge: int):
    low, high = float_of_bits(pattern, kind), float_of_bits(pattern + 1, kind)
    middle = (low + high) / 2
    value = math.nextafter(middle, math.inf * nudge) if nudge else middle
    assert round_float(value, kind) == nearest(Fraction(value), kind)


@pytest.mark.parametrize("kind", FLOATS, ids=str)
@given(value=st.integers(-(2**128), 2**128) | st.integers(-(2**26), 2**26) | st.integers(0, 70000))
def test_integers_round_once(kind, value: int):
    got = round_integer(value, kind)
    if kind == F64:
        assert got == float(value)  # Python rounds once
    elif kind == F32 and abs(value) < 2**63:
        assert got == float(np.int64(value).astype(np.float32))  # so does a C cast
    elif kind in (F16, BF16):
        assert got == nearest(Fraction(value), kind)


def test_an_integer_between_f32_values_is_not_rounded_through_f64():
    value = 2**60 + 2**36 + 1  # f64 drops the 1, and the tie would go to even: down
    assert round_integer(value, F32) == 2.0**60 + 2.0**37
    assert round_integer(value - 1, F32) == 2.0**60


@pytest.mark.parametrize("kind", FLOATS, ids=str)
def test_nan_infinity_and_signed_zero_stay(kind):
    assert math.isnan(round_float(math.nan, kind))
    assert round_float(-math.inf, kind) == -math.inf
    assert math.copysign(1, round_float(-0.0, kind)) == -1


@pytest.mark.parametrize("kind", FLOATS)
def test_integers_beyond_every_float_are_infinite(kind):
    assert round_integer(10**400, kind) == math.inf and round_integer(-(10**400), kind) == -math.inf
