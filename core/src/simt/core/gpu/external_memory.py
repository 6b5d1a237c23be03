"""Memory and semaphores that another interface, such as Vulkan, exported as file descriptors.

The driver takes a descriptor over when it is imported: do not close it. Source: CUDA Driver API, external resource
interoperability.
"""
from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.errors import LaunchError
from simt.core.gpu.allocation import Allocation, MemoryKind
from simt.core.gpu.array import GpuArray, empty_array
from simt.core.gpu.callback import destroy
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver
from simt.core.runtime.dtypes import as_dtype

if TYPE_CHECKING:
    from simt.core.device import Shape
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.stream import GpuStream

DEDICATED = 1  # CUDA_EXTERNAL_MEMORY_DEDICATED


class ExternalMemory:
    """Memory of ``nbytes`` bytes behind an opaque file descriptor. ``array`` gives views; they keep it.

    ``dedicated``: the memory belongs to one resource of the other interface, as Vulkan's dedicated allocations do.
    """

    def __init__(self, device: GpuDevice, fd: int, nbytes: int, *, dedicated: bool = False) -> None:
        """Import a descriptor.

        Raises:
            DriverError: not a descriptor of memory, or of another size.
        """
        module = driver()
        described = module.CUDA_EXTERNAL_MEMORY_HANDLE_DESC()
        described.type = module.CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD
        described.handle.fd = fd
        described.size = nbytes
        described.flags = DEDICATED if dedicated else 0
        make_current(device.ordinal)
        self.device = device
        self.nbytes = nbytes
        self.bound = cu("cuImportExternalMemory", described)
        weakref.finalize(self, destroy, "cuDestroyExternalMemory", self.bound, device.ordinal, os.getpid())

    def array(self, shape: Shape, dtype: object, *, offset: int = 0) -> GpuArray:
        """A C-contiguous array ``offset`` bytes into the memory.

        Raises:
            LaunchError: it does not lie inside.
        """
        kind = as_dtype(dtype)
        extents = shape if isinstance(shape, tuple) else (shape,)
        needed = int(np.prod(extents, dtype=np.int64)) * kind.itemsize
        if offset < 0 or needed <= 0 or offset + needed > self.nbytes:
            raise LaunchError(
                f"shape {extents} of {kind} takes bytes {offset} to {offset + needed}, and there are {self.nbytes}",
                argument="shape",
            )
        described: Any = driver().CUDA_EXTERNAL_MEMORY_BUFFER_DESC()  # Any: a structure of the bindings
        described.offset, described.size, described.flags = offset, needed, 0
        make_current(self.device.ordinal)
        address = int(cu("cuExternalMemoryGetMappedBuffer", self.bound, described))
        mapping = _Mapping(self, address)
        home = self.device.stream_in_use()
        return empty_array(Allocation(self.device, MemoryKind.MAPPED, address, needed, home, mapping), kind, extents)


class _Mapping:
    """A mapped part of the memory, which it keeps until it is called or gone."""

    def __init__(self, memory: ExternalMemory, address: int) -> None:
        self.memory: ExternalMemory | None = memory
        self.address = address

    def __call__(self) -> None:
        cu("cuMemFree", self.address)
        self.memory = None


class ExternalSemaphore:
    """A semaphore behind an opaque file descriptor: binary, or a ``timeline`` whose value only grows."""

    def __init__(self, device: GpuDevice, fd: int, *, timeline: bool = False) -> None:
        """Import a descriptor.

        Raises:
            DriverError: not a descriptor of such a semaphore.
        """
        module = driver()
        kinds = module.CUexternalSemaphoreHandleType
        described = module.CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC()
        described.type = (kinds.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD if timeline
                          else kinds.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD)
        described.handle.fd = fd
        make_current(device.ordinal)
        self.device = device
        self.timeline = timeline
        self.bound = cu("cuImportExternalSemaphore", described)
        weakref.finalize(self, destroy, "cuDestroyExternalSemaphore", self.bound, device.ordinal, os.getpid())

    def signal(self, stream: GpuStream, value: int = 0) -> None:
        """Have ``stream`` signal it after the work now in the stream; ``value`` is a timeline's new one."""
        parameters = driver().CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS()
        self._queue("cuSignalExternalSemaphoresAsync", parameters, stream, value)

    def wait(self, stream: GpuStream, value: int = 0) -> None:
        """Have later work of ``stream`` wait until it is signalled, a timeline until it has reached ``value``."""
        parameters = driver().CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS()
        self._queue("cuWaitExternalSemaphoresAsync", parameters, stream, value)

    def _queue(self, function: str, parameters: Any, stream: GpuStream, value: int) -> None:  # Any: as above
        if value and not self.timeline:
            raise LaunchError(f"value {value}: a binary semaphore has no value; import it with timeline=True")
        parameters.params.fence.value = value
        make_current(self.device.ordinal)
        cu(function, [self.bound], [parameters], 1, stream.bound)
