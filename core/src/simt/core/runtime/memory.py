"""One view of every library's arrays: where they lie, address, element, shape, strides, and whether writable."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from simt.core.errors import LaunchError
from simt.core.runtime.cpu_array import CpuArray
from simt.core.runtime.dlpack import (
    DEVICES,
    GPU_ACCESSIBLE,
    HOST_ACCESSIBLE,
    LEGACY_STREAM,
    NO_STREAM,
    Exporter,
    read_dlpack,
)
from simt.core.runtime.library_stream import library_stream
from simt.core.types.layout import size_of
from simt.core.values.numpy_types import DTYPES, NumpyType

AnyArray = np.ndarray[Any, Any]  # Any: shape and dtype are what is being found out


@dataclass(frozen=True, slots=True)
class Memory:
    """An array. ``strides`` in bytes; ``owner`` keeps the memory alive; ``kind`` names its class.

    ``gpu`` is the number of the GPU it lies on or is addressed from, None for host memory alone; ``on_host`` whether
    the host may address it. ``stream`` is the handle of the stream after whose work the array may be used.
    """

    address: int
    dtype: NumpyType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool
    owner: object
    kind: str
    gpu: int | None = None
    on_host: bool = True
    stream: int | None = None

    @property
    def size(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def is_contiguous(self) -> bool:
        """C order without gaps. Axes of one element may have any stride; an array without elements always is."""
        if self.size == 0:
            return True
        step = self.dtype.itemsize
        for extent, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if extent != 1 and stride != step:
                return False
            step *= extent
        return True

    def byte_bounds(self) -> tuple[int, int]:
        """First byte and the byte after the last one that any element occupies."""
        if self.size == 0:
            return self.address, self.address
        low = high = self.address
        for extent, stride in zip(self.shape, self.strides, strict=True):
            reach = (extent - 1) * stride
            low, high = (low + reach, high) if reach < 0 else (low, high + reach)
        return low, high + self.dtype.itemsize

    def as_numpy(self) -> AnyArray:
        """The same memory as a NumPy array."""
        low, high = self.byte_bounds()
        buffer = memoryview((ctypes.c_char * (high - low)).from_address(low))
        return np.ndarray(self.shape, self.dtype, buffer, self.address - low, self.strides)


Located = tuple[str, Memory]
"""An array with the name of its argument."""


def read_with(kind: type, reader: Callable[[Any, str], Memory]) -> None:  # Any: an instance of kind
    """Have ``reader(value, argument)`` read arrays of exactly the class ``kind``."""
    _READERS[kind] = reader


def memory_of(value: object, argument: str) -> Memory | None:
    """The memory behind an array of ours, of NumPy, or of any library that exports the array interface, DLPack or the
    CUDA array interface; None for what is no array.

    Raises:
        LaunchError: memory that no target of ours reaches, freed memory, or a mask that hides part of it.
    """
    reader = _READERS.get(value.__class__)
    if reader is not None:
        return reader(value, argument)
    if isinstance(value, np.ndarray):
        array = cast("AnyArray", value)
        if hasattr(array, "filled"):
            raise LaunchError(
                f"argument {argument}: a masked array given, and kernels see no mask; write {argument}.filled(value) "
                f"for an input, or pass {argument}.data", argument=argument,
            )
        return _from_numpy(array, array, "ndarray")
    if isinstance(value, np.generic):
        return None
    if hasattr(value, "__array_interface__"):
        return _from_numpy(np.asarray(value), value, type(value).__name__)
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _from_dlpack(cast("Exporter", value), argument)
    if hasattr(value, "__cuda_array_interface__"):
        from simt.core.runtime.cuda_array import from_cuda_array

        return from_cuda_array(value, argument)
    return None


def address_of(array: AnyArray) -> int:
    """Address of the first element, by the array interface for C: a third of the time of ``ctypes.data``."""
    capsule: object = array.__array_struct__
    pointer = _capsule_pointer(capsule, None)
    return ctypes.c_void_p.from_address(pointer + DATA_OFFSET).value or 0


# PyArrayInterface (NumPy manual, the array interface protocol, C-struct access): two, nd, typekind, itemsize, flags,
# shape, strides, data.
DATA_OFFSET = 40
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def contiguous_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Strides in bytes of C order."""
    strides: list[int] = []
    step = itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(reversed(strides))


def _from_numpy(array: AnyArray, owner: object, kind: str) -> Memory:
    return Memory(address_of(array), array.dtype, array.shape, array.strides, array.flags.writeable, owner, kind)


def _from_dlpack(exporter: Exporter, argument: str) -> Memory:
    kind = type(exporter).__name__
    device, ordinal = exporter.__dlpack_device__()
    on_gpu = device in GPU_ACCESSIBLE
    if device not in HOST_ACCESSIBLE and not on_gpu:
        where = DEVICES.get(device, f"DLPack device type {device}")
        raise LaunchError(
            f"argument {argument}: {kind} lies on {where}, which no target reaches; copy it to the host first",
            argument=argument,
        )
    stream = library_stream(exporter, ordinal) if on_gpu else None
    try:
        found = read_dlpack(exporter, stream if on_gpu else NO_STREAM)
    except BufferError as error:  # such as torch's for tensors that record gradients
        message = f"argument {argument}: {kind} does not give its memory away: {error}"
        raise LaunchError(message, argument=argument) from error
    if found.element is None:
        raise LaunchError(
            f"argument {argument}: {kind} holds {found.description}, which no scalar type has", argument=argument
        )
    if on_gpu and stream is None:
        stream = LEGACY_STREAM  # where read_dlpack has had the exporter order its work before
    width = size_of(found.element)
    strides = tuple(stride * width for stride in found.strides)
    return Memory(
        found.address, DTYPES[found.element], found.shape, strides, found.writable, (exporter, found.capsule), kind,
        ordinal if on_gpu else None, device in HOST_ACCESSIBLE, stream,
    )


_READERS: dict[type, Callable[[Any, str], Memory]] = {}  # Any: as read_with
read_with(CpuArray, lambda array, _: _from_numpy(array.memory, array, "CpuArray"))
