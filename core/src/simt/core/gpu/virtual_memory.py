"""Memory that grows in place: addresses are reserved first, and memory is put behind them piece by piece.

Source: CUDA Driver API, virtual memory management.
"""
from __future__ import annotations

import os
import weakref
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.errors import LaunchError
from simt.core.gpu.allocation import Allocation, MemoryKind
from simt.core.gpu.array import GpuArray, empty_array
from simt.core.gpu.callback import when_allowed
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver
from simt.core.runtime.dtypes import as_dtype

if TYPE_CHECKING:
    from simt.core.device import Shape
    from simt.core.gpu.device import GpuDevice


@dataclass(frozen=True, slots=True)
class _Piece:
    """Memory that was made at once."""

    address: int
    nbytes: int


class VirtualMemory:
    """A range of addresses of one GPU, with memory behind its first ``nbytes`` bytes. Arrays over it never move.

    Sizes are multiples of ``granularity``, rounded up. The range ends with ``close``, or when neither it nor an array
    over it is used any more.
    """

    def __init__(self, device: GpuDevice, capacity: int) -> None:
        """Reserve addresses for ``capacity`` bytes; they cost no memory.

        Raises:
            LaunchError: no positive number of bytes.
        """
        if capacity <= 0:
            raise LaunchError(f"capacity {capacity} is no positive number of bytes", argument="capacity")
        make_current(device.ordinal)
        self.device = device
        self.granularity = int(cu("cuMemGetAllocationGranularity", _properties(device.ordinal), _recommended()))
        self.capacity = self._rounded(capacity)
        self.address = int(cu("cuMemAddressReserve", self.capacity, 0, 0, 0))
        self.is_closed = False
        self._pieces: list[_Piece] = []
        self._readers = [device]
        self._arrays: weakref.WeakSet[Allocation] = weakref.WeakSet()
        self._process = os.getpid()

    @property
    def nbytes(self) -> int:
        """How much has memory behind it."""
        return sum(piece.nbytes for piece in self._pieces)

    def grow(self, nbytes: int) -> None:
        """Put memory behind at least the first ``nbytes`` bytes; what is there stays as it is.

        Raises:
            LaunchError: more than was reserved, or the range was closed.
            DriverError: out of memory.
        """
        self._require_open()
        if nbytes > self.capacity:
            raise LaunchError(f"nbytes {nbytes}: only {self.capacity} bytes were reserved", argument="nbytes")
        missing = self._rounded(nbytes) - self.nbytes
        if missing <= 0:
            return
        make_current(self.device.ordinal)
        address = self.address + self.nbytes
        bound = cu("cuMemCreate", missing, _properties(self.device.ordinal), 0)
        try:
            cu("cuMemMap", address, missing, 0, bound, 0)
        finally:
            cu("cuMemRelease", bound)  # the mapping keeps it
        self._pieces.append(_Piece(address, missing))
        self._set_access()

    def allow(self, *devices: GpuDevice) -> None:
        """Let further GPUs reach the memory, and what it grows by. See ``simt.core.gpu.peer.can_access``."""
        self._require_open()
        self._readers += [device for device in devices if device not in self._readers]
        self._set_access()

    def array(self, shape: Shape, dtype: object) -> GpuArray:
        """An array from the beginning of the range; a later, larger one has the same memory.

        Raises:
            LaunchError: it needs more than ``nbytes``.
        """
        self._require_open()
        kind = as_dtype(dtype)
        extents = shape if isinstance(shape, tuple) else (shape,)
        needed = int(np.prod(extents, dtype=np.int64)) * kind.itemsize
        if needed > self.nbytes:
            raise LaunchError(f"shape {extents} needs {needed} bytes of {self.nbytes}; call grow({needed}) first")
        home = self.device.stream_in_use()
        held = Allocation(self.device, MemoryKind.MAPPED, self.address, needed, home, _Keeping(self))
        self._arrays.add(held)
        return empty_array(held, kind, extents)

    def close(self) -> None:
        """Wait for the device, give memory and addresses back; arrays over it are refused from then on."""
        if self.is_closed:
            return
        self.is_closed = True
        for held in tuple(self._arrays):
            held.free()
        when_allowed(self._process, partial(_unmap, self.device, tuple(self._pieces), self.address, self.capacity))

    def __del__(self) -> None:
        if hasattr(self, "_process"):  # all of it was made
            self.close()

    def _rounded(self, nbytes: int) -> int:
        return -(-nbytes // self.granularity) * self.granularity

    def _require_open(self) -> None:
        if self.is_closed:
            raise LaunchError("the memory was closed; make a new VirtualMemory")

    def _set_access(self) -> None:
        if not self._pieces:
            return
        module = driver()
        wanted: list[Any] = []  # Any: structures of the bindings
        for device in self._readers:
            access = module.CUmemAccessDesc()
            access.location.type = module.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
            access.location.id = device.ordinal
            access.flags = module.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
            wanted.append(access)
        make_current(self.device.ordinal)
        cu("cuMemSetAccess", self.address, self.nbytes, wanted, len(wanted))


def _unmap(device: GpuDevice, pieces: tuple[_Piece, ...], address: int, capacity: int) -> None:
    make_current(device.ordinal)
    cu("cuCtxSynchronize")
    for piece in pieces:
        cu("cuMemUnmap", piece.address, piece.nbytes)
    cu("cuMemAddressFree", address, capacity)


class _Keeping:
    """Keeps a range for an array, until it is called or gone."""

    def __init__(self, memory: VirtualMemory) -> None:
        self.memory: VirtualMemory | None = memory

    def __call__(self) -> None:
        self.memory = None


def _properties(ordinal: int) -> Any:  # Any: a structure of the bindings
    module = driver()
    properties = module.CUmemAllocationProp()
    properties.type = module.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = module.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    properties.location.id = ordinal
    return properties


def _recommended() -> Any:  # Any: an enum of the bindings
    return driver().CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
