"""Which Python values a scalar parameter takes, and what it receives."""
from __future__ import annotations

import ctypes
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simt.core import scalars
from simt.core.errors import LaunchError
from simt.core.runtime.packing import record_of, scalar_leaves
from simt.core.runtime.scalar_argument import scalar_payload
from simt.core.types.scalar import (
    BF16,
    BOOL,
    C64,
    C128,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    I128,
    INTEGERS,
    U8,
    U32,
    U64,
    U128,
)


@pytest.mark.parametrize("kind", INTEGERS, ids=str)
def test_integers_are_taken_by_value_up_to_the_ends_of_the_range(kind):
    for value in (kind.minimum, kind.maximum, 0, 1):
        assert scalar_payload(value, kind, "n") == value
    for value in (kind.minimum - 1, kind.maximum + 1):
        with pytest.raises(LaunchError, match=rf"n: {value} is out of the range of {kind} \({kind.minimum} to") as e:
            scalar_payload(value, kind, "n")
        assert e.value.argument == "n"


@pytest.mark.parametrize(("value", "kind", "message"), [
    (2**33, I32, r"8589934592 is out of the range of i32 \(-2147483648 to 2147483647\)"),
    (2.5, I32, r"2.5 given, i32 expected; write int\(n\) to cut off the fraction"),
    (2.0, I64, r"2.0 given, i64 expected"),
    (True, I32, r"True given, i32 expected; write int\(n\)"),
    (True, F32, r"True given, f32 expected"),
    (1, BOOL, r"1 given, bool expected; write bool\(n\)"),
    (1.5, BOOL, r"1.5 given, bool expected"),
    (2**24 + 1, F32, r"f32 does not hold the integer 16777217 exactly; write float\(n\) to round"),
    (2**53 + 1, F64, r"f64 does not hold the integer"),
    (257, BF16, r"bf16 does not hold the integer 257"),
    (1e39, F32, r"1e\+39 is beyond the range of f32"),
    (65520.0, F16, r"65520.0 is beyond the range of f16"),
    (1j, F32, r"1j given, f32 expected; write n.real"),
    (1j, I32, r"1j given, i32 expected"),
    (np.float64(0.1), F32, r"0.1 \(float64\) given, f32 expected, which would lose precision; write f32\(n\)"),
    (scalars.f64(0.1), F32, r"0.1 \(f64\) given, f32 expected"),
    (np.float32(1.0), F16, r".*write f16\(n\)"),
    (np.complex128(1j), C64, r".*would lose precision"),
    (np.int64(300), U8, r"300 is out of the range of u8"),
    (scalars.i64(-1), U32, r"-1 is out of the range of u32"),
    ("x", F32, r"str given, f32 expected"),
    (None, I32, r"NoneType given, i32 expected"),
    (np.zeros(()), F32, r"an array of no axes given, f32 expected; write n.item\(\)"),
    (np.zeros(3), F32, r"ndarray given, f32 expected"),
])
def test_a_value_that_would_change_is_refused(value, kind, message):
    with pytest.raises(LaunchError, match=f"argument n: {message}"):
        scalar_payload(value, kind, "n")


@pytest.mark.parametrize(("value", "kind", "expected"), [
    (True, BOOL, True), (np.bool_(False), BOOL, False),
    (0.1, F32, ctypes.c_float(0.1).value), (3, F32, 3.0), (2**24, F32, 2.0**24), (math.inf, F32, math.inf),
    (np.float32(0.1), F64, float(np.float32(0.1))), (scalars.f16(0.5), F32, 0.5), (np.int8(-3), I64, -3),
    (scalars.bf16(1.5), F32, 1.5), (1, C64, 1 + 0j), (0.5, C128, 0.5 + 0j), (np.complex64(1 + 2j), C128, 1 + 2j),
    (np.uint64(2**64 - 1), U64, 2**64 - 1), (2**127 - 1, I128, 2**127 - 1), (2**128 - 1, U128, 2**128 - 1),
    (np.int16(7), F32, 7.0), (-128, I8, -128), (np.int64(5), I16, 5),
])
def test_a_value_that_the_type_holds_is_taken(value, kind, expected):
    taken = scalar_payload(value, kind, "n")
    assert taken == expected and type(taken) is type(expected)


def test_nan_stays_nan():
    assert math.isnan(scalar_payload(math.nan, F16, "n").real)


def test_objects_that_are_integers_count_as_such():
    class Count:
        def __index__(self):
            return 12

    assert scalar_payload(Count(), I32, "n") == 12


@given(st.floats(allow_nan=False))
def test_python_floats_round_once_to_nearest(value):
    with np.errstate(over="ignore"):
        nearest = float(np.float32(value))
    if math.isinf(nearest) and not math.isinf(value):
        with pytest.raises(LaunchError):
            scalar_payload(value, F32, "n")
    else:
        assert scalar_payload(value, F32, "n") == nearest


@given(st.integers(-(2**127), 2**127 - 1))
def test_128_bit_integers_pack_as_one_little_endian_number(value):
    packed = record_of((I8, I128)).pack(1, *scalar_leaves(value, I128))
    assert packed == b"\x01" + bytes(15) + value.to_bytes(16, "little", signed=True)


def test_bf16_packs_the_upper_half_of_an_f32():
    packed = record_of((BF16,)).pack(*scalar_leaves(scalar_payload(-2.5, BF16, "n"), BF16))
    assert packed == struct.pack("<f", -2.5)[2:]
