"""GPUs that reach each other's memory.

Source: CUDA Driver API, peer context memory access; stream ordered memory allocator, ``cuMemPoolSetAccess``.
"""
from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simt.core.errors import DriverError, LaunchError, UnavailableError
from simt.core.gpu.allocation import Allocation, MemoryKind
from simt.core.gpu.array import GpuArray
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice


@dataclass(frozen=True, slots=True)
class PeerLink:
    """How one device reaches another: whether it can, whether atomics work there, and the driver's rank of its speed.

    A lower rank is faster.
    """

    access: bool
    atomics: bool
    rank: int


def link(device: GpuDevice, other: GpuDevice) -> PeerLink:
    """How ``device`` reaches the memory of ``other``.

    Raises:
        LaunchError: both are the same.
    """
    _require_two(device, other)

    def value(name: str) -> int:
        attribute = getattr(driver().CUdevice_P2PAttribute, f"CU_DEVICE_P2P_ATTRIBUTE_{name}")
        return int(cu("cuDeviceGetP2PAttribute", attribute, device.bound, other.bound))

    return PeerLink(bool(value("ACCESS_SUPPORTED")), bool(value("NATIVE_ATOMIC_SUPPORTED")), value("PERFORMANCE_RANK"))


def can_access(device: GpuDevice, other: GpuDevice) -> bool:
    """Whether ``device`` could reach the memory of ``other``."""
    return device is not other and bool(cu("cuDeviceCanAccessPeer", device.bound, other.bound))


def enable(device: GpuDevice, other: GpuDevice) -> None:
    """Let ``device`` reach the memory of ``other``, arrays of its pool included. A second time does nothing.

    Raises:
        UnavailableError: nothing connects them.
        LaunchError: both are the same.
    """
    _require_two(device, other)
    if not can_access(device, other):
        raise UnavailableError(
            f"{device.name} does not reach the memory of {other.name}: they are not connected by NVLink or a common "
            "PCIe root, or the system forbids it (nvidia-smi topo -p2p r tells); copy through the host"
        )
    make_current(device.ordinal)
    try:
        cu("cuCtxEnablePeerAccess", other.context, 0)
    except DriverError as error:
        if error.result != "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED":
            raise
    _set_pool_access(device, other, "PROT_READWRITE")
    _enabled.add((device.ordinal, other.ordinal))


def disable(device: GpuDevice, other: GpuDevice) -> None:
    """Take it back; nothing of ``device`` may use that memory any more. A second time does nothing."""
    _require_two(device, other)
    if (device.ordinal, other.ordinal) in _enabled:
        _enabled.remove((device.ordinal, other.ordinal))
        make_current(device.ordinal)
        cu("cuCtxSynchronize")
        cu("cuCtxDisablePeerAccess", other.context)
        _set_pool_access(device, other, "PROT_NONE")


def view(array: GpuArray, device: GpuDevice) -> GpuArray:
    """The memory of an array of another GPU as an array that launches on ``device`` take. It keeps ``array``.

    Launches on the two devices are not ordered by it: have one's stream wait for the other's.

    Raises:
        LaunchError: ``enable(device, array.device)`` has not been called, or the array was freed.
    """
    array.require_alive("array")
    _require_two(device, array.device)
    if (device.ordinal, array.ordinal) not in _enabled:
        raise LaunchError(
            f"{device.name} may not reach the memory of {array.device.name}; call "
            "simt.core.gpu.peer.enable(device, array.device) first", argument="array",
        )
    owner = array.allocation
    # The release keeps the owner's memory until everything that used the view has ended.
    held = Allocation(device, MemoryKind.MAPPED, owner.address, owner.nbytes, device.stream_in_use(), _Keeping(array))
    owner.views.append(weakref.ref(held))
    return GpuArray(held, array.address, array.dtype, array.shape, array.strides)


class _Keeping:
    """Keeps an array until it is called, or gone."""

    def __init__(self, array: GpuArray) -> None:
        self.array: GpuArray | None = array

    def __call__(self) -> None:
        self.array = None


_enabled: set[tuple[int, int]] = set()  # by ordinals


def _require_two(device: GpuDevice, other: GpuDevice) -> None:
    if device is other:
        raise LaunchError(f"{device.name} and {other.name} are the same device, which reaches its own memory")


def _set_pool_access(device: GpuDevice, other: GpuDevice, protection: str) -> None:
    """Arrays lie in a pool, whose access is its own."""
    module = driver()
    access: Any = module.CUmemAccessDesc()  # Any: a structure of the bindings
    access.location.type = module.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    access.location.id = device.ordinal
    access.flags = getattr(module.CUmemAccess_flags, f"CU_MEM_ACCESS_FLAGS_{protection}")
    make_current(other.ordinal)
    cu("cuMemPoolSetAccess", other.pool.bound, [access], 1)
