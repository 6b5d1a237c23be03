"""CUDA arrays: memory laid out for the texture hardware, which only copies, textures and surfaces reach.

Source: CUDA Driver API, cuArray3DCreate, cuMemcpy3D.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.errors import DriverError, LaunchError
from simt.core.gpu.allocation import Allocation, MemoryKind
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver
from simt.core.types import Kind

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.stream import GpuStream
    from simt.core.runtime.image import Texels
    from simt.core.types import ScalarType

SURFACE_LDST = 2  # CUDA_ARRAY3D_SURFACE_LDST
_KINDS = {Kind.UNSIGNED: "UNSIGNED_INT", Kind.SIGNED: "SIGNED_INT"}


def allocate_array(device: GpuDevice, texels: Texels, home: GpuStream, *, writable: bool) -> Allocation:
    """A CUDA array; its address is the ``CUarray``. ``writable``: kernels may write it through surfaces.

    One axis becomes a plane of one row, since the hardware does not read rows by whole indices.

    Raises:
        LaunchError: larger than the hardware's images.
        DriverError: out of memory.
    """
    make_current(device.ordinal)
    width, height, depth = (*reversed(texels.extents), *(1, 0)[len(texels.extents) - 1 :])
    described = driver().CUDA_ARRAY3D_DESCRIPTOR()
    described.Width, described.Height, described.Depth = width, height, depth
    described.Format, described.NumChannels = array_format(texels.channel), texels.channels
    described.Flags = SURFACE_LDST if writable else 0
    nbytes = int(np.prod(texels.extents, dtype=np.int64)) * texels.texel_bytes
    try:
        made = cu("cuArray3DCreate", described)
    except DriverError as error:
        limits = _limits(device, "SURFACE" if writable else "TEXTURE", len(texels.extents))
        fits = all(extent <= limit for extent, limit in zip(reversed(texels.extents), limits, strict=True))
        if error.result != "CUDA_ERROR_INVALID_VALUE" or fits:
            raise
        raise LaunchError(
            f"shape {texels.extents}: an image of {len(texels.extents)} axes on {device.short_name} has at most "
            f"{tuple(reversed(limits))} texels along them"
        ) from None
    return Allocation(device, MemoryKind.ARRAY, int(made), nbytes, home)


def array_format(channel: ScalarType) -> Any:  # Any: an enumeration of the bindings
    """The driver's format of one channel."""
    name = _KINDS.get(channel.kind)
    text = f"{name}{channel.bits}" if name else {16: "HALF", 32: "FLOAT"}[channel.bits]
    return getattr(driver().CUarray_format, f"CU_AD_FORMAT_{text}")


def copy_in(array: Allocation, texels: Texels, address: int, stream: GpuStream, *, from_device: bool) -> None:
    """Fill an array from contiguous memory at ``address``, in the stream's order."""
    copy = _box(texels)
    kinds = driver().CUmemorytype
    copy.dstMemoryType, copy.dstArray = kinds.CU_MEMORYTYPE_ARRAY, array.address
    copy.srcMemoryType = kinds.CU_MEMORYTYPE_DEVICE if from_device else kinds.CU_MEMORYTYPE_HOST
    if from_device:
        copy.srcDevice = address
    else:
        copy.srcHost = address
    copy.srcPitch, copy.srcHeight = copy.WidthInBytes, copy.Height
    array.used_on(stream)
    make_current(array.device.ordinal)
    cu("cuMemcpy3DAsync", copy, stream.bound)


def copy_out(array: Allocation, texels: Texels, stream: GpuStream) -> np.ndarray[Any, Any]:  # Any: any shape and dtype
    """A copy of an array in host memory, after all that uses it.

    Raises:
        DeviceFault: a kernel failed before.
    """
    make_current(array.device.ordinal)
    for user in (array.home, *array.users):
        if user.handle != stream.handle:
            stream.wait(user)
    result = np.empty(texels.shape, texels.dtype)
    copy = _box(texels)
    kinds = driver().CUmemorytype
    copy.srcMemoryType, copy.srcArray = kinds.CU_MEMORYTYPE_ARRAY, array.address
    copy.dstMemoryType, copy.dstHost = kinds.CU_MEMORYTYPE_HOST, result.ctypes.data
    copy.dstPitch, copy.dstHeight = copy.WidthInBytes, copy.Height
    cu("cuMemcpy3DAsync", copy, stream.bound)
    stream.synchronize()
    return result


def _box(texels: Texels) -> Any:  # Any: a structure of the bindings
    """A copy of the whole array, both ends left open."""
    copy = driver().CUDA_MEMCPY3D()
    width, height, depth = (*reversed(texels.extents), 1, 1)[:3]
    copy.WidthInBytes, copy.Height, copy.Depth = width * texels.texel_bytes, height, depth
    return copy


def _limits(device: GpuDevice, use: str, ndim: int) -> list[int]:
    """The largest extents, x first."""
    names = ("WIDTH", "HEIGHT", "DEPTH")[:ndim]
    return [device.attribute(f"MAXIMUM_{use}{max(2, ndim)}D_{name}") for name in names]
