"""Managed arrays: where their pages should be, who reads them, and moving them before they are needed.

Source: CUDA Driver API, unified addressing: ``cuMemAdvise``, ``cuMemPrefetchAsync``, ``cuMemRangeGetAttribute``.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, assert_never

from simt.core.errors import LaunchError, UnavailableError
from simt.core.gpu.allocation import MemoryKind
from simt.core.gpu.context import make_current
from simt.core.gpu.device import GpuDevice, gpu
from simt.core.runtime.cuda_driver import cu, driver, newest

if TYPE_CHECKING:
    from simt.core.gpu.array import GpuArray
    from simt.core.gpu.stream import GpuStream

Place = GpuDevice | Literal["host"]
HOST, NOWHERE = -1, -2  # CU_DEVICE_CPU, CU_DEVICE_INVALID


@dataclass(frozen=True, slots=True)
class ManagedAdvice:
    """What was said of an array's memory; places are devices, ``"host"`` or None."""

    read_mostly: bool
    preferred_location: Place | None
    accessed_by: tuple[Place, ...]
    last_prefetch: Place | None


def read_mostly(array: GpuArray, on: bool = True) -> None:
    """Let every device that reads the array keep a copy of its pages; a write gives up the copies.

    Raises:
        LaunchError: not a managed array, or not contiguous.
        UnavailableError: the GPU cannot move managed memory on request.
    """
    _advise(array, "READ_MOSTLY", array.device, on)


def preferred_location(array: GpuArray, where: Place | None) -> None:
    """Keep the array's pages there if possible, others reach them from afar; None takes it back. Raises likewise."""
    _advise(array, "PREFERRED_LOCATION", where or "host", where is not None)


def accessed_by(array: GpuArray, where: Place, on: bool = True) -> None:
    """Keep the pages mapped for a device that will access them, so that it has no page faults. Raises likewise."""
    _advise(array, "ACCESSED_BY", where, on)


def prefetch(array: GpuArray, where: Place, stream: GpuStream | None = None) -> None:
    """Move the array's pages there, in the order of ``stream`` or the current one. Raises likewise."""
    address, nbytes = _range(array)
    queue = stream or array.stream()
    array.allocation.used_on(queue)
    if nbytes:
        cu(newest("cuMemPrefetchAsync"), address, nbytes, _location(where), 0, queue.bound)


def advice(array: GpuArray) -> ManagedAdvice:
    """What was said of the array's memory so far. Raises likewise."""
    address, nbytes = _range(array)

    def value(name: str, size: int) -> Any:  # Any: an integer, or a list of them
        attribute = getattr(driver().CUmem_range_attribute, f"CU_MEM_RANGE_ATTRIBUTE_{name}")
        return cu("cuMemRangeGetAttribute", size, attribute, address, nbytes)

    count = int(cu("cuDeviceGetCount")) + 1  # the host may be among those that access it
    places: list[Place | None] = [_place(int(number)) for number in value("ACCESSED_BY", 4 * count)]
    return ManagedAdvice(
        bool(value("READ_MOSTLY", 4)), _place(int(value("PREFERRED_LOCATION", 4))),
        tuple(place for place in places if place is not None), _place(int(value("LAST_PREFETCH_LOCATION", 4))),
    )


def _advise(array: GpuArray, what: str, where: Place, on: bool) -> None:
    address, nbytes = _range(array)
    advice = getattr(driver().CUmem_advise, f"CU_MEM_ADVISE_{'SET' if on else 'UNSET'}_{what}")
    if nbytes:
        cu(newest("cuMemAdvise"), address, nbytes, advice, _location(where))


def _range(array: GpuArray) -> tuple[int, int]:
    """Address and bytes of an array that can be advised on."""
    array.require_alive("array")
    if array.kind is not MemoryKind.MANAGED:
        raise LaunchError(f"array: {array!r} is {array.kind.value} memory; make a managed one with device.managed")
    if not array.contiguous:
        raise LaunchError("array: the view is not contiguous, and advice is for a range of memory; pass a whole array")
    device = array.device
    if not device.attribute("CONCURRENT_MANAGED_ACCESS"):
        raise UnavailableError(
            f"{device.short_name} moves managed memory only as a whole at each launch, as under Windows and WSL: it "
            "takes neither advice nor prefetches"
        )
    make_current(device.ordinal)
    return array.address, array.nbytes


def _location(where: Place) -> Any:  # Any: a structure of the bindings
    module = driver()
    location = module.CUmemLocation()
    match where:
        case GpuDevice():
            location.type, location.id = module.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, where.ordinal
        case "host":
            location.type, location.id = module.CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST, 0
        case _:
            assert_never(where)
    return location


def _place(number: int) -> Place | None:
    if number == NOWHERE:
        return None
    return "host" if number == HOST else gpu(number)
