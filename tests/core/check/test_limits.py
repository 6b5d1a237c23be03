"""Compile-time computation has limits, and says so before it starts."""
from __future__ import annotations

import time

import numpy as np
import pytest

from simt.core import CompileError, Out, f32, i32, kernel, static_range


@kernel
def huge_shift(out: Out[i32]):
    out[0] = (1 << 100_000_000_000) >> 99_999_999_999


@kernel
def huge_power(out: Out[i32]):
    out[0] = 7**1_000_000_000 % 10


@kernel
def endless_unrolling(out: Out[f32]):
    for k in static_range(10**30):
        out[k] = 1.0


@kernel
def long_literals(out: Out[i32]):
    out[0] = (2**4000 % 1000) + (1 << 3999) % 7


@pytest.mark.parametrize(
    ("subject", "dtype", "code"),
    [(huge_shift, np.int32, "constant-evaluation"), (huge_power, np.int32, "constant-evaluation"),
     (endless_unrolling, np.float32, "unrolled-too-often")],
    ids=["shift", "power", "unrolling"],
)
def test_refused_at_once(subject: object, dtype: type, code: str):
    began = time.perf_counter()
    with pytest.raises(CompileError) as caught:
        subject[1, 1](np.zeros(4, dtype))  # pyright: ignore[reportIndexIssue] -- kernels of different signatures
    assert [d.code for d in caught.value.diagnostics] == [code]
    assert time.perf_counter() - began < 5


def test_long_literals_are_computed():
    out = np.zeros(1, np.int32)
    long_literals[1, 1](out)
    assert out[0] == 2**4000 % 1000 + (1 << 3999) % 7


@pytest.mark.parametrize(("start", "stop", "step"), [(0, 5, 2), (5, 0, -2), (3, 3, 1), (5, 0, 1), (0, 6, 3)])
def test_unrolled_rounds_match_python(start: int, stop: int, step: int):
    @kernel
    def count(out: Out[i32]):
        total = 0
        for k in static_range(start, stop, step):
            total += k + 100
        out[0] = total

    out = np.zeros(1, np.int32)
    count[1, 1](out)
    assert out[0] == sum(k + 100 for k in range(start, stop, step))
