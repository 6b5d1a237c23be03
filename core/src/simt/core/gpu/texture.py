"""Textures and surfaces of a GPU: the driver's objects over a CUDA array.

An object is destroyed, and then its array freed, after everything that streams have been given with it so far.
Source: CUDA Driver API, Texture Object Management, Surface Object Management.
"""
from __future__ import annotations

import os
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from simt.core.errors import LaunchError
from simt.core.gpu.callback import when_allowed
from simt.core.gpu.context import make_current
from simt.core.gpu.cuda_array import allocate_array, copy_in, copy_out
from simt.core.image_description import Filter
from simt.core.runtime.cpu_image import CpuSurface, CpuTexture
from simt.core.runtime.cuda_driver import cu, driver
from simt.core.runtime.image import HostImage, Sampling, Texels, host_texels, surface_type, texture_type
from simt.core.runtime.memory import Memory, memory_of

if TYPE_CHECKING:
    from simt.core.gpu.allocation import Allocation
    from simt.core.gpu.device import GpuDevice
    from simt.core.types import ImageType

READ_AS_INTEGER, NORMALIZED_COORDINATES = 1, 2  # CU_TRSF flags
ONE_BYTE = np.dtype(np.uint8)


class GpuImage(HostImage):
    """A CUDA array and an object of the driver through which kernels reach it."""

    launch_checks: ClassVar[tuple[str, ...]] = ("ordinal",)
    after_launch: ClassVar[tuple[str, ...]] = (
        "if {name}.allocation.home is not used: {name}.allocation.used_on(used)",
    )

    def __init__(self, type: ImageType, texels: Texels, allocation: Allocation, created: Any, destroy: str) -> None:
        self.type = type
        self.texels = texels
        self.allocation = allocation
        self.device = allocation.device
        self.ordinal = allocation.device.ordinal
        self._handle = int(created)
        ending = weakref.finalize(self, _destroy, destroy, created, allocation, os.getpid())
        ending.atexit = False  # CUDA frees all by itself when the process ends

    @property
    def handle(self) -> int:
        """The ``CUtexObject`` or ``CUsurfObject``."""
        return self._handle

    @property
    def span(self) -> tuple[int, int]:
        """The array, which has no addresses: its handle, which is no address of anything else."""
        return self.allocation.address, self.allocation.address + 1

    def memory(self, argument: str) -> Memory:
        """The array, as one byte at its handle."""
        kind = type(self).__name__
        return Memory(self.allocation.address, ONE_BYTE, (1,), (1,), True, self, kind, self.ordinal, on_host=False)

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy of the elements in host memory; waits for everything that uses the array.

        Raises:
            DeviceFault: a kernel failed before.
        """
        return copy_out(self.allocation, self.texels, self.device.stream_in_use())

    def copy_from(self, source: object) -> None:
        """Overwrite all elements with those of ``source``, of the same shape and dtype, in the current stream's order.

        Raises:
            ValueError: shapes or dtypes differ.
        """
        stream = self.device.stream_in_use()
        memory = memory_of(source, "source")
        if memory is None or memory.gpu is None or memory.on_host:
            values = host_texels(source, self.texels)
            copy_in(self.allocation, self.texels, values.ctypes.data, stream, from_device=False)
            return
        if memory.gpu != self.ordinal or not memory.is_contiguous():
            raise LaunchError("the source is on another GPU, or not C-contiguous; write source.numpy()")
        expected = self.texels.shape, self.texels.dtype
        fields = memory.dtype.names
        shape = memory.shape if fields is None else (*memory.shape, len(fields))
        if (shape, memory.dtype if fields is None else memory.dtype[0]) != expected:
            raise ValueError(
                f"cannot copy {memory.dtype} of shape {memory.shape} into {expected[1]} of shape {expected[0]}"
            )
        if memory.stream not in (None, stream.handle):
            stream.wait(self.device.foreign_stream(memory.stream))
        copy_in(self.allocation, self.texels, memory.address, stream, from_device=True)
        used = getattr(memory.owner, "allocation", None)
        if used is not None:
            used.used_on(stream)


class GpuTexture(GpuImage):
    """A texture of a GPU. ``device.texture`` makes one."""

    def __init__(self, texels: Texels, sampling: Sampling, allocation: Allocation) -> None:
        make_current(allocation.device.ordinal)
        made = cu("cuTexObjectCreate", _resource(allocation), _described(texels, sampling), None)
        super().__init__(texture_type(texels, sampling), texels, allocation, made, "cuTexObjectDestroy")
        self.sampling = sampling

    @property
    def filter(self) -> str:
        """``"point"`` or ``"linear"``."""
        return self.sampling.filter.name.lower()


class GpuSurface(GpuImage):
    """A surface of a GPU. ``device.surface`` makes one."""

    def __init__(self, texels: Texels, allocation: Allocation) -> None:
        make_current(allocation.device.ordinal)
        made = cu("cuSurfObjectCreate", _resource(allocation))
        super().__init__(surface_type(texels), texels, allocation, made, "cuSurfObjectDestroy")


def gpu_texture(device: GpuDevice, texels: Texels, sampling: Sampling, source: object) -> GpuTexture:
    """A texture with the elements of ``source``; of a surface of this GPU, a texture over the same texels."""
    if isinstance(source, GpuSurface) and source.device is device:
        return GpuTexture(texels, sampling, source.allocation)
    made = GpuTexture(texels, sampling, allocate_array(device, texels, device.stream_in_use(), writable=False))
    made.copy_from(source.numpy() if isinstance(source, HostImage) else source)
    return made


def gpu_surface(device: GpuDevice, texels: Texels) -> GpuSurface:
    """A surface, all texels zero."""
    made = GpuSurface(texels, allocate_array(device, texels, device.stream_in_use(), writable=True))
    made.copy_from(device.zeros(texels.shape, texels.dtype))
    return made


def gpu_image(device: GpuDevice, image: HostImage) -> HostImage:
    """An image of the CPU device as one of a GPU, its texels copied; others as they are."""
    match image:
        case CpuTexture(texels=texels, sampling=sampling):
            return gpu_texture(device, texels, sampling, image)
        case CpuSurface(texels=texels):
            made = gpu_surface(device, texels)
            made.copy_from(image.numpy())
            return made
        case _:
            return image


def _resource(allocation: Allocation) -> Any:  # Any: a structure of the bindings
    module = driver()
    resource = module.CUDA_RESOURCE_DESC()
    resource.resType = module.CUresourcetype.CU_RESOURCE_TYPE_ARRAY
    resource.res.array.hArray = allocation.address
    return resource


def _described(texels: Texels, sampling: Sampling) -> Any:  # Any: a structure of the bindings
    module = driver()
    described = module.CUDA_TEXTURE_DESC()
    described.addressMode = [module.CUaddress_mode(int(mode)) for mode in sampling.address]
    linear = sampling.filter is Filter.LINEAR
    modes = module.CUfilter_mode
    described.filterMode = modes.CU_TR_FILTER_MODE_LINEAR if linear else modes.CU_TR_FILTER_MODE_POINT
    described.flags = NORMALIZED_COORDINATES if sampling.normalized else 0
    if texels.channel.is_integer and not sampling.as_float:
        described.flags |= READ_AS_INTEGER
    described.borderColor = list(sampling.border)
    return described


def _destroy(function: str, created: object, allocation: Allocation, process: int) -> None:
    when_allowed(process, partial(_end, function, created, allocation))


def _end(function: str, created: object, allocation: Allocation) -> None:
    make_current(allocation.device.ordinal)
    for stream in (allocation.home, *allocation.users):
        cu("cuStreamSynchronize", stream.bound)
    cu(function, created)
