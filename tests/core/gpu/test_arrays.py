"""Arrays of a GPU: contents, views, copies, fills, and the kinds of memory."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError, bf16, f32, i128, struct
from simt.core.errors import DriverError
from simt.core.gpu.allocation import MemoryKind


@struct
class Pair:
    a: f32
    b: i128


def counted(shape, dtype=np.float32):
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [
    np.bool_, np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float64, np.complex64,
])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5), (2, 0, 4), (2, 3, 4)])
def test_contents_come_back(device, dtype, shape):
    host = counted(shape, dtype)
    array = device.array(host)
    assert (array.shape, array.dtype, array.size, array.nbytes) == (shape, host.dtype, host.size, host.nbytes)
    np.testing.assert_array_equal(array.numpy(), host)


def test_structs_and_types_without_a_numpy_dtype(device):
    pairs = np.zeros(3, Pair.numpy_dtype)
    pairs["a"] = 1, 2, 3
    np.testing.assert_array_equal(device.array(pairs).numpy(), pairs)
    assert device.zeros(4, bf16).numpy().tobytes() == bytes(8)
    assert device.array(pairs)[1:].numpy()["a"].tolist() == [2, 3]


@pytest.mark.parametrize("index", [
    np.s_[1:4], np.s_[::2], np.s_[::-1], np.s_[:, 2], np.s_[2, :, 1], np.s_[..., 1], np.s_[1:3, ::2, None], np.s_[-1],
    np.s_[3:3],
])
def test_basic_slices_are_views(device, index):
    host = counted((4, 5, 6), np.int32)
    array = device.array(host)
    part = array[index]
    np.testing.assert_array_equal(part.numpy(), host[index])
    part.fill(-7)
    host[index] = -7
    np.testing.assert_array_equal(array.numpy(), host)


def test_one_element(device):
    array = device.array(counted((3, 4), np.int64))
    assert array[1, 2] == 6 and isinstance(array[1, 2], np.int64)
    array[1, 2] = 50
    assert array.numpy()[1, 2] == 50


@pytest.mark.parametrize("index", [[0, 1], np.array([True, False, True]), True, 1.0, np.array([1])])
def test_other_indices_are_refused(device, index):
    with pytest.raises(TypeError, match=r"only integers, slices, None and \.\.\. do; use numpy"):
        device.zeros(3, np.float32)[index]


def test_an_index_out_of_range_is_refused(device):
    with pytest.raises(IndexError, match="out of bounds"):
        device.zeros(3, np.float32)[3]


@pytest.mark.parametrize(("dtype", "value"), [
    (np.int8, 0), (np.int8, -1), (np.uint8, 255), (np.uint16, 3), (np.float32, -1), (np.float32, 2.5),
    (np.float64, 2.5), (np.complex64, 1j),
])
def test_fills(device, dtype, value):
    np.testing.assert_array_equal(device.full((5, 3), value, dtype).numpy(), np.full((5, 3), value, dtype))


def test_a_fill_broadcasts(device):
    array = device.zeros((2, 3), np.float32)
    array.fill(np.array([1, 2, 3], np.float32))
    assert array.numpy().tolist() == [[1, 2, 3], [1, 2, 3]]


def test_copies_between_strided_arrays(device):
    host = counted((6, 8, 4))
    source, target = device.array(host), device.zeros((6, 8, 4), np.float32)
    target[::2, 1:7, 1].copy_from(source[1::2, :6, 2])
    expected = np.zeros_like(host)
    expected[::2, 1:7, 1] = host[1::2, :6, 2]
    np.testing.assert_array_equal(target.numpy(), expected)
    target.copy_from(host[::-1])
    np.testing.assert_array_equal(target.numpy(), host[::-1])


def test_copies_of_other_shapes_or_types_are_refused(device):
    array = device.zeros((2, 3), np.float32)
    with pytest.raises(ValueError, match=r"cannot copy float32 of shape \(6,\) into float32 of shape \(2, 3\)"):
        array.copy_from(np.zeros(6, np.float32))
    with pytest.raises(ValueError, match="cannot copy float64"):
        array.copy_from(np.zeros((2, 3)))
    with pytest.raises(LaunchError, match="Python objects"):
        device.array(np.array([None, 1]))


def test_reshape_keeps_the_memory(device):
    array = device.array(counted((4, 6)))
    view = array.reshape(2, 12)
    view[0, 0] = 100
    assert array.numpy()[0, 0] == 100
    with pytest.raises(ValueError, match="C-contiguous"):
        array[:, ::2].reshape(12)


def test_pinned_and_managed_memory_is_seen_from_both_sides(device):
    for array in (device.pinned((3, 4), np.int32), device.managed((3, 4), np.int32)):
        array.fill(5)
        device.synchronize()
        view = array.host_view()
        assert view.shape == (3, 4) and (view == 5).all()
        view[1, 2] = 9
        assert array.numpy()[1, 2] == 9
    with pytest.raises(LaunchError, match=r"device memory, .* write array.numpy\(\)"):
        device.zeros(3, np.int32).host_view()


def test_a_host_view_keeps_the_memory(device):
    view = device.pinned(1000, np.float64).host_view()
    view[:] = 3
    assert view.sum() == 3000


def test_pitched_rows_are_aligned(device):
    array = device.pitched((5, 3, 7), np.float32)
    assert array.shape == (5, 3, 7) and array.strides[1] % 128 == 0 and array.strides[0] == 3 * array.strides[1]
    host = counted((5, 3, 7))
    array.copy_from(host)
    np.testing.assert_array_equal(array.numpy(), host)
    assert array.kind is MemoryKind.PITCHED
    with pytest.raises(LaunchError, match="2 or 3 axes"):
        device.pitched((5,), np.float32)


def test_a_freed_array_is_refused(device):
    array = device.zeros(4, np.float32)
    view = array[1:]
    array.free()
    array.free()
    uses = array.numpy, view.numpy, lambda: view.fill(1), lambda: array.copy_from(np.zeros(4, "f4")), array.__dlpack__
    for use in uses:
        with pytest.raises(LaunchError, match=r"was freed by free\(\)"):
            use()
    assert "freed" in repr(view)


@pytest.mark.parametrize("shape", [-1, (2, -3), 2.5, True, (1, "2")])
def test_shapes_that_are_none(device, shape):
    with pytest.raises(LaunchError, match="no non-negative integer"):
        device.zeros(shape, np.float32)


def test_out_of_memory_says_how_much(device):
    nbytes = 8 * device.total_memory
    message = rf"out of memory on .*: {nbytes} bytes asked for, \d+ of {device.total_memory}"
    with pytest.raises(DriverError, match=message) as error:
        device.empty(nbytes, np.uint8)
    assert error.value.result == "CUDA_ERROR_OUT_OF_MEMORY" and "device.pool.trim()" in str(error.value)
    with pytest.raises(DriverError, match="managed memory asked for"):
        device.managed(nbytes, np.uint8)
    assert device.zeros(10, np.uint8).numpy().sum() == 0


def test_leaks_are_reported(device, monkeypatch):
    monkeypatch.setenv("SIMT_TRACK_MEMORY", "1")
    before = len(device.live_allocations())
    kept = device.zeros(1000, np.float32)
    (row,) = device.live_allocations()[before:]
    assert row.nbytes == 4000 and row.address == kept.address and row.kind == "device"
    assert row.where.startswith(__file__)
    del kept
    assert len(device.live_allocations()) == before


def test_the_pool_keeps_what_is_freed(device):
    array = device.zeros(1 << 20, np.uint8)
    used = device.pool.use().used
    del array
    device.synchronize()
    assert device.pool.use().used <= used - (1 << 20)
    device.pool.trim()
    assert device.pool.use().reserved >= device.pool.use().used
