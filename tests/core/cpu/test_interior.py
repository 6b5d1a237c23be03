"""Grids whose inner blocks run without guards: every element is right, at the edges too."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import D2, In, Out, i32, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import thread


@kernel
def stencil(t: In[i32, D2], out: Out[i32, D2], margin: i32):
    col, row = thread.index_2d()
    height, width = t.shape
    if row < height and col < width:
        if margin <= row < height - margin and margin <= col < width - margin:
            out[row, col] = t[row - 1, col] + t[row + 1, col] + t[row, col - 1] + t[row, col + 1]
        else:
            out[row, col] = -t[row, col]


@pytest.mark.parametrize("shape", [(1, 1), (2, 9), (17, 33), (24, 40)])
def test_stencil(shape: tuple[int, int]):
    t = np.random.default_rng(3).integers(-99, 99, shape).astype(np.int32)
    grid = (-(-shape[1] // 8), -(-shape[0] // 4))
    _, out = check_same(stencil, grid, (8, 4), (t, np.zeros(shape, np.int32), 1))
    expected = -t
    inner = t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:]
    expected[1:-1, 1:-1] = inner if min(shape) > 2 else expected[1:-1, 1:-1]
    assert (out == expected).all()


@kernel
def halves(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    if i < x.size // 2:
        out[i] = x[i]
    else:
        if i < x.size:
            out[i] = -x[i]


@pytest.mark.parametrize("size", [1, 64, 100])
def test_a_guard_with_an_else(size: int):
    x = np.arange(1, size + 1, dtype=np.int32)
    check_same(halves, -(-size // 16), 16, (x, np.zeros(size, np.int32)))
