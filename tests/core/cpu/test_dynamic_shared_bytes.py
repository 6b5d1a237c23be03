"""Slices of dynamic shared memory against what the launch gave."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, InOut, Out, f32, f64, i32, kernel
from simt.cuda_std import block, shared, thread


@kernel
def one_slice(n: i32, out: Out[f32]):
    s = shared.dynamic(f32, n)
    if thread.thread_idx.x == 0:
        s[n - 1] = 1.0
        out[0] = s[n - 1]


@kernel
def two_slices(n: i32, out: InOut[f64]):
    first = shared.dynamic(f32, n)
    second = shared.dynamic(f64, n)
    i = thread.index_1d()
    first[i], second[i] = f32(i), 2.0
    block.sync()
    out[i] = f64(first[i]) + second[n - 1 - i]


@pytest.mark.parametrize("shared_bytes", [0, 4, 252])
def test_a_slice_beyond_the_launch_is_a_fault(shared_bytes: int):
    with pytest.raises(DeviceFault, match=f"shared_bytes = {shared_bytes}"):
        one_slice[1, 1, shared_bytes](64, np.zeros(1, np.float32))


def test_a_slice_that_fits_works():
    out = np.zeros(1, np.float32)
    one_slice[1, 32, 256](64, out)
    assert out[0] == 1


@pytest.mark.parametrize("count", [-1, 2**31 - 1])
def test_counts_that_no_memory_has(count: int):
    with pytest.raises(DeviceFault, match="does not fit"):
        one_slice[1, 1, 256](count, np.zeros(1, np.float32))


def test_slices_follow_each_other():
    out = np.zeros(16)
    two_slices[1, 16, 64 + 128](16, out)
    np.testing.assert_array_equal(out, np.arange(16) + 2.0)
    with pytest.raises(DeviceFault, match="from byte 64"):
        two_slices[1, 16, 64 + 120](16, out)


def test_the_check_compiles_for_a_gpu():
    ptx = one_slice.with_options(checks=True).inspect("ptx", 64, np.zeros(1, np.float32), target="sm_90")
    assert "%dynamic_smem_size" in ptx


def test_code_for_a_gpu_is_checked_only_where_asked():
    ptx = one_slice.inspect("ptx", 64, np.zeros(1, np.float32), target="sm_90")
    assert "%dynamic_smem_size" not in ptx
