"""A bounds check that fails between barriers ends the launch with one report; it neither hangs nor miscompiles."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, In, Out, i32, kernel
from simt.cuda_std import block, shared, thread


@kernel
def shift(x: In[i32], by: i32, out: Out[i32]):
    tile = shared.array(i32, 16)
    t = thread.thread_idx.x
    for turn in range(4):
        tile[t] = x[t + turn * by]
        block.sync()
        out[t] = tile[15 - t]
        block.sync()


def test_in_range():
    x, out = np.arange(64, dtype=np.int32), np.zeros(16, np.int32)
    shift[1, 16](x, 16, out)
    assert out.tolist() == list(range(63, 47, -1))


def test_out_of_range_is_reported_and_the_device_works_on():
    x, out = np.arange(64, dtype=np.int32), np.zeros(16, np.int32)
    with pytest.raises(DeviceFault) as caught:
        shift[3, 16](x, 20, out)
    assert "x[t + turn * by]" in str(caught.value) and "x[t + turn * by]" in caught.value.source_line
    assert caught.value.thread.x >= 4
    shift[1, 16](x, 1, out)
    assert out.tolist() == list(range(18, 2, -1))
