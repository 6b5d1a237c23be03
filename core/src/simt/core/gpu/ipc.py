"""Arrays and events that other processes of the machine open.

``export_array`` gives a handle that can be pickled and sent; ``open_array`` in the other process gives an array over
the same memory. Order is the processes' own affair: by exported events, or by waiting. Source: CUDA Driver API,
``cuIpcGetMemHandle``, ``cuIpcGetEventHandle`` and their counterparts.
"""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from simt.core.errors import DriverError, LaunchError, UnavailableError
from simt.core.gpu.allocation import Allocation, MemoryKind, allocate_plain
from simt.core.gpu.array import GpuArray, empty_array
from simt.core.gpu.context import make_current
from simt.core.gpu.device import GpuDevice, gpu
from simt.core.gpu.stream import GpuEvent
from simt.core.runtime.cuda_driver import cu, driver
from simt.core.runtime.dtypes import as_dtype
from simt.core.runtime.memory import memory_of
from simt.core.values.numpy_types import NumpyType

if TYPE_CHECKING:
    from simt.core.device import Shape

LAZY_PEER_ACCESS = 1  # CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
HANDLE_BYTES = 64  # CU_IPC_HANDLE_SIZE


@dataclass(frozen=True, slots=True)
class ArrayHandle:
    """An array for another process: the driver's handle of its memory, where it begins there, and what it looks like.

    ``offset`` and ``strides`` are in bytes; ``uuid`` names the GPU; ``process`` is the exporting one.
    """

    memory: bytes
    offset: int
    nbytes: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: NumpyType
    uuid: str
    process: int


@dataclass(frozen=True, slots=True)
class EventHandle:
    """An event for another process."""

    event: bytes
    uuid: str
    process: int


def shareable(device: GpuDevice, shape: Shape, dtype: object) -> GpuArray:
    """New device memory, uninitialised, outside the pool, whose arrays alone can be exported."""
    kind = as_dtype(dtype)
    extents = shape if isinstance(shape, tuple) else (shape,)
    nbytes = kind.itemsize
    for extent in extents:
        nbytes *= extent
    return empty_array(allocate_plain(device, nbytes, device.stream_in_use()), kind, extents)


def export_array(array: object) -> ArrayHandle:
    """A handle of an array of ours, or of another library's memory of ``cudaMalloc``. Keep the array while it is used.

    Raises:
        LaunchError: not an array on a GPU, or of memory that cannot be shared, such as a pool's.
    """
    memory = memory_of(array, "array")
    if memory is None or memory.gpu is None:
        raise LaunchError(f"array: {type(array).__name__} given, an array on a GPU expected", argument="array")
    if isinstance(array, GpuArray) and array.kind not in (MemoryKind.PLAIN, MemoryKind.PITCHED):
        raise LaunchError(
            f"array: {array!r} is {array.kind.value} memory, which is this process's own; make it with "
            "simt.core.gpu.ipc.shareable(device, shape, dtype)", argument="array",
        )
    make_current(memory.gpu)
    base = int(cu("cuMemGetAddressRange", memory.address)[0])
    try:
        handle = cu("cuIpcGetMemHandle", base)
    except DriverError as error:
        if error.result != "CUDA_ERROR_INVALID_VALUE":
            raise
        raise LaunchError(
            f"array: the memory of this {memory.kind} cannot be shared, as it comes from a pool or a mapping; copy it "
            "to simt.core.gpu.ipc.shareable(device, shape, dtype)", argument="array",
        ) from None
    return ArrayHandle(
        _content(handle), memory.address - base, memory.nbytes, memory.shape, memory.strides, memory.dtype,
        gpu(memory.gpu).uuid, os.getpid(),
    )


def open_array(handle: ArrayHandle) -> GpuArray:
    """An array over another process's memory; freeing it closes the handle here.

    Raises:
        LaunchError: the handle is this process's own.
        UnavailableError: this process does not see that GPU.
    """
    device = _device_of(handle.uuid, handle.process)
    opened = _filled(driver().CUipcMemHandle(), handle.memory)
    base = int(cu("cuIpcOpenMemHandle", opened, LAZY_PEER_ACCESS))
    close = partial(cu, "cuIpcCloseMemHandle", base)
    held = Allocation(device, MemoryKind.MAPPED, base, handle.offset + handle.nbytes, device.stream_in_use(), close)
    return GpuArray(held, base + handle.offset, handle.dtype, handle.shape, handle.strides)


def export_event(event: GpuEvent) -> EventHandle:
    """A handle of an event that was made by ``stream.record(timing=False, interprocess=True)``.

    Raises:
        LaunchError: it was made otherwise.
    """
    make_current(event.device.ordinal)
    try:
        handle = cu("cuIpcGetEventHandle", event.bound)
    except DriverError as error:
        if error.result not in ("CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_INVALID_HANDLE"):
            raise
        raise LaunchError(
            "event: it cannot be shared; make it by stream.record(timing=False, interprocess=True)", argument="event"
        ) from None
    return EventHandle(_content(handle), event.device.uuid, os.getpid())


def open_event(handle: EventHandle) -> GpuEvent:
    """Another process's event, for ``stream.wait`` and for the host. Raises as ``open_array``."""
    device = _device_of(handle.uuid, handle.process)
    opened = _filled(driver().CUipcEventHandle(), handle.event)
    return GpuEvent(device, cu("cuIpcOpenEventHandle", opened))


def _content(handle: Any) -> bytes:  # Any: a structure of the bindings, opaque in some of their versions
    return ctypes.string_at(handle.getPtr(), HANDLE_BYTES)


def _filled(handle: Any, content: bytes) -> Any:  # Any: as above
    ctypes.memmove(handle.getPtr(), content, HANDLE_BYTES)
    return handle


def _device_of(uuid: str, process: int) -> GpuDevice:
    """The GPU that a handle is of, current on this thread."""
    if process == os.getpid():
        raise LaunchError("handle: this process exported it itself; a handle is opened in another process")
    devices = [gpu(ordinal) for ordinal in range(int(cu("cuDeviceGetCount")))]
    for device in devices:
        if device.uuid == uuid:
            make_current(device.ordinal)
            return device
    seen = ", ".join(device.uuid for device in devices)
    raise UnavailableError(
        f"the handle is of {uuid}, and this process sees {seen}: set CUDA_VISIBLE_DEVICES so that it sees that GPU"
    )
