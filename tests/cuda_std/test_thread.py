"""Coordinates and grid-stride loops, for launches of every number of axes."""
from __future__ import annotations

import itertools

import numpy as np
import pytest

from simt.core import D2, D3, InOut, Out, i32, i64, kernel
from simt.cuda_std import thread
from tests.cuda_std.targets import Run, both_targets


@kernel
def coordinates(out: Out[i32, D2]):
    i = thread.linear_index()
    out[i, 0] = thread.thread_idx.x
    out[i, 1] = thread.thread_idx.y
    out[i, 2] = thread.thread_idx.z
    out[i, 3] = thread.block_idx.x
    out[i, 4] = thread.block_idx.y
    out[i, 5] = thread.block_idx.z
    out[i, 6] = thread.index_in_block()


@kernel
def dimensions(out: InOut[i32]):
    if thread.first():
        out[0] = thread.block_dim.x
        out[1] = thread.block_dim.y
        out[2] = thread.block_dim.z
        out[3] = thread.grid_dim.x
        out[4] = thread.grid_dim.y
        out[5] = thread.grid_dim.z
        out[6] += 1


@kernel
def places_1d(out: Out[i64]):
    i = thread.index_1d()
    out[i] = i


@kernel
def places_2d(out: Out[i64, D2]):
    col, row = thread.index_2d()
    height, width = out.shape
    if row < height and col < width:
        out[row, col] = row * 1000 + col


@kernel
def places_3d(out: Out[i64, D3]):
    x, y, z = thread.index_3d()
    depth, height, width = out.shape
    if z < depth and y < height and x < width:
        out[z, y, x] = z * 1_000_000 + y * 1000 + x


@kernel
def visits(count: i32, out: InOut[i32]):
    for i in thread.grid_stride(count):
        out[i] += 1


@kernel
def visits_2d(out: InOut[i32, D2]):
    cols, rows = thread.grid_stride_2d(out.shape[1], out.shape[0])
    for row in rows:
        for col in cols:
            out[row, col] += 1


@both_targets
def test_coordinates_and_linear_order(run: Run) -> None:
    grid, block = (3, 2, 2), (4, 3, 2)
    out = np.full((12 * 24, 7), -1, np.int32)
    run(coordinates, grid, block, out)
    blocks = list(itertools.product(range(2), range(2), range(3)))
    threads = list(itertools.product(range(2), range(3), range(4)))
    wanted = [
        [tx, ty, tz, bx, by, bz, number]
        for bz, by, bx in blocks for number, (tz, ty, tx) in enumerate(threads)
    ]
    assert out.tolist() == wanted


@both_targets
def test_dimensions_and_the_one_first_thread(run: Run) -> None:
    out = np.zeros(7, np.int32)
    run(dimensions, (5, 2, 3), (4, 2, 2), out)
    assert out.tolist() == [4, 2, 2, 5, 2, 3, 1]


@both_targets
def test_indices(run: Run) -> None:
    line, plane, cube = np.zeros(60, np.int64), np.zeros((7, 9), np.int64), np.zeros((3, 5, 7), np.int64)
    run(places_1d, 4, 15, line)
    run(places_2d, (3, 4), (4, 2), plane)
    run(places_3d, (2, 3, 2), (4, 2, 2), cube)
    assert line.tolist() == list(range(60))
    np.testing.assert_array_equal(plane, np.add.outer(np.arange(7) * 1000, np.arange(9)))
    np.testing.assert_array_equal(
        cube, np.add.outer(np.add.outer(np.arange(3) * 1_000_000, np.arange(5) * 1000), np.arange(7))
    )


@both_targets
@pytest.mark.parametrize("count", [0, 1, 5, 6, 7, 61])
def test_a_grid_stride_loop_visits_every_element_once(run: Run, count: int) -> None:
    out = np.zeros(70, np.int32)
    run(visits, 2, 3, count, out)
    assert out.tolist() == [1] * count + [0] * (70 - count)


@both_targets
def test_a_grid_stride_loop_over_two_axes(run: Run) -> None:
    out = np.zeros((11, 13), np.int32)
    run(visits_2d, (2, 2), (3, 2), out)
    assert (out == 1).all()
