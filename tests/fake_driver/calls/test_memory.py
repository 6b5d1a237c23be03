"""Allocations, copies and fills: what is in bounds works, all else is refused."""
from __future__ import annotations

import ctypes

import numpy as np
import pytest
from cuda.bindings import driver

from tests.fake_driver import fake
from tests.fake_driver.calls.checked import cu, status

POINTER = driver.CUpointer_attribute


@pytest.fixture
def memory():
    pointer = cu("cuMemAlloc", 64)
    yield int(pointer)
    cu("cuMemFree", pointer)


def read(address, dtype, count):
    out = np.empty(count, dtype)
    cu("cuMemcpyDtoH", out.ctypes.data, address, out.nbytes)
    return out


def test_what_is_copied_in_comes_out(memory):
    given = np.arange(16, dtype=np.float32)
    cu("cuMemcpyHtoD", memory, given.ctypes.data, 64)
    assert (read(memory, np.float32, 16) == given).all()
    assert (read(memory + 8, np.float32, 4) == given[2:6]).all()


def test_new_memory_is_not_zero_and_freed_memory_is_recognisable():
    pointer = int(cu("cuMemAlloc", 16))
    assert (read(pointer, np.uint8, 16) == 0xCD).all()
    cu("cuMemFree", pointer)
    assert ctypes.string_at(pointer, 16) == b"\xdd" * 16


def test_a_write_after_free_is_counted():
    before = fake.writes_after_free()
    pointer = int(cu("cuMemAlloc", 16))
    cu("cuMemFree", pointer)
    ctypes.memset(pointer + 3, 1, 1)
    assert fake.writes_after_free() == before + 1


@pytest.mark.parametrize(("offset", "size"), [(0, 65), (60, 8), (64, 1), (-4, 8)])
def test_copies_outside_the_allocation_are_refused(memory, offset, size):
    host = np.zeros(80, np.uint8).ctypes.data
    assert status("cuMemcpyHtoD", memory + offset, host, size) == "INVALID_VALUE"
    assert status("cuMemcpyDtoH", host, memory + offset, size) == "INVALID_VALUE"
    assert status("cuMemsetD8", memory + offset, 0, size) == "INVALID_VALUE"


def test_frees_of_what_was_not_allocated_are_refused(memory):
    assert status("cuMemFree", memory + 8) == "INVALID_VALUE"
    assert status("cuMemFree", 4096) == "INVALID_VALUE"
    assert status("cuMemFreeHost", memory) == "INVALID_VALUE"
    pointer = cu("cuMemAlloc", 8)
    cu("cuMemFree", pointer)
    assert status("cuMemFree", pointer) == "INVALID_VALUE"
    assert status("cuMemFree", 0) == "CUDA_SUCCESS"
    assert status("cuMemAlloc", 0) == "INVALID_VALUE"


def test_memory_ends():
    free, total = cu("cuMemGetInfo")
    assert status("cuMemAlloc", free + 1) == "OUT_OF_MEMORY"
    pointer = cu("cuMemAlloc", 4096)
    assert cu("cuMemGetInfo") == (free - 4096, total)
    cu("cuMemFree", pointer)
    assert cu("cuMemGetInfo") == (free, total)


@pytest.mark.parametrize(("bits", "dtype"), [(8, np.uint8), (16, np.uint16), (32, np.uint32)])
def test_fills_of_each_width(memory, bits, dtype):
    value = 0x12345678 & ((1 << bits) - 1)
    cu(f"cuMemsetD{bits}", memory, 0, 64 * 8 // bits)
    cu(f"cuMemsetD{bits}Async", memory, value, 3, 0)
    assert read(memory, dtype, 5).tolist() == [value] * 3 + [0, 0]
    if bits > 8:
        assert status(f"cuMemsetD{bits}", memory + 1, 0, 1) == "INVALID_VALUE"


def test_a_plane_is_filled_between_its_rows_ends():
    pointer, pitch = cu("cuMemAllocPitch", 12, 3, 4)
    assert pitch % 512 == 0 and pitch >= 12
    cu("cuMemsetD8", pointer, 0, pitch * 3)
    cu("cuMemsetD2D32", pointer, pitch, 7, 3, 3)
    rows = read(int(pointer), np.uint32, pitch * 3 // 4).reshape(3, -1)
    assert (rows[:, :3] == 7).all() and (rows[:, 3:] == 0).all()
    assert status("cuMemsetD2D32", pointer, pitch, 7, pitch // 4 + 1, 3) == "INVALID_VALUE"
    cu("cuMemFree", pointer)


def test_pinned_and_registered_memory():
    pinned = int(cu("cuMemHostAlloc", 32, 0))
    assert cu("cuPointerGetAttribute", POINTER.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned) == 1
    cu("cuMemFreeHost", pinned)
    array = np.zeros(64, np.uint8)
    cu("cuMemHostRegister", array.ctypes.data, array.nbytes, 0)
    assert status("cuMemHostRegister", array.ctypes.data, 1, 0) == "HOST_MEMORY_ALREADY_REGISTERED"
    assert int(cu("cuMemHostGetDevicePointer", array.ctypes.data, 0)) == array.ctypes.data
    cu("cuMemHostUnregister", array.ctypes.data)
    assert status("cuMemHostUnregister", array.ctypes.data) == "HOST_MEMORY_NOT_REGISTERED"


def test_what_pointers_say(memory):
    get = lambda name, pointer: cu("cuPointerGetAttribute", getattr(POINTER, f"CU_POINTER_ATTRIBUTE_{name}"), pointer)
    assert get("MEMORY_TYPE", memory + 5) == 2
    assert get("DEVICE_ORDINAL", memory) == 0
    assert int(get("RANGE_START_ADDR", memory + 5)) == memory and get("RANGE_SIZE", memory) == 64
    assert not get("IS_MANAGED", memory)
    managed = cu("cuMemAllocManaged", 16, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
    assert get("IS_MANAGED", managed)
    cu("cuMemFree", managed)
    unknown = np.zeros(4).ctypes.data
    assert status("cuPointerGetAttribute", POINTER.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, unknown) == "INVALID_VALUE"
