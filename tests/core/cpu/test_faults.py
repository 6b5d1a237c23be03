"""What a fault says, that it does not depend on timing, and that the device goes on afterwards."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import D2, DeviceFault, In, InOut, Out, f32, i32, kernel
from simt.core.errors import Index3
from simt.cuda_std import block, shared, thread


@kernel
def shifted(x: In[f32], out: Out[f32], shift: i32):
    i = thread.index_1d()
    if i < out.size:
        out[i] = x[i + shift]


def test_values_line_and_count():
    x, out = np.ones(1000, np.float32), np.zeros(1000, np.float32)
    with pytest.raises(DeviceFault) as caught:
        shifted[1, 1000](x, out, 10)
    fault = caught.value
    assert fault.kernel == "shifted" and fault.count == 10 and fault.thread == Index3(990, 0, 0)
    assert fault.values == {"i + shift": 1000, "size": 1000} and fault.source_line == "out[i] = x[i + shift]"
    shifted[1, 1000](x, out, 0)
    assert out.sum() == 1000


@pytest.mark.parametrize("repeat", range(5))
def test_the_lowest_block_is_reported(repeat: int):
    x, out = np.ones(100_000, np.float32), np.zeros(100_000, np.float32)
    with pytest.raises(DeviceFault) as caught:
        shifted[1000, 100](x, out, 50_030)
    assert (caught.value.block, caught.value.thread) == (Index3(499, 0, 0), Index3(70, 0, 0))


def test_a_negative_index():
    with pytest.raises(DeviceFault, match=r"index i \+ shift = -3 is outside size 10"):
        shifted[1, 32](np.ones(10, np.float32), np.zeros(10, np.float32), -3)


@kernel
def plane(x: In[f32, D2], out: Out[f32, D2]):
    col, row = thread.index_2d()
    out[row, col] = x[row, col]


def test_coordinates_of_blocks_and_threads():
    x = np.ones((20, 30), np.float32)
    with pytest.raises(DeviceFault, match=r"index col = 30 is outside shape\[1\] 30") as caught:
        plane[(4, 3), (8, 8)](x, x.copy())
    assert caught.value.block == Index3(3, 0, 0) and caught.value.thread == Index3(6, 0, 0)


@kernel
def divides(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    out[i] = 100 // x[i]


def test_division_by_zero():
    with pytest.raises(DeviceFault, match="division-by-zero") as caught:
        divides[1, 8](np.array([1, 2, 0, 4, 0, 6, 7, 8], np.int32), np.zeros(8, np.int32))
    assert caught.value.count == 2 and caught.value.values["x[i]"] == 0 and "`x[i]` is 0" in str(caught.value)


@kernel
def asserts(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    assert x[i] < 5, f"x is {x[i]:>4}, at {i}"
    out[i] = x[i]


def test_an_assertion_with_values():
    with pytest.raises(DeviceFault, match="x is    7, at 3"):
        asserts[1, 8](np.array([1, 2, 0, 7, 0, 6, 4, 3], np.int32), np.zeros(8, np.int32))


@kernel
def forgets(out: InOut[i32], missing: i32):
    s = shared.array(i32, 64)
    t = thread.thread_idx.x
    if t != missing:
        s[t] = t
    block.sync()
    out[t] = s[63 - t]


def test_reading_shared_memory_that_nobody_wrote():
    out = np.zeros(64, np.int32)
    forgets[3, 64](out, -1)
    assert (out == np.arange(64)[::-1]).all()
    with pytest.raises(DeviceFault, match="uninitialised-shared-read") as caught:
        forgets[3, 64](out, 5)
    assert caught.value.thread == Index3(58, 0, 0) and caught.value.count >= 1


def test_without_checks_nothing_is_reported():
    divided = shifted.with_options(checks=False)
    out = np.zeros(16, np.float32)
    divided[1, 32](np.arange(32, dtype=np.float32)[:20].copy(), out, 2)
    assert (out == np.arange(2, 18)).all()


def test_help_has_the_names_of_the_kernel():
    with pytest.raises(DeviceFault, match=r"= help: test the index first: `if 0 <= i \+ shift < x.size:`"):
        shifted[1, 32](np.ones(10, np.float32), np.zeros(10, np.float32), 5)
    with pytest.raises(DeviceFault, match=r"= help: test the index first: `if 0 <= col < x.shape\[1\]:`"):
        plane[1, (8, 8)](np.ones((8, 4), np.float32), np.zeros((8, 8), np.float32))
    with pytest.raises(DeviceFault, match=r"= help: test the divisor first: `if x\[i\] != 0:`"):
        divides[1, 2](np.zeros(2, np.int32), np.zeros(2, np.int32))
