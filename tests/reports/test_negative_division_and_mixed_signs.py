"""``//`` and ``%`` of negative numbers, comparisons across signedness, and bools as numbers."""
from __future__ import annotations

import numpy as np

from simt.core import In, Out, i8, i32, i64, kernel, u32
from simt.core.testing.differential import check_same
from simt.cuda_std import thread

VALUES = (-7, -6, -1, 0, 1, 6, 7, 2**31 - 1, -(2**31))
DIVISORS = (-3, -2, -1, 1, 2, 3, 7)


@kernel
def divide(a: In[i32], b: In[i32], quotient: Out[i32], rest: Out[i32]):
    i = thread.index_1d()
    quotient[i] = a[i] // b[i]
    rest[i] = a[i] % b[i]


@kernel
def divide_by_constants(a: In[i32], out: Out[i32]):
    i = thread.index_1d()
    out[6 * i] = a[i] // 4
    out[6 * i + 1] = a[i] % 4
    out[6 * i + 2] = a[i] // -4
    out[6 * i + 3] = a[i] % -4
    out[6 * i + 4] = a[i] // 7
    out[6 * i + 5] = a[i] % -7


@kernel
def compare(a: In[i32], b: In[u32], less: Out[bool], equal: Out[bool]):
    i = thread.index_1d()
    less[i] = a[i] < b[i]
    equal[i] = a[i] == b[i]


@kernel
def bools(flags: In[bool], out: Out[i64]):
    i = thread.index_1d()
    flag, other = flags[i], flags[i + 1]
    out[0] = i64(flag)
    out[1] = i8(flag) - 1
    out[2] = flag + other
    out[3] = i64(flag < other)
    out[4] = i64(flag > other)
    out[5] = -i32(flag)
    out[6] = 10 * flag


def test_floor_division():
    pairs = [(a, b) for a in VALUES for b in DIVISORS]
    a, b = (np.array(column, np.int32) for column in zip(*pairs, strict=True))
    zeros = np.zeros(len(pairs), np.int32)
    *_, quotient, rest = check_same(divide, len(pairs), 1, (a, b, zeros, zeros))
    for (x, y), q, r in zip(pairs, quotient.tolist(), rest.tolist(), strict=True):
        assert q == (x // y + 2**31) % 2**32 - 2**31 and r == x % y


def test_floor_division_by_constants():
    a = np.array(VALUES, np.int32)
    _, out = check_same(divide_by_constants, len(a), 1, (a, np.zeros(6 * len(a), np.int32)))
    for x, row in zip(VALUES, out.reshape(-1, 6).tolist(), strict=True):
        assert row == [x // 4, x % 4, x // -4, x % -4, x // 7, x % -7]


def test_comparisons_are_those_of_the_numbers():
    a = np.array([-1, 0, 5, -(2**31), 2**31 - 1], np.int32)
    b = np.array([2**32 - 1, 0, 4, 2**31, 2**31], np.uint32)
    *_, less, equal = check_same(compare, 5, 1, (a, b, np.zeros(5, bool), np.zeros(5, bool)))
    assert less.tolist() == [True, False, False, True, True]
    assert equal.tolist() == [False, True, False, False, False]


def test_bools_count_0_and_1():
    for flag, other in ((False, False), (False, True), (True, False), (True, True)):
        flags = np.array([flag, other])
        out = np.zeros(7, np.int64)
        bools[1, 1](flags, out)
        expected = [int(flag), int(flag) - 1, flag + other, int(flag < other), int(flag > other), -int(flag), 10 * flag]
        assert out.tolist() == expected
