"""Float values against NumPy, which computes in the same formats."""
import math
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simt.core.scalars import bf16, c64, c128, f16, f32, f64, i32, i64, i128, u8, u32, u64
from simt.core.types.scalar import BF16
from simt.core.values.rounding import round_float

NUMPY = {f16: np.float16, f32: np.float32, f64: np.float64}
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod]
FUNCTIONS = [np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder]


def values(width: int):
    edge = [0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 3.0, math.inf, -math.inf, math.nan, 1e-8, 6e-8, 1e-45, 65504.0, 65520.0,
            3.4028234663852886e38, 1.7976931348623157e308, 5e-324]
    floats = st.floats(width=width) if width in (16, 32, 64) else st.floats(width=32)
    return st.sampled_from(edge) | floats


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


@pytest.mark.parametrize("cls, width", [(f16, 16), (f32, 32), (f64, 64)], ids=["f16", "f32", "f64"])
@given(data=st.data())
def test_as_numpy_computes(cls, width, data):
    with np.errstate(all="ignore"):
        a, b = (NUMPY[cls](data.draw(values(width))) for _ in range(2))
        for op, function in zip(OPERATORS, FUNCTIONS, strict=True):
            result = op(cls(a), cls(b))
            assert type(result) is cls
            assert same(float(result), float(function(a, b))), (op, a, b)


@given(values(32), values(32))
def test_bf16_is_f32_rounded_once(a, b):
    x, y = bf16(a), bf16(b)
    with np.errstate(all="ignore"):
        for op, function in list(zip(OPERATORS, FUNCTIONS, strict=True))[:4]:
            exact = float(function(np.float32(float(x)), np.float32(float(y))))
            assert same(float(op(x, y)), round_float(exact, BF16))


@given(values(64), values(64))
def test_comparisons(a, b):
    with np.errstate(over="ignore"):
        pairs = [(f64(a), f64(b), a, b), (f32(a), f32(b), np.float32(a), np.float32(b))]
    for x, y, p, q in pairs:
        assert [x < y, x <= y, x == y, x != y, x >= y, x > y] == [p < q, p <= q, p == q, p != q, p >= q, p > q]


@given(values(64))
def test_unary(a):
    x = f64(a)
    assert same(float(-x), -a) and same(float(abs(x)), abs(a)) and same(float(+x), a)
    assert bool(x) == bool(a)


@pytest.mark.parametrize("make, kind", [
    (lambda: f16(1) + bf16(1), "f32"), (lambda: f16(1) + f32(1), "f32"), (lambda: f32(1) + f64(1), "f64"),
    (lambda: f32(1) * i64(3), "f32"), (lambda: u64(3) / f16(2), "f16"), (lambda: i32(1) + 0.5, "f32"),
    (lambda: i128(1) * 0.5, "f32"), (lambda: 1 / f64(3), "f64"), (lambda: f16(1) + 1, "f16"),
    (lambda: True + f32(1), "f32"),
    (lambda: i32(1) + np.float64(2), "f64"), (lambda: c64(1) + f64(1), "c128"), (lambda: f32(1) + 1j, "c64"),
    (lambda: f64(1) * 1j, "c128"), (lambda: c64(1) + 1.5, "c64"), (lambda: i64(1) + c64(1), "c64"),
    (lambda: i32(2) * 1j, "c64"),
])
def test_meeting_types(make, kind):
    assert make().scalar_type.name == kind


def test_an_integer_is_rounded_before_it_meets_a_float():
    assert float(f32(1) + i32(2**24 + 1)) == float(np.float32(1) + np.float32(2**24))
    assert f32(2**24) == i32(2**24 + 1)
    assert f64(2**24) != i32(2**24 + 1)


@given(values(64))
def test_to_integer_truncates_and_saturates(value):
    for cls in (u8, i32, u32, i64, u64, i128):
        kind = cls.scalar_type
        got = int(cls(value))
        if math.isnan(value):
            assert got == 0
        elif value <= kind.minimum:
            assert got == kind.minimum
        elif value >= kind.maximum:
            assert got == kind.maximum
        else:
            assert got == math.trunc(value)


def test_bool_of_nan_is_true():
    assert bool(f32(math.nan)) and not bool(f32(-0.0))


@given(values(32), st.integers(0, 64))
def test_powers_are_repeated_products(a, exponent):
    with np.errstate(all="ignore"):
        base = np.float32(a)
        expected = np.float32(1)
        for bit in bin(exponent)[2:]:
            expected = expected * expected * (base if bit == "1" else np.float32(1))
        got = float(f32(base) ** exponent)
    assert same(got, float(expected)) or math.isnan(a)


def test_powers_of_floats():
    assert float(f32(2) ** 0.5) == float(np.float32(math.sqrt(2))) and float(2 ** f64(-3)) == 0.125
    assert float(f16(3) ** f16(2)) == 9.0 and float(f32(2) ** i32(-1)) == 0.5
    assert math.isnan(float(f64(-1) ** 0.5)) and float(f64(0) ** -1.0) == math.inf
    assert (f16(2) ** bf16(2)).scalar_type.name == "f32"


def test_literals_are_exact_until_they_meet_a_type():
    assert float(f64(1) * 0.1) == 0.1
    assert float(f32(1) * 0.1) == float(np.float32(0.1))
    assert float(f16(1) * 0.1) == float(np.float16(0.1))
    assert f32(0.1) == 0.1 and f32(0.1) != f64(0.1)


@pytest.mark.parametrize("make, text", [
    (lambda: f32(1) & 1, "no operator &"),
    (lambda: ~f32(1), "no operator ~"), (lambda: c64(1) ** 0.5, "literal exponent"),
    (lambda: f16(1) + 65520, "beyond the range of f16"), (lambda: f32(1) + 1e39, "beyond the range of f32"),
    (lambda: f32(1) << 1, "takes integers"), (lambda: u8(1) + 256, "does not fit u8"),
    (lambda: u8(1) - -1, "does not fit u8"),
    (lambda: c64(1) < c64(2), "no order"), (lambda: c64(1) // c64(2), "no operator //"), (lambda: f32(c64(1)), "abs()"),
])
def test_refused(make, text):
    with pytest.raises(TypeError, match=text):
        make()


def test_an_infinite_literal_fits_every_float():
    assert float(f16(1) * math.inf) == math.inf


@given(st.complex_numbers(allow_nan=False, allow_infinity=False, max_magnitude=1e6),
       st.complex_numbers(allow_nan=False, allow_infinity=False, max_magnitude=1e6, min_magnitude=1e-3))
def test_complex(a, b):
    x, y = c128(a), c128(b)
    assert complex(x + y) == a + b and complex(x - y) == a - b and complex(-x) == -a and x == a
    assert abs(complex(x * y) - a * b) <= 1e-15 * abs(a) * abs(b) * 4
    assert abs(complex(x / y) - a / b) <= 1e-15 * abs(a / b) * 8 + 1e-300
    z = c64(a)
    assert float(z.real) == float(np.float32(a.real)) and float(z.imag) == float(np.float32(a.imag))
    assert z.real.scalar_type.name == "f32" and complex(z.conjugate()) == complex(z).conjugate()
    assert abs(float(abs(x)) - abs(a)) <= 1e-15 * abs(a)


def test_representation():
    assert repr(f32(0.1)) == "f32(0.1)" and repr(bf16(0.1)) == "bf16(0.10009765625)" and str(i64(-3)) == "-3"
    assert f"{f32(1.25):.1f}" == "1.2" and f"{f32(2)}" == "2.0"


def test_numpy_takes_the_values():
    assert (np.ones(2, np.float32) * f32(2)).dtype == np.float32
    assert np.asarray(u64(2**64 - 1)) == 2**64 - 1
    assert bf16.numpy_dtype.itemsize == 2 and i128.numpy_dtype.itemsize == 16
    assert np.asarray(i128(-1))["high"] == -1
