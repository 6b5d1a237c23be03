"""Threads that work together: barriers, warps, shared memory and atomics, in regular and irregular control flow."""
from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

from simt.core import D3, DisjointOut, In, InOut, Out, f32, f64, i32, i64, kernel, u32, u64
from simt.core.testing.differential import check_same
from simt.cuda_std import atomic, block, shared, thread, warp

T = TypeVar("T", i32, u32, i64, u64, f32, f64)


@kernel
def scan(x: In[i32], out: Out[i32]):
    """Inclusive scan of a block: shuffles in the warps, then shared memory."""
    sums = shared.array(i32, 32)
    t = thread.thread_idx.x
    lane, which = warp.lane_id(), warp.warp_id()
    value = x[t]
    for k in range(5):
        below = warp.shuffle_up(value, 1 << k)
        if lane >= 1 << k:
            value += below
    if lane == 31:
        sums[which] = value
    block.sync()
    if which == 0:
        total = sums[lane] if lane < thread.block_dim.x // 32 else 0
        for k in range(5):
            below = warp.shuffle_up(total, 1 << k)
            if lane >= 1 << k:
                total += below
        sums[lane] = total
    block.sync()
    out[t] = value + (sums[which - 1] if which > 0 else 0)


@kernel
def votes(x: In[i32], counts: Out[i32], flags: Out[bool]):
    t = thread.index_in_block()
    n = 0
    for turn in range(3):
        c = block.sync_count(x[t] > turn)
        n = n * 100 + c
    counts[t] = n
    every = block.sync_and(x[t] < 9)
    some = block.sync_or(x[t] == 4)
    flags[t] = every and not some or warp.uniform(t // 32 == 0)


@kernel
def divergent(x: In[i32], out: InOut[i32]):
    """Half warps shuffle among themselves, with trip counts that differ between warps."""
    t = thread.thread_idx.x
    lane = warp.lane_id()
    value = x[t]
    if lane < 16:
        for k in range(t // 32 + 1):
            value += warp.shuffle_xor(value, 1, 16, 0x0000FFFF) * (k + 1)
    else:
        turns = 0
        while turns < 2:
            value -= warp.shuffle_down(value, 2, 32, 0xFFFF0000)
            turns += 1
        if warp.any(value > 3, 0xFFFF0000):
            value *= 2
    warp.sync()
    mask = warp.ballot(value % 2 == 0)
    out[t] = value + i32(mask >> 28)
    if lane % 2 == 0:
        members = warp.match_any(x[t] % 3, 0x55555555)
        out[t] += i32(members & 0xFF)


@kernel
def uneven(n: In[i32], out: Out[i32]):
    """Every thread of the block reaches the barriers as often as the block's longest thread needs."""
    tile = shared.array(i32, 32)
    t = thread.thread_idx.x
    tile[t] = 0
    block.sync()
    turn = 0
    while block.sync_or(turn < n[t]):
        if turn < n[t]:
            tile[(t + turn) % 32] += t
        turn += 1
        block.sync()
    out[t] = tile[t] + turn * 1000


@kernel
def leaving(limit: i32, out: InOut[i32]):
    tile = shared.array(i32, 8)
    t = thread.thread_idx.x
    for turn in range(4):
        if t >= limit - turn:
            return
        tile[t] = t * 10 + turn
        block.sync()
        out[t] += tile[limit - turn - 1 - t]
        block.sync()


@kernel
def two_slices(n: i32, out: Out[f64]):
    first = shared.dynamic(i32, n)
    second = shared.dynamic(f64, n)
    t = thread.thread_idx.x
    first[t] = t
    second[t] = f64(t) / 4
    block.sync()
    out[t] = first[n - 1 - t] + second[(t + 1) % n]


@kernel
def atomics(values: In[T], cells: InOut[T], olds: Out[T]):
    t = thread.index_1d()
    olds[t] = atomic.add(cells, t % 2, values[t])
    atomic.max(cells, 2, values[t])
    atomic.min(cells, 3, values[t])
    atomic.exchange(cells, 4 + t, values[t])
    if t == 0:
        atomic.compare_and_swap(cells, 6, cells[6], cells.dtype(5))


@kernel
def bitwise(values: In[u32], cells: InOut[u32]):
    t = thread.index_1d()
    atomic.and_(cells, 0, values[t])
    atomic.or_(cells, 1, values[t])
    atomic.xor(cells, 2, values[t])


@kernel
def coordinates(out: Out[i64, D3], linear: DisjointOut[i64]):
    x, y, z = thread.index_3d()
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = x + 100 * y + 10000 * z + 1000000 * block.linear_index()
    linear[thread.linear_index()] = thread.index_in_block() + 1000 * block.size()


@kernel
def strided_sum(x: In[f32], out: Out[f64]):
    total = f64(0)
    for i in thread.grid_stride(x.size):
        total += x[i]
    out[thread.index_1d()] = total


@pytest.mark.parametrize("threads", [32, 96])
def test_scan(threads: int):
    x = np.arange(threads, dtype=np.int32) % 7 - 2
    _, out = check_same(scan, 1, threads, (x, np.zeros(threads, np.int32)))
    assert out.tolist() == np.cumsum(x).tolist()


@pytest.mark.parametrize("block_dim", [20, 64, (5, 4, 3)])
def test_votes(block_dim):
    n = int(np.prod(block_dim))
    x = np.arange(n, dtype=np.int32) % 5
    check_same(votes, 1, block_dim, (x, np.zeros(n, np.int32), np.zeros(n, bool)))


def test_divergent_warps():
    x = np.arange(64, dtype=np.int32) * 3 % 11
    check_same(divergent, 1, 64, (x, np.zeros(64, np.int32)))


def test_loops_that_the_longest_thread_ends():
    check_same(uneven, 1, 32, (np.arange(32, dtype=np.int32) % 5, np.zeros(32, np.int32)))


def test_threads_that_leave_between_barriers():
    check_same(leaving, 1, 8, (7, np.zeros(8, np.int32)))


def test_slices_of_dynamic_shared_memory():
    check_same(two_slices, 1, 5, (5, np.zeros(5)), shared_bytes=32 + 40)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64])
def test_atomics_in_one_thread(dtype):
    """One thread, so that the order of updates is the same."""
    cells = np.arange(8).astype(dtype)
    check_same(atomics, 1, 1, (np.array([9], dtype), cells, np.zeros(1, dtype)))


def test_bitwise_atomics():
    values = np.array([0xF0F0, 0xFF00, 0xABCD, 7], np.uint32)
    cells = np.array([0xFFFFFFFF, 0, 0x1234], np.uint32)
    _, cells = check_same(bitwise, 2, 2, (values, cells))
    assert cells.tolist() == [np.bitwise_and.reduce(values), np.bitwise_or.reduce(values),
                              0x1234 ^ np.bitwise_xor.reduce(values)]


def test_coordinates():
    check_same(coordinates, (2, 1, 2), (3, 2, 1), (np.zeros((2, 2, 5), np.int64), np.zeros(24, np.int64)))


def test_grid_stride():
    x = np.random.default_rng(0).random(50, dtype=np.float32)
    check_same(strided_sum, 2, 6, (x, np.zeros(12)))
