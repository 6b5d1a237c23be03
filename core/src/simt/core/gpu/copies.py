"""Copies and fills, in the order of the current stream.

A contiguous array is one copy; two or three strided axes are one 2-D or 3-D copy where the hardware's copy can say
them; the rest goes row by row. Source: CUDA Driver API, memory management.
"""
from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.errors import LaunchError
from simt.core.gpu.array import GpuArray
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

AnyArray = np.ndarray[Any, Any]  # Any: of every shape and dtype
HOST, DEVICE = 1, 2  # CUmemorytype


def copy_to_host(array: GpuArray) -> AnyArray:
    """A C-contiguous copy in host memory."""
    array.require_alive("this array")
    stream = array.stream()
    make_current(array.ordinal)
    for user in (array.allocation.home, *array.allocation.users):
        if user.handle != stream.handle:
            stream.wait(user)
    result = np.empty(array.shape, array.dtype)
    if array.size:
        _transfer(result.ctypes.data, HOST, result.strides, array.address, DEVICE, array.strides, array, stream.bound)
    stream.synchronize()
    return result


def copy_from(array: GpuArray, source: ArrayLike | GpuArray) -> None:
    """Overwrite ``array``.

    Raises:
        ValueError: shapes or dtypes differ.
    """
    array.require_alive("this array")
    values = source if isinstance(source, GpuArray) else np.asarray(source)
    if values.shape != array.shape or values.dtype != array.dtype:
        raise ValueError(
            f"cannot copy {values.dtype} of shape {values.shape} into {array.dtype} of shape {array.shape}"
        )
    if array.size == 0:
        return
    stream = array.stream()
    make_current(array.ordinal)
    array.allocation.used_on(stream)
    if isinstance(values, GpuArray):
        values.require_alive("source")
        values.allocation.used_on(stream)
        if values.ordinal != array.ordinal:
            _copy_peer(array, values)
            return
        _transfer(array.address, DEVICE, array.strides, values.address, DEVICE, values.strides, array, stream.bound)
        return
    host = values if all(stride > 0 for stride in values.strides) else np.ascontiguousarray(values)
    _transfer(array.address, DEVICE, array.strides, host.ctypes.data, HOST, host.strides, array, stream.bound)


def fill(array: GpuArray, value: Any) -> None:  # Any: what NumPy can assign
    """Set the elements to ``value``, broadcast."""
    array.require_alive("this array")
    if isinstance(value, GpuArray):
        copy_from(array, value)
        return
    if np.ndim(value) or array.dtype.itemsize not in (1, 2, 4) or not array.contiguous:
        values = np.empty(array.shape, array.dtype)
        values[...] = value
        copy_from(array, values)
        return
    if array.size == 0:
        return
    element = np.empty((), array.dtype)
    element[...] = value
    pattern = int.from_bytes(element.tobytes(), "little")
    stream = array.stream()
    make_current(array.ordinal)
    array.allocation.used_on(stream)
    name = {1: "cuMemsetD8Async", 2: "cuMemsetD16Async", 4: "cuMemsetD32Async"}[array.dtype.itemsize]
    cu(name, array.address, pattern, array.size, stream.bound)


def zero(array: GpuArray) -> None:
    """Set every byte to zero. The array is contiguous."""
    if array.nbytes:
        make_current(array.ordinal)
        cu("cuMemsetD8Async", array.address, 0, array.nbytes, array.stream().bound)


def _copy_peer(array: GpuArray, source: GpuArray) -> None:
    if not (array.contiguous and source.contiguous):
        raise LaunchError("a copy between two GPUs needs C-contiguous arrays on both sides; copy to one first")
    stream = array.stream()
    stream.wait(source.stream())
    to, by = array.device.context, source.device.context
    cu("cuMemcpyPeerAsync", array.address, to, source.address, by, array.nbytes, stream.bound)


Strides = tuple[int, ...]


def _transfer(
    to: int, to_kind: int, to_strides: Strides, source: int, source_kind: int, source_strides: Strides,
    array: GpuArray, stream: object,
) -> None:
    """Copy all elements. Addresses and strides are in bytes; ``array`` gives shape and element size."""
    shape, to_strides, source_strides, width = _merged(array.shape, to_strides, source_strides, array.dtype.itemsize)
    if len(shape) == 0:
        _linear(to, to_kind, source, source_kind, width, stream)
        return
    inner, rest = shape[-1], shape[:-1]
    two_axes = to_strides[-1] >= width and source_strides[-1] >= width
    for index in product(*map(range, rest)):
        start = [base + sum(i * s for i, s in zip(index, strides, strict=False))
                 for base, strides in ((to, to_strides), (source, source_strides))]
        if two_axes:
            _plane(start[0], to_kind, to_strides[-1], start[1], source_kind, source_strides[-1], width, inner, stream)
        else:
            for row in range(inner):
                _linear(start[0] + row * to_strides[-1], to_kind, start[1] + row * source_strides[-1], source_kind,
                        width, stream)


def _merged(shape: tuple[int, ...], first: Strides, second: Strides, itemsize: int) -> tuple[
    tuple[int, ...], Strides, Strides, int
]:
    """The axes left after those that both sides step through without gaps became one run of ``width`` bytes."""
    axes = [axis for axis, extent in enumerate(shape) if extent != 1]
    width = itemsize
    while axes and first[axes[-1]] == width == second[axes[-1]]:
        width *= shape[axes.pop()]
    kept = tuple(axes)
    return (tuple(shape[axis] for axis in kept), tuple(first[axis] for axis in kept),
            tuple(second[axis] for axis in kept), width)


def _linear(to: int, to_kind: int, source: int, source_kind: int, nbytes: int, stream: object) -> None:
    match to_kind, source_kind:
        case (2, 1):
            cu("cuMemcpyHtoDAsync", to, source, nbytes, stream)
        case (1, 2):
            cu("cuMemcpyDtoHAsync", to, source, nbytes, stream)
        case _:
            cu("cuMemcpyDtoDAsync", to, source, nbytes, stream)


def _plane(
    to: int, to_kind: int, to_pitch: int, source: int, source_kind: int, source_pitch: int, width: int, rows: int,
    stream: object,
) -> None:
    module = driver()
    copy = module.CUDA_MEMCPY2D()
    kinds = {HOST: module.CUmemorytype.CU_MEMORYTYPE_HOST, DEVICE: module.CUmemorytype.CU_MEMORYTYPE_DEVICE}
    copy.srcMemoryType, copy.dstMemoryType = kinds[source_kind], kinds[to_kind]
    if source_kind == HOST:
        copy.srcHost = source
    else:
        copy.srcDevice = source
    if to_kind == HOST:
        copy.dstHost = to
    else:
        copy.dstDevice = to
    copy.srcPitch, copy.dstPitch, copy.WidthInBytes, copy.Height = source_pitch, to_pitch, width, rows
    cu("cuMemcpy2DAsync", copy, stream)
