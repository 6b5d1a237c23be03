"""Neighbouring blocks that run as one loop: every thread does its work once, and nobody can tell."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simt.core import D2, DeviceFault, In, InOut, Kernel, Out, i32, i64, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import thread, warp


@kernel
def guarded(x: In[i32], out: InOut[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] += x[i]


@kernel
def returning(x: In[i32], out: InOut[i32]):
    i = thread.index_1d()
    if i >= out.size:
        return
    out[i] += x[i]


@kernel
def narrow(x: In[i32], out: InOut[i32]):
    i = thread.block_idx.x * thread.block_dim.x + thread.thread_idx.x
    if i < out.size:
        out[i] += x[i]


@kernel
def inner(x: In[i32], out: InOut[i32]):
    i = thread.thread_idx.x + thread.block_dim.x * thread.block_idx.x
    if 2 <= i < out.size - 3 and x[i] > 0:
        out[i] += x[i]


@kernel
def half(x: In[i32], out: InOut[i32]):
    i = thread.index_1d()
    if i < out.size // 2:
        out[i] += x[i]


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("size", [0, 1, 7, 64, 1000, 5000])
@pytest.mark.parametrize("k", [guarded, returning, narrow, inner, half], ids=lambda k: k.name)
def test_each_element_once(k: Kernel[...], size: int, checks: bool):
    x = np.random.default_rng(0).integers(-9, 9, size).astype(np.int32)
    places = np.arange(size)
    writes = {"inner": (places >= 2) & (places < size - 3) & (x > 0), "half": places < size // 2}
    expected = np.where(writes.get(k.name, np.True_), x, 0)
    for grid, block in [(5, 1024), (40, 128), (5003, 1), (300, (17, 1))]:
        out = np.zeros(size, np.int32)
        k.with_options(checks=checks)[grid, block](x, out)
        assert (out == expected).all(), (grid, block)


@kernel
def own_number(out: Out[i32, D2]):
    b, t = thread.block_idx.x, thread.thread_idx.x
    out[b, t] = b * 100 + t


@kernel
def place_and_more(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = thread.block_idx.x * 100 + thread.thread_idx.x


@kernel
def lanes(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = warp.lane_id()


@kernel
def rows(out: Out[i32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = thread.block_idx.y * 1000 + thread.thread_idx.y * 100 + thread.block_dim.x + thread.grid_dim.x


@pytest.mark.parametrize(("k", "shape", "grid", "block"), [
    (own_number, (40, 24), 40, 24), (place_and_more, (960,), 40, 24), (lanes, (960,), 12, 80),
    (rows, (13, 50), (7, 4), (8, 4)),
], ids=lambda value: getattr(value, "name", None))
def test_what_tells_blocks_apart_is_right(k: Kernel[...], shape: tuple[int, ...], grid: Any, block: Any):
    check_same(k, grid, block, (np.zeros(shape, np.int32),))


def test_a_block_of_several_rows_does_everything_that_often():
    out = np.zeros(100, np.int32)
    with_rows = guarded.with_options(checks=False)
    with_rows[7, (16, 3)](np.ones(100, np.int32), out)
    assert (out == 3).all()


@pytest.mark.parametrize("missing", [1, 500, 999])
def test_a_fault_names_its_block_and_thread(missing: int):
    block, lane = divmod(1000 - missing, 8)
    with pytest.raises(DeviceFault, match=rf"block \({block}, 0, 0\), thread \({lane}, 0, 0\)"):
        guarded[125, 8](np.zeros(1000 - missing, np.int32), np.zeros(1000, np.int32))


@kernel
def picked(which: i32, out: Out[i32]):
    numbers = (3, 5, 7)
    i = thread.index_1d()
    if i < out.size:
        out[i] = numbers[which]


def test_a_check_that_nothing_proves_before_the_run():
    out = np.zeros(100, np.int32)
    picked[25, 4](2, out)
    assert (out == 7).all()
    with pytest.raises(DeviceFault, match=r"block \(0, 0, 0\), thread \(0, 0, 0\)"):
        picked[25, 4](3, out)


@kernel
def triangle(out: Out[i32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col <= row:
        out[row, col] = i32(i64(row) * 100 + col)


def test_a_guard_whose_end_differs_from_row_to_row():
    out = np.zeros((37, 37), np.int32)
    triangle[(10, 10), (4, 4)](out)
    row, col = np.indices(out.shape)
    assert (out == np.where(col <= row, row * 100 + col, 0)).all()
