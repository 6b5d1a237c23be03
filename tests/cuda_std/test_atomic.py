"""Atomic operations: old values, final values, many threads on one element, both memories, arrays of two axes."""
from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

from simt.core import D2, In, InOut, Out, Ptr, f32, f64, i32, i64, kernel, u32, u64
from simt.cuda_std import atomic, block, fence, shared, thread
from tests.cuda_std.targets import Run, both_targets

Word = TypeVar("Word", i32, u32, i64, u64)
Number = TypeVar("Number", i32, u32, i64, u64, f32, f64)
DTYPES = [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]


@kernel
def each_once(x: InOut[Number], value: In[Number], old: Out[Number]):
    old[0] = atomic.add(x, 0, value[0])
    old[1] = atomic.sub(x, 1, value[0])
    old[2] = atomic.min(x, 2, value[0])
    old[3] = atomic.max(x, 3, value[0])
    old[4] = atomic.exchange(x, 4, value[0])
    old[5] = atomic.compare_and_swap(x, 5, x[5], value[0])
    old[6] = atomic.compare_and_swap(x, 6, value[0], value[0])
    old[7] = atomic.load(x, 7)
    atomic.store(x, 8, value[0])


@kernel
def bitwise(x: InOut[Word], value: In[Word], old: Out[Word]):
    old[0] = atomic.and_(x, 0, value[0])
    old[1] = atomic.or_(x, 1, value[0])
    old[2] = atomic.xor(x, 2, value[0])


@kernel
def all_at_once(x: In[Number], total: InOut[Number, D2], tickets: Out[i32]):
    i = thread.index_1d()
    atomic.add(total, (0, 0), x[i])
    atomic.min(total, (0, 1), x[i])
    atomic.max(total, (1, 0), x[i])
    tickets[i] = 0
    atomic.add(total, (1, 1), 1)


@kernel
def histogram(x: In[i32], counts: InOut[u32]):
    local = shared.array(u32, 16)
    t = thread.thread_idx.x
    if t < 16:
        local[t] = 0
    block.sync()
    for i in thread.grid_stride(x.size):
        atomic.add(local, x[i] % 16, 1)
    block.sync()
    if t < 16:
        atomic.add(counts, t, local[t])


@kernel
def add_through_pointer(x: Ptr[f32], count: i32):
    atomic.add(x, thread.index_1d() % count, 0.5)


@kernel
def extremes(
    low: InOut[Number], high: InOut[Number], value: In[Number], old_low: Out[Number], old_high: Out[Number]
):
    i = thread.index_1d()
    old_low[i] = atomic.min(low, i, value[i])
    old_high[i] = atomic.max(high, i, value[i])


@kernel
def swap_bits(x: InOut[f32], expected: In[f32], old: Out[f32]):
    i = thread.index_1d()
    old[i] = atomic.compare_and_swap(x, i, expected[i], 7.0)


@kernel
def spin_lock(lock: InOut[i32], count: InOut[i32]):
    if thread.thread_idx.x == 0:
        while atomic.compare_and_swap(lock, 0, 0, 1) != 0:
            pass
        fence.device()
        count[0] += 1
        fence.device()
        atomic.exchange(lock, 0, 0)


@both_targets
@pytest.mark.parametrize("dtype", DTYPES)
def test_each_operation_gives_the_old_value(run: Run, dtype: type) -> None:
    before = np.array([10, 11, 12, 13, 14, 15, 16, 17, 18], dtype)
    x, old = before.copy(), np.zeros(8, dtype)
    run(each_once, 1, 1, x, np.array([13], dtype), old)
    assert old.tolist() == before[:8].tolist()
    with np.errstate(over="ignore"):
        assert x.tolist() == [23, (before[1] - dtype(13)).item(), 12, 13, 13, 13, 16, 17, 13]


@both_targets
@pytest.mark.parametrize("dtype", DTYPES[:4])
def test_bitwise_operations(run: Run, dtype: type) -> None:
    before = np.array([0b1100, 0b1100, 0b1100], dtype)
    x, old = before.copy(), np.zeros(3, dtype)
    run(bitwise, 1, 1, x, np.array([0b1010], dtype), old)
    assert old.tolist() == before.tolist()
    assert x.tolist() == [0b1000, 0b1110, 0b0110]


@both_targets
@pytest.mark.parametrize("dtype", DTYPES)
def test_threads_of_many_blocks_meet_in_one_element(run: Run, dtype: type) -> None:
    """64-bit integers are large, so that half of a value would show."""
    rng = np.random.default_rng(12)
    x = rng.integers(0, 1000, 256).astype(dtype)
    if np.dtype(dtype).kind in "iu" and np.dtype(dtype).itemsize == 8:
        x = x * dtype(2**40) + dtype(1)
    total = np.array([[0, x[0]], [0, 0]], dtype)
    run(all_at_once, 4, 64, x, total, np.zeros(256, np.int32))
    assert total.tolist() == [[x.sum(dtype=dtype).item(), x.min().item()], [x.max().item(), 256]]


@both_targets
def test_signed_and_unsigned_orders_differ(run: Run) -> None:
    for dtype in (np.int32, np.uint32, np.int64, np.uint64):
        width = np.dtype(dtype).itemsize * 8
        value = np.array([5, (1 << width) - 5, 1 << (width - 1)], np.uint64).astype(f"u{width // 8}").view(dtype)
        low, high = np.array([9, 9, 9], dtype), np.array([3, 3, 3], dtype)
        old_low, old_high = np.zeros(3, dtype), np.zeros(3, dtype)
        run(extremes, 1, 3, low, high, value, old_low, old_high)
        assert low.tolist() == np.minimum(value, dtype(9)).tolist()
        assert high.tolist() == np.maximum(value, dtype(3)).tolist()
        assert (old_low.tolist(), old_high.tolist()) == ([9] * 3, [3] * 3)


@both_targets
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nan_loses_and_zeros_are_equal(run: Run, dtype: type) -> None:
    nan, inf = np.nan, np.inf
    before = np.array([1, nan, -nan, nan, 0.0, -0.0, inf, -inf, 2], dtype)
    value = np.array([nan, 1, -1, nan, -0.0, 0.0, 5, 5, -3], dtype)
    low, high = before.copy(), before.copy()
    old_low, old_high = np.zeros(9, dtype), np.zeros(9, dtype)
    run(extremes, 1, 9, low, high, value, old_low, old_high)
    np.testing.assert_array_equal(low, np.array([1, 1, -1, nan, 0, 0, 5, -inf, -3], dtype))
    np.testing.assert_array_equal(high, np.array([1, 1, -1, nan, 0, 0, inf, 5, 2], dtype))
    assert np.signbit(low[4:6]).tolist() == np.signbit(high[4:6]).tolist() == [False, True]
    np.testing.assert_array_equal(old_low, before)
    np.testing.assert_array_equal(old_high, before)


@both_targets
def test_floats_are_compared_and_swapped_by_their_bits(run: Run) -> None:
    x = np.array([0.0, -0.0, np.nan, 1.5], np.float32)
    expected, old = np.array([-0.0, -0.0, np.nan, 1.5], np.float32), np.zeros(4, np.float32)
    before = x.copy()
    run(swap_bits, 1, 4, x, expected, old)
    assert old.tobytes() == before.tobytes()
    assert x.tolist() == [0.0, 7.0, 7.0, 7.0]


@both_targets
def test_histogram_in_shared_memory(run: Run) -> None:
    x = np.random.default_rng(13).integers(0, 1000, 500).astype(np.int32)
    counts = np.zeros(16, np.uint32)
    run(histogram, 3, 32, x, counts)
    np.testing.assert_array_equal(counts, np.bincount(x % 16, minlength=16))


@both_targets
def test_a_pointer_takes_an_offset(run: Run) -> None:
    x = np.zeros(5, np.float32)
    run(add_through_pointer, 2, 20, x, 4)
    assert x.tolist() == [5, 5, 5, 5, 0]


@both_targets
def test_a_lock_made_of_compare_and_swap(run: Run) -> None:
    lock, count = np.zeros(1, np.int32), np.zeros(1, np.int32)
    run(spin_lock, 50, 2, lock, count)
    assert (lock[0], count[0]) == (0, 50)
