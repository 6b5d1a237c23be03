"""Memory pools: what they hold, reserve and give back."""
from __future__ import annotations

import pytest
from cuda.bindings import driver

from tests.fake_driver import fake
from tests.fake_driver.calls.checked import cu, status

ATTRIBUTE = driver.CUmemPool_attribute


@pytest.fixture
def pool():
    properties = driver.CUmemPoolProps()
    properties.allocType = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    properties.location.id = 0
    made = cu("cuMemPoolCreate", properties)
    yield made
    cu("cuMemPoolDestroy", made)


def figure(pool, name):
    return int(cu("cuMemPoolGetAttribute", pool, getattr(ATTRIBUTE, f"CU_MEMPOOL_ATTR_{name}")))


def test_used_and_reserved_bytes_follow_allocations(pool):
    first, second = (cu("cuMemAllocFromPoolAsync", size, pool, 0) for size in (100, 50))
    assert figure(pool, "USED_MEM_CURRENT") == 150 == figure(pool, "RESERVED_MEM_CURRENT")
    cu("cuMemFreeAsync", first, 0)
    assert figure(pool, "USED_MEM_CURRENT") == 50 == figure(pool, "RESERVED_MEM_CURRENT")
    assert figure(pool, "USED_MEM_HIGH") == 150
    cu("cuMemFree", second)
    assert figure(pool, "USED_MEM_CURRENT") == 0
    cu("cuMemPoolSetAttribute", pool, ATTRIBUTE.CU_MEMPOOL_ATTR_USED_MEM_HIGH, driver.cuuint64_t(0))
    assert figure(pool, "USED_MEM_HIGH") == 0


def test_a_threshold_keeps_freed_memory_until_a_trim(pool):
    cu("cuMemPoolSetAttribute", pool, ATTRIBUTE.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, driver.cuuint64_t(1 << 20))
    cu("cuMemFreeAsync", cu("cuMemAllocFromPoolAsync", 4096, pool, 0), 0)
    assert figure(pool, "RESERVED_MEM_CURRENT") == 4096
    cu("cuMemPoolTrimTo", pool, 100)
    assert figure(pool, "RESERVED_MEM_CURRENT") == 100


def test_the_device_has_a_default_pool_that_stays(pool):
    default = cu("cuDeviceGetDefaultMemPool", 0)
    assert int(cu("cuDeviceGetMemPool", 0)) == int(default)
    cu("cuDeviceSetMemPool", 0, pool)
    pointer = cu("cuMemAllocAsync", 10, 0)
    assert figure(pool, "USED_MEM_CURRENT") == 10 and fake.allocations(fake.Memory.POOL) == 1
    cu("cuMemFreeAsync", pointer, 0)
    cu("cuDeviceSetMemPool", 0, default)
    assert status("cuMemPoolDestroy", default) == "INVALID_VALUE"


def test_memory_is_freed_once(pool):
    pointer = cu("cuMemAllocFromPoolAsync", 8, pool, 0)
    cu("cuMemFreeAsync", pointer, 0)
    assert status("cuMemFreeAsync", pointer, 0) == "INVALID_VALUE"


def test_a_queued_free_happens_in_its_stream(pool, monkeypatch):
    monkeypatch.setenv("SIMT_FAKE_DEFERRED", "1")
    pointer = cu("cuMemAllocFromPoolAsync", 8, pool, 0)
    cu("cuMemFreeAsync", pointer, 0)
    assert figure(pool, "USED_MEM_CURRENT") == 8
    assert status("cuMemFreeAsync", pointer, 0) == "INVALID_VALUE"
    cu("cuStreamSynchronize", 0)
    assert figure(pool, "USED_MEM_CURRENT") == 0
