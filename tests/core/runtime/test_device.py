"""The CPU device and its arrays."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import device as devices
from simt.core.device import CpuDevice, default_device
from simt.core.errors import LaunchError, UnavailableError
from simt.core.runtime import cuda_driver
from simt.core.runtime.cpu_array import ALIGNMENT
from simt.core.scalars import bf16, f32, i128
from simt.core.struct import struct


@struct
class Pair:
    a: f32
    b: i128


@pytest.fixture
def device():
    return CpuDevice()


def test_arrays_are_copies_in_c_order(device):
    host = np.arange(12, dtype=np.int16).reshape(3, 4).T
    array = device.array(host)
    host[:] = -1
    assert array.numpy().flags.c_contiguous
    assert np.array_equal(array.numpy(), np.arange(12).reshape(3, 4).T)
    assert (array.shape, array.size, array.ndim, array.dtype) == ((4, 3), 12, 2, np.int16)
    assert repr(array) == "CpuArray(shape=(4, 3), dtype=int16)"


def test_what_numpy_gives_is_the_callers_own(device):
    array = device.zeros(3, np.float32)
    array.numpy()[:] = 1
    assert array.numpy().sum() == 0


@pytest.mark.parametrize("dtype", [f32, np.float32, "f4", np.dtype(np.float32)])
def test_every_way_to_name_a_dtype(device, dtype):
    made = device.zeros(2, dtype), device.empty((2,), dtype), device.full(2, 0.5, dtype), device.array([1, 2], dtype)
    for array in made:
        assert array.dtype == np.float32 and array.shape == (2,)


def test_types_that_numpy_lacks(device):
    assert device.zeros(4, bf16).nbytes == 8
    pairs = device.zeros(2, Pair)
    assert pairs.dtype.itemsize == 32 and pairs.dtype.fields["b"][1] == 16
    with pytest.raises(LaunchError, match=r"is not a type of array elements; write f32, np.float32 or a struct"):
        device.zeros(2, "no such type")
    with pytest.raises(LaunchError, match="array of Python objects"):
        device.array([object()])


@pytest.mark.parametrize("shape", [1, 3, (5, 7), (2, 0), (1, 1, 1)])
def test_memory_is_aligned(device, shape):
    assert device.empty(shape, np.float64).address % ALIGNMENT == 0


def test_slices_are_views_and_elements_are_values(device):
    array = device.array(np.arange(12.0).reshape(3, 4))
    part = array[1:, ::2]
    part[:] = 0
    assert array.numpy()[1:, ::2].sum() == 0 and not part.contiguous
    assert array[0, 1] == 1.0 and isinstance(array[0, 1], np.float64)
    assert [row.shape for row in array] == [(4,), (4,), (4,)]
    assert array.reshape(12).shape == (12,)
    with pytest.raises(ValueError, match="only a C-contiguous array"):
        part.reshape(4)
    with pytest.raises(TypeError, match="only integers, slices"):
        array[[0, 2]]


def test_copy_from_takes_the_same_shape_and_dtype(device):
    array = device.zeros(3, np.float32)
    array.copy_from(np.ones(3, np.float32))
    array.copy_from(array)
    assert array.numpy().sum() == 3
    with pytest.raises(ValueError, match=r"cannot copy float64 of shape \(3,\) into float32"):
        array.copy_from(np.ones(3))


def test_other_libraries_read_without_a_copy(device):
    array = device.array(np.arange(6, dtype=np.int32).reshape(2, 3))
    for view in (np.asarray(array), np.from_dlpack(array)):
        assert view.ctypes.data == array.address and view.shape == (2, 3)
    assert array.__dlpack_device__() == (1, 0)


@pytest.fixture
def fresh_default():
    devices.default_device.cache_clear()
    yield
    devices.default_device.cache_clear()


def test_the_environment_chooses_the_device(monkeypatch, fresh_default):
    monkeypatch.setenv("SIMT_DEVICE", "cpu")
    assert default_device().name.startswith("CPU (")
    assert default_device() is default_device()
    devices.default_device.cache_clear()
    monkeypatch.setattr(cuda_driver, "LIBRARY", "no-such-libcuda.so")
    cuda_driver.bindings.cache_clear()
    monkeypatch.setenv("SIMT_DEVICE", "")
    assert default_device().name.startswith("CPU (")
    devices.default_device.cache_clear()
    monkeypatch.setenv("SIMT_DEVICE", "gpu")
    with pytest.raises(UnavailableError, match=r"SIMT_DEVICE=gpu: no GPU .*no-such-libcuda.so does not load"):
        default_device()
    monkeypatch.setenv("SIMT_DEVICE", "tpu")
    with pytest.raises(ValueError, match="SIMT_DEVICE=tpu names no device"):
        default_device()


def test_synchronize_has_nothing_to_wait_for(device):
    device.synchronize()
