"""Arrays of more than 2**31 elements: offsets need 64 bits, and only then."""
from __future__ import annotations

import re

import numpy as np

from simt.core import D2, In, InOut, i64, kernel, u8
from simt.cuda_std import thread


@kernel
def mark(data: InOut[u8], first: i64, step: i64):
    i = first + thread.index_1d() * step
    if i < data.size:
        data[i] = 1


@kernel
def mark_row(data: InOut[u8, D2], row: i64):
    data[row, thread.index_1d()] = 2


@kernel
def copy(x: In[u8], out: InOut[u8]):
    i = thread.index_1d()
    if i < x.size:
        out[i] = x[i]


def test_elements_far_apart():
    data = np.zeros(2**31 + 100, np.uint8)  # the pages that are not touched take no memory
    mark[1, 4](data, 99, 2**29 + 1)
    expected = [99 + k * (2**29 + 1) for k in range(4)]
    assert all(data[i] == 1 for i in expected)
    mark[1, 1](data, 2**31 + 50, 1)
    assert data[2**31 + 50] == 1 and data[50] == 0


def test_a_row_far_down():
    data = np.zeros((2**16 + 1, 2**15), np.uint8)
    mark_row[1, 8](data, 2**16)
    assert data[2**16, :8].tolist() == [2] * 8 and not data[0, :8].any()


def test_small_arrays_are_addressed_in_32_bits():
    ptx = copy.compile(np.zeros(4, np.uint8), np.zeros(4, np.uint8), target="sm_80").ptx
    assert ptx is not None
    assert not re.search(r"mul\.(lo|wide)\.[su]64|mad\.lo\.s64", ptx)
