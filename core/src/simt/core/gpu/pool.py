"""The memory pool of a device: freed memory stays with the process and is handed out again in stream order."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver


@dataclass(frozen=True, slots=True)
class PoolUse:
    """Bytes of a pool: ``used`` by arrays, ``reserved`` from the device, and the highest values of both so far."""

    used: int
    reserved: int
    used_high: int
    reserved_high: int


class MemoryPool:
    """A pool of our own: torch's and the driver's default pool are left as they are."""

    def __init__(self, ordinal: int) -> None:
        make_current(ordinal)
        module = driver()
        properties = module.CUmemPoolProps()
        properties.allocType = module.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        properties.location.type = module.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        properties.location.id = ordinal
        self.ordinal = ordinal
        self.bound = cu("cuMemPoolCreate", properties)
        self.keep(2**64 - 1)

    def keep(self, nbytes: int) -> None:
        """How many unused bytes the pool may keep when the host waits for the device; all of them at first."""
        self._set("CU_MEMPOOL_ATTR_RELEASE_THRESHOLD", nbytes)

    def trim(self, keep: int = 0) -> None:
        """Give unused memory back to the device, down to ``keep`` bytes. Memory in use stays."""
        make_current(self.ordinal)
        cu("cuMemPoolTrimTo", self.bound, keep)

    def use(self) -> PoolUse:
        """How much of it is in use."""
        names = ("USED_MEM_CURRENT", "RESERVED_MEM_CURRENT", "USED_MEM_HIGH", "RESERVED_MEM_HIGH")
        return PoolUse(*(int(cu("cuMemPoolGetAttribute", self.bound, _attribute(f"CU_MEMPOOL_ATTR_{name}")))
                         for name in names))

    def reset_high(self) -> None:
        """Start the highest values anew from the present ones."""
        self._set("CU_MEMPOOL_ATTR_USED_MEM_HIGH", 0)
        self._set("CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH", 0)

    def _set(self, name: str, value: int) -> None:
        cu("cuMemPoolSetAttribute", self.bound, _attribute(name), driver().cuuint64_t(value))


def _attribute(name: str) -> object:
    return getattr(driver().CUmemPool_attribute, name)
