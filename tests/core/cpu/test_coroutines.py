"""Kernels whose threads part before they meet: right answers, and reports where they never meet."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, In, InOut, Out, i32, kernel
from simt.core.errors import Index3
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread, warp


@kernel
def rounds_from_memory(x: In[i32], out: InOut[i32]):
    s = shared.array(i32, 64)
    t = thread.index_in_block()
    k = 0
    while k < out[t]:
        s[t] = x[t] + k
        block.sync()
        x_other = s[block.size() - 1 - t]
        k += 1
        block.sync()
        s[t] = x_other
    out[t] = s[t]


@pytest.mark.parametrize("shape", [(64, 1, 1), (33, 1, 1), (4, 3, 2)])
def test_barriers_in_a_loop_the_compiler_cannot_judge(shape: tuple[int, int, int]):
    size = shape[0] * shape[1] * shape[2]
    _, out = check_same(rounds_from_memory, 1, shape, (np.arange(size, dtype=np.int32), np.full(size, 5, np.int32)))
    assert (out == np.arange(size)[::-1] + 4).all()


@kernel
def votes_while_some_return(x: In[i32], out: InOut[i32]):
    t = thread.thread_idx.x
    total = 0
    for k in range(6):
        if x[t] == k:
            return
        total += block.sync_count(x[t] > 2)
        if out[t] >= 0:
            total += warp.shuffle(total, 3)
        out[t] = total


def test_threads_that_return_while_others_vote():
    x = np.array([9, 1, 7, 8, 3, 0, 5, 9], np.int32)
    check_same(votes_while_some_return, 2, 8, (x, np.zeros(8, np.int32)))


@kernel
def two_barriers(out: Out[i32]):
    t = thread.thread_idx.x
    if t < 16:
        block.sync()
    else:
        block.sync()
    out[t] = 1


def test_a_divergent_barrier_names_both_places():
    with pytest.raises(DeviceFault, match="divergent-barrier") as caught:
        two_barriers[2, 32](np.zeros(32, np.int32))
    fault = caught.value
    assert (fault.block, fault.thread, fault.count) == (Index3(0, 0, 0), Index3(0, 0, 0), 32)
    assert str(fault).count("block.sync()") == 2 and "thread (16, 0, 0)" in str(fault)


@kernel
def crossed(out: Out[i32]):
    t = thread.thread_idx.x
    if t < 16:
        block.sync()
    out[t] = warp.shuffle(t, 0)


def test_a_deadlock_names_both_places():
    with pytest.raises(DeviceFault, match="deadlock") as caught:
        crossed[1, 32](np.zeros(32, np.int32))
    assert "warp.shuffle(t, 0)" in str(caught.value) and "block.sync()" in str(caught.value)


@kernel
def failing(x: In[i32], out: InOut[i32]):
    t = thread.thread_idx.x
    if out[t] == 0:
        block.sync()
    out[t] = x[t + 30]


def test_a_failed_check_breaks_no_barrier():
    with pytest.raises(DeviceFault, match=r"index t \+ 30 = 32 is outside size 32") as caught:
        failing[1, 32](np.zeros(32, np.int32), np.zeros(32, np.int32))
    assert caught.value.count == 30 and caught.value.thread == Index3(2, 0, 0)
