"""Race mode: both accesses are named, and nothing that is ordered is reported."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, In, InOut, Out, i32, kernel
from simt.core.errors import Index3
from simt.cuda_std import atomic, block, fence, shared, thread, warp


@kernel
def pairs(out: Out[i32]):
    out[thread.index_1d() // 2] = 1


def test_two_writes_to_global_memory():
    with pytest.raises(DeviceFault, match="race") as caught:
        pairs.with_options(race=True)[1, 64](np.zeros(32, np.int32))
    assert caught.value.thread == Index3(1, 0, 0) and "thread (0, 0, 0)" in str(caught.value)


@kernel
def across_blocks(out: InOut[i32]):
    i = thread.index_1d()
    out[i] = 1
    if i == 0:
        out[70] = 3


def test_two_blocks():
    with pytest.raises(DeviceFault) as caught:
        across_blocks.with_options(race=True)[2, 64](np.zeros(128, np.int32))
    fault = caught.value
    assert (fault.block, fault.thread) == (Index3(1, 0, 0), Index3(6, 0, 0)) and "out[70] = 3" in str(fault)


@kernel
def reverse(x: In[i32], out: Out[i32], careful: bool):
    line = shared.array(i32, 64)
    t = thread.thread_idx.x
    line[t] = x[t]
    if careful:
        block.sync()
    out[t + 64 * thread.block_idx.x] = line[63 - t]


def test_a_missing_barrier():
    x, out = np.arange(64, dtype=np.int32), np.zeros(256, np.int32)
    with pytest.raises(DeviceFault, match=r"line\[63 - t\]"):
        reverse.with_options(race=True)[1, 64](x, out, False)
    reverse.with_options(race=True)[4, 64](x, out, True)
    assert (out.reshape(4, 64) == x[::-1]).all()


@kernel
def ordered(x: In[i32], out: InOut[i32], last: InOut[i32]):
    s = shared.array(i32, 64)
    t = thread.thread_idx.x
    s[t] = x[t]
    warp.sync()
    value = s[t ^ 1]
    block.sync()
    s[63 - t] = value
    block.sync()
    atomic.add(out, 0, s[t])
    if t == 0:
        out[1 + thread.block_idx.x] = value
        fence.device()
        if atomic.add(last, 0, 1) == thread.grid_dim.x - 1:
            total = 0
            for k in range(thread.grid_dim.x):
                total += out[1 + k]
            last[1] = total


def test_what_barriers_atomics_and_fences_order():
    x, out, last = np.arange(64, dtype=np.int32), np.zeros(4, np.int32), np.zeros(2, np.int32)
    ordered.with_options(race=True)[3, 64](x, out, last)
    assert out.tolist() == [3 * int(x.sum()), 1, 1, 1] and last.tolist() == [3, 3]
