"""Warp operations against the kernel's own Python: partial warps, masks, warps that go different ways."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, In, InOut, Out, f32, i32, kernel
from simt.core.cpu.regions import NotUniform, build_schedule
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread, warp
from tests.core.cpu.checked import checked

THREADS = [1, 20, 32, 64, 100]


def numbers(count: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.random.default_rng(count).integers(-5, 6, count).astype(np.int32)


@kernel
def scan(x: In[i32], out: Out[i32]):
    t = thread.thread_idx.x
    value = x[t]
    for distance in (1, 2, 4, 8, 16):
        before = warp.shuffle_up(value, distance)
        if warp.lane_id() >= distance:
            value += before
    out[t] = value


@pytest.mark.parametrize("threads", THREADS)
def test_scan(threads: int):
    x = numbers(threads)
    _, out = check_same(scan, 1, threads, (x, np.zeros(threads, np.int32)))
    expected = np.concatenate([np.cumsum(x[first : first + 32]) for first in range(0, threads, 32)])
    assert (out == expected).all()


@kernel
def by_warp(x: In[i32], out: Out[i32]):
    number = warp.warp_id()
    t = thread.thread_idx.x
    value = x[t]
    rounds = 0
    while rounds < number:
        value = warp.shuffle_xor(value, 1) + 1
        rounds += 1
    block.sync()
    if number == 1:
        value += warp.shuffle(value, 0)
    out[t] = value


def test_warps_with_different_numbers_of_rounds():
    check_same(by_warp, 1, 96, (numbers(96), np.zeros(96, np.int32)))


@kernel
def sum_of_block(x: In[f32], out: InOut[f32]):
    partial = shared.array(f32, 32)
    value = x[thread.index_1d()]
    for offset in (16, 8, 4, 2, 1):
        value += warp.shuffle_down(value, offset)
    if warp.lane_id() == 0:
        partial[warp.warp_id()] = value
    block.sync()
    if warp.warp_id() == 0:
        lane = warp.lane_id()
        value = partial[lane] if lane < block.size() // 32 else f32(0)
        for offset in (16, 8, 4, 2, 1):
            value += warp.shuffle_down(value, offset)
        if lane == 0:
            out[thread.block_idx.x] = value


def test_sum_of_a_block():
    x = np.random.default_rng(1).random(3 * 128, dtype=np.float32)
    _, out = check_same(sum_of_block, 3, 128, (x, np.zeros(3, np.float32)))
    assert np.allclose(out, x.reshape(3, 128).sum(axis=1))


@kernel
def some_lanes(x: In[i32], out: InOut[i32]):
    t = thread.thread_idx.x
    if t < 20:
        out[t] = warp.shuffle(x[t], 3, 32, 0xFFFFF)
    if t % 2 == 0:
        value = x[t]
        for _ in range(3):
            value += warp.shuffle_xor(value, 2, 32, 0x55555555)
        out[t] += value


def test_partial_masks_in_divergent_code():
    check_same(some_lanes, 2, 32, (numbers(32), np.zeros(32, np.int32)))


@kernel
def groups(x: In[i32], out: Out[i32]):
    t = thread.thread_idx.x
    same = warp.match_any(x[t])
    out[t] = i32(warp.ballot(x[t] > 0) & same)


@pytest.mark.parametrize("threads", THREADS)
def test_matching_lanes(threads: int):
    x = numbers(threads)
    _, out = check_same(groups, 1, threads, (x, np.zeros(threads, np.int32)))
    for t in range(threads):
        first = t - t % 32
        lanes = range(first, min(first + 32, threads))
        assert np.uint32(out[t]) == sum(1 << (lane - first) for lane in lanes if x[lane] == x[t] and x[lane] > 0)


@kernel
def outsider(x: In[i32], out: Out[i32]):
    t = thread.thread_idx.x
    out[t] = warp.shuffle(x[t], 0, 32, 0xFFFF)


def test_a_caller_outside_its_mask():
    with pytest.raises(DeviceFault, match=r"divergent-barrier.*\n(.*\n)*.*lane 16 .* members 0xffff") as caught:
        outsider[1, 32](numbers(32), np.zeros(32, np.int32))
    assert caught.value.count == 16 and caught.value.values == {"members": 0xFFFF, "lane": 16}


def paired(value: i32, number: i32) -> i32:
    """Whole warps leave early, behind a barrier and before lanes meet."""
    block.sync()
    if number == 1:
        return value
    value += warp.shuffle_xor(value, 1)
    return value + warp.shuffle(value, 4)


@kernel
def early_warps(x: In[i32], out: Out[i32]):
    t = thread.thread_idx.x
    number = warp.warp_id()
    value = paired(x[t], number)
    for k in range(3):
        block.sync()
        if number == k:
            continue
        value += warp.shuffle_down(value, 1)
    out[t] = value


def test_warps_that_leave_early():
    assert not isinstance(build_schedule(checked(early_warps, numbers(96), numbers(96))), NotUniform)
    check_same(early_warps, 2, 96, (numbers(96), np.zeros(96, np.int32)))


@kernel
def uniform_exits(x: In[i32], out: Out[i32], n: i32):
    s = shared.array(i32, 64)
    t = thread.thread_idx.x
    s[t] = x[t]
    total = 0
    k = 0
    while True:
        block.sync()
        if k >= n:
            break
        total += s[(t + k) % 64]
        if s[k] == 3:
            k += 2
            continue
        k += 1
        total = warp.shuffle_xor(total, 1)
    out[t] = total + k


@pytest.mark.parametrize("n", [0, 1, 7])
def test_a_loop_left_in_the_middle(n: int):
    check_same(uniform_exits, 1, 64, (numbers(64), np.zeros(64, np.int32), n))
