"""Control flow that random programs do not write: match, else of conditions, nested returns, closures, generics."""
from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TypeVar

import numpy as np
import pytest

from simt.core import Const, In, InOut, Out, f32, f64, i32, i64, kernel, static_range, u8
from simt.core.testing.differential import check_same
from simt.cuda_std import thread

T = TypeVar("T", i32, i64, f32, f64)


class Mode(IntEnum):
    ADD = 1
    SCALE = 2
    CLEAR = 7


@kernel
def matched(modes: In[i32], out: InOut[i32]):
    i = thread.index_1d()
    match modes[i]:
        case Mode.ADD:
            out[i] += 10
        case Mode.SCALE | Mode.CLEAR if i > 3:
            out[i] *= 2
        case 5 | 6:
            out[i] = -1
        case -2:
            out[i] = -2
        case _:
            out[i] = 99


def collatz(n: i64) -> i32:
    steps = 0
    while True:
        if n == 1:
            return steps
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1


def first_divisor(n: i32) -> i32:
    for d in range(2, n):
        if d * d > n:
            break
        for _ in range(2):
            if n % d == 0:
                return d
    return n


@kernel
def searched(out: Out[i32], lengths: Out[i32]):
    i = i32(thread.index_1d())
    out[i] = first_divisor(i + 2)
    lengths[i] = collatz(i + 1)


def apply(function: Callable[[i32], i32], x: i32, times: Const[i32]) -> i32:
    for _ in static_range(times):
        x = function(x)
    return x


@kernel
def closures(shift: i32, out: Out[i32]):
    i = i32(thread.index_1d())

    def moved(x: i32) -> i32:
        return x + shift + i

    scaled = lambda x: x * 3 - i
    out[3 * i] = apply(moved, 1, 2)
    out[3 * i + 1] = apply(scaled, 2, 3)
    out[3 * i + 2] = apply(lambda x: moved(scaled(x)), i, 1)


def clamp(x: T, low: T, high: T) -> T:
    return min(max(x, low), high)


@kernel
def generic(x: In[T], n: i32, out: Out[T]):
    i = thread.index_1d()
    out[i] = clamp(x[i], -2, 5) + clamp(x[i] * 2, x.dtype(n), 100) + x.dtype(clamp(n, 0, 3))


@kernel
def conditions(x: In[i32], flags: Out[bool], out: InOut[i32]):
    i = thread.index_1d()
    v = x[i]
    flags[i] = 0 <= v < 10 != v or not v and i > 2
    out[i] = x[v] if 0 <= v < x.size and x[v] != v else -1
    if v > 100 or (v >= 0 and v < x.size and x[v] > 3):
        out[i] += 1000
    elif not (v % 3 == 0 and v != 0):
        out[i] += 2000
    else:
        pass


@kernel
def literals(n: i32, small: u8, out: Out[f64]):
    total = 0
    for k in range(n):
        total += 0.5 * k
    out[0] = total
    count = 0
    for _ in range(3):
        count = count + small
    out[1] = f64(count)
    best = -1
    for k in range(n):
        if k * k > 5:
            best = k
            break
    out[2] = best
    flag = False
    for k in range(n):
        flag = flag or k == 3
    out[3] = f64(flag)
    a, b = 1, 2
    for _ in range(n):
        a, b = b, a + b
    out[4] = a
    x = y = i64(n) << 33
    out[5] = f64(x + y)


def test_match():
    modes = np.array([1, 2, 5, 7, 7, 2, 6, -2, 0], np.int32)
    _, out = check_same(matched, 9, 1, (modes, np.arange(9, dtype=np.int32)))
    assert out.tolist() == [10, 99, -1, 99, 8, 10, -1, -2, 99]


def test_returns_from_loops():
    out, lengths = check_same(searched, 1, 30, (np.zeros(30, np.int32), np.zeros(30, np.int32)))
    assert out.tolist() == [next(d for d in range(2, n + 1) if n % d == 0) for n in range(2, 32)]
    assert lengths[26] == 111


def test_functions_as_arguments():
    check_same(closures, 1, 4, (5, np.zeros(12, np.int32)))


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_generics(dtype):
    x = np.arange(-5, 7).astype(dtype)
    check_same(generic, 1, 12, (x, 1, np.zeros(12, dtype)))


def test_conditions():
    x = np.array([0, 3, -1, 9, 100, 101, 5, 2], np.int32)
    check_same(conditions, 1, 8, (x, np.zeros(8, bool), np.zeros(8, np.int32)))


@pytest.mark.parametrize("n", [0, 1, 5])
def test_literals_in_locals(n: int):
    check_same(literals, 1, 1, (n, 200, np.zeros(6)))


OFFSETS = (3, -1, 70000, 8)
WEIGHTS = (1, 2.5, 4, 0.1)
TABLE = np.array([[1, -2, 3], [40, 50, 60]], np.int16)


@kernel
def captured(x: In[u8], out: Out[i64], real: Out[f64], total: InOut[i64]):
    i = thread.index_1d()
    out[i] = OFFSETS[i] + x[i] + OFFSETS[0] + len(OFFSETS)
    real[i] = WEIGHTS[i] * x[i] + WEIGHTS[3]
    out[i] = TABLE[i % 2, i % 3] + TABLE[1, 2] + OFFSETS[i]
    for value in x:
        total[i] += value
    for k in range(2):
        total[i] += TABLE[k, i % 3]
    for offset in OFFSETS:
        total[i] += offset


def test_captured_tables():
    x = np.array([1, 200, 255, 7], np.uint8)
    check_same(captured, 1, 4, (x, np.zeros(4, np.int64), np.zeros(4), np.zeros(4, np.int64)))
