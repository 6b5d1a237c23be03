"""The block's barrier, its count and votes, and shared memory."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import D2, In, Out, f32, f64, i32, i64, kernel, u8
from simt.cuda_std import block, shared, thread
from tests.cuda_std.targets import Run, both_targets


@kernel
def reverse(x: In[i32], out: Out[i32]):
    buffer = shared.array(i32, 128)
    i = thread.index_in_block()
    buffer[i] = x[thread.linear_index()]
    block.sync()
    out[thread.linear_index()] = buffer[block.size() - 1 - i]


@kernel
def ballots(x: In[i32], limit: i32, counts: Out[i32], every: Out[bool], some: Out[bool]):
    i = thread.linear_index()
    condition = x[i] < limit
    counts[i] = block.sync_count(condition)
    every[i] = block.sync_and(condition)
    some[i] = block.sync_or(condition)


@kernel
def count_after_some_returned(counts: Out[i32]):
    i = thread.index_1d()
    if i % 4 == 3:
        return
    counts[i] = block.sync_count(i % 2 == 0)


@kernel
def two_slices(bytes_out: Out[u8], doubles_out: Out[f64]):
    small = shared.dynamic(u8, 33)
    large = shared.dynamic(f64, 33)
    i = thread.thread_idx.x
    small[i] = u8(i)
    large[i] = i * 0.5
    block.sync()
    bytes_out[i] = small[32 - i]
    doubles_out[i] = large[32 - i]


@kernel
def tile(x: In[f32, D2], out: Out[f32, D2]):
    held = shared.array(f32, (8, 9))
    col, row = thread.index_2d()
    held[row, col] = x[row, col]
    block.sync()
    out[col, row] = held[row, col]


@kernel
def numbers(sizes: Out[i32], blocks: Out[i64]):
    i = thread.linear_index()
    sizes[i] = block.size()
    blocks[i] = block.linear_index()


@both_targets
@pytest.mark.parametrize("shape", [(128, 1, 1), (16, 8, 1), (5, 3, 2), (1, 1, 1)])
def test_the_barrier_orders_shared_memory(run: Run, shape: tuple[int, int, int]) -> None:
    size = shape[0] * shape[1] * shape[2]
    x, out = np.arange(3 * size, dtype=np.int32), np.zeros(3 * size, np.int32)
    run(reverse, 3, shape, x, out)
    np.testing.assert_array_equal(out.reshape(3, size), x.reshape(3, size)[:, ::-1])


@both_targets
@pytest.mark.parametrize("limit", [0, 1, 40, 69, 70, 71])
def test_count_and_votes(run: Run, limit: int) -> None:
    x = np.random.default_rng(limit).permutation(140).astype(np.int32)
    counts, every, some = np.zeros(140, np.int32), np.zeros(140, np.bool_), np.zeros(140, np.bool_)
    run(ballots, 2, 70, x, limit, counts, every, some)
    for start in (0, 70):
        condition = x[start : start + 70] < limit
        assert set(counts[start : start + 70].tolist()) == {condition.sum()}
        assert set(every[start : start + 70].tolist()) == {bool(condition.all())}
        assert set(some[start : start + 70].tolist()) == {bool(condition.any())}


@both_targets
def test_threads_that_have_returned_do_not_count(run: Run) -> None:
    counts = np.full(40, -1, np.int32)
    run(count_after_some_returned, 1, 40, counts)
    assert counts.tolist() == [-1 if i % 4 == 3 else 20 for i in range(40)]


@both_targets
def test_slices_of_dynamic_shared_memory_do_not_overlap(run: Run) -> None:
    bytes_out, doubles_out = np.zeros(33, np.uint8), np.zeros(33)
    run(two_slices, 1, 33, bytes_out, doubles_out, shared_bytes=512)
    assert bytes_out.tolist() == list(range(32, -1, -1))
    assert doubles_out.tolist() == [i * 0.5 for i in range(32, -1, -1)]


@both_targets
def test_shared_arrays_have_axes(run: Run) -> None:
    x, out = np.random.default_rng(7).random((8, 8), dtype=np.float32), np.zeros((8, 8), np.float32)
    run(tile, 1, (8, 8), x, out)
    np.testing.assert_array_equal(out, x.T)


@both_targets
def test_sizes_and_numbers_of_blocks(run: Run) -> None:
    sizes, blocks = np.zeros(96, np.int32), np.zeros(96, np.int64)
    run(numbers, (2, 3, 2), (2, 2, 2), sizes, blocks)
    assert set(sizes.tolist()) == {8}
    assert blocks.tolist() == [i // 8 for i in range(96)]
