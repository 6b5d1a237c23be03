"""Memory that frees itself: pool memory in the order of its streams, the rest when nothing refers to it.

Source: CUDA Driver API, stream ordered memory allocator, unified addressing, memory management.
"""
from __future__ import annotations

import itertools
import os
import traceback
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from simt.core.errors import DriverError
from simt.core.gpu.callback import catch_up, when_allowed
from simt.core.gpu.context import make_current
from simt.core.gpu.launch_extension import Life
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.stream import GpuStream


class MemoryKind(Enum):
    """Where memory lies and who reaches it."""

    POOL = "device"  # allocated in the order of a stream
    PITCHED = "device, rows padded"
    PINNED = "page-locked host"
    MANAGED = "managed"
    PLAIN = "device, outside the pool"
    ARRAY = "CUDA array"  # its address is the driver's handle
    MAPPED = "device, owned elsewhere"  # a variable of loaded code, another process's memory, a mapping

    @property
    def on_host(self) -> bool:
        """Whether the host may read and write it by its address."""
        return self in (MemoryKind.PINNED, MemoryKind.MANAGED)


@dataclass(frozen=True, slots=True)
class LiveAllocation:
    """A row of ``device.live_allocations()``; ``where`` is the line that asked, known under SIMT_TRACK_MEMORY=1."""

    address: int
    nbytes: int
    kind: str
    where: str


class Allocation(Life):
    """One block of memory. Freed by ``free``, or when nothing refers to it any more.

    Pool memory belongs to its ``home`` stream: it is freed in that stream's order, after everything that streams named
    by ``used_on`` have been given so far.
    """

    __slots__ = (
        "__weakref__", "address", "alive", "device", "home", "kind", "nbytes", "number", "process", "release", "users",
        "views",
    )

    def __init__(
        self, device: GpuDevice, kind: MemoryKind, address: int, nbytes: int, home: GpuStream,
        release: Callable[[], object] | None = None,
    ) -> None:
        self.device = device
        self.kind = kind
        self.address = address
        self.nbytes = nbytes
        self.home = home
        self.release = release  # how mapped memory is given back once what uses it has ended
        self.users: list[GpuStream] = []
        self.views: list[weakref.ref[Allocation]] = []  # mapped memory that is this one under another name
        self.process = os.getpid()
        self.number = next(_numbers)
        self.alive = True  # until it is freed
        self.set_life(True, home.handle)
        where = _caller() if os.environ.get("SIMT_TRACK_MEMORY", "") not in ("", "0") else ""
        device.live[self.number] = LiveAllocation(address, nbytes, kind.value, where)

    def used_on(self, stream: GpuStream) -> None:
        """Do not free it before what ``stream`` has been given so far has ended."""
        if stream.handle != self.home.handle and all(stream.handle != user.handle for user in self.users):
            self.users.append(stream)

    def free(self) -> None:
        """Give the memory back; a second time does nothing."""
        if not self.alive:
            return
        for view in self.views:
            mapped = view()
            if mapped is not None:
                mapped.free()
        self.alive = False
        self.set_life(False, self.home.handle)
        del self.device.live[self.number]
        block = _Block(self.device.ordinal, self.kind, self.address, self.home, tuple(self.users), self.release)
        when_allowed(self.process, partial(_give_back, block))

    def __del__(self) -> None:
        if getattr(self, "alive", False):
            self.free()


@dataclass(frozen=True, slots=True)
class _Block:
    """Memory to give back."""

    ordinal: int
    kind: MemoryKind
    address: int
    home: GpuStream
    users: tuple[GpuStream, ...]
    release: Callable[[], object] | None


def _give_back(block: _Block) -> None:
    make_current(block.ordinal)
    if block.kind is MemoryKind.POOL:
        for user in block.users:
            block.home.wait(user)
        cu("cuMemFreeAsync", block.address, block.home.bound)
        return
    if block.kind is MemoryKind.MAPPED and block.release is None:
        return  # its owner gives it back
    for stream in (block.home, *block.users):  # all other memory is freed at once, so what uses it must have ended
        cu("cuStreamSynchronize", stream.bound)
    match block.kind:
        case MemoryKind.PITCHED | MemoryKind.MANAGED | MemoryKind.PLAIN:
            cu("cuMemFree", block.address)
        case MemoryKind.PINNED:
            cu("cuMemFreeHost", block.address)
        case MemoryKind.ARRAY:
            cu("cuArrayDestroy", block.address)
        case MemoryKind.MAPPED:
            assert block.release is not None, "others have returned"
            block.release()
        case _:
            assert_never(block.kind)


def allocate(device: GpuDevice, nbytes: int, home: GpuStream) -> Allocation:
    """Device memory from the device's pool.

    Raises:
        DriverError: out of memory; the message says how much was asked for and how much is free.
    """
    make_current(device.ordinal)
    address = _asked(device, nbytes, "cuMemAllocFromPoolAsync", max(nbytes, 1), device.pool.bound, home.bound)
    return Allocation(device, MemoryKind.POOL, int(address), nbytes, home)


def allocate_pinned(device: GpuDevice, nbytes: int, home: GpuStream) -> Allocation:
    """Page-locked host memory that the device can address."""
    make_current(device.ordinal)
    flags = 1 | 2  # CU_MEMHOSTALLOC_PORTABLE, _DEVICEMAP
    address = int(_asked(device, nbytes, "cuMemHostAlloc", max(nbytes, 1), flags))
    return Allocation(device, MemoryKind.PINNED, address, nbytes, home)


def allocate_managed(device: GpuDevice, nbytes: int, home: GpuStream) -> Allocation:
    """Memory that moves between host and device on demand.

    Raises:
        DriverError: more than the device has free: a GPU that pages managed memory stalls everyone who uses it.
    """
    make_current(device.ordinal)
    free, total = cu("cuMemGetInfo")
    if nbytes > free:
        raise DriverError(
            f"{nbytes} bytes of managed memory asked for, and {device.short_name} has {free} of {total} bytes free",
            result="CUDA_ERROR_OUT_OF_MEMORY", call="cuMemAllocManaged",
        )
    attach = driver().CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL
    address = int(_asked(device, nbytes, "cuMemAllocManaged", max(nbytes, 1), attach))
    return Allocation(device, MemoryKind.MANAGED, address, nbytes, home)


def allocate_plain(device: GpuDevice, nbytes: int, home: GpuStream) -> Allocation:
    """Device memory outside the pool, which other processes may open."""
    make_current(device.ordinal)
    address = int(_asked(device, nbytes, "cuMemAlloc", max(nbytes, 1)))
    return Allocation(device, MemoryKind.PLAIN, address, nbytes, home)


def allocate_pitched(
    device: GpuDevice, row_bytes: int, rows: int, access: int, home: GpuStream
) -> tuple[Allocation, int]:
    """Rows that each start at an aligned address; gives the bytes from row to row too.

    Args:
        access: bytes of the widest access, 4, 8 or 16.
    """
    make_current(device.ordinal)
    pointer, pitch = _asked(device, row_bytes * rows, "cuMemAllocPitch", max(row_bytes, 1), max(rows, 1), access)
    return Allocation(device, MemoryKind.PITCHED, int(pointer), int(pitch) * rows, home), int(pitch)


_numbers = itertools.count()


def _asked(device: GpuDevice, nbytes: int, function: str, *arguments: object) -> Any:  # Any: as cu
    """The result of an allocating call, whose failure says how much there is."""
    catch_up()
    try:
        return cu(function, *arguments)
    except DriverError as error:
        if error.result != "CUDA_ERROR_OUT_OF_MEMORY":
            raise
        free, total = cu("cuMemGetInfo")
        raise DriverError(
            f"out of memory on {device.short_name}: {nbytes} bytes asked for, {free} of {total} bytes free, and "
            f"{sum(item.nbytes for item in device.live.values())} bytes held by arrays of this process; drop arrays, "
            f"or give the pool's unused memory back with device.pool.trim()", result=error.result, call=function,
        ) from None


def _caller() -> str:
    """The innermost line outside this package."""
    for frame in reversed(traceback.extract_stack()):
        if "simt/core" not in frame.filename.replace("\\", "/"):
            return f"{frame.filename}:{frame.lineno}"
    return ""
