"""One view of every kind of host array: address, element, shape, strides, and whether it may be written."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from simt.core.errors import LaunchError
from simt.core.runtime.cpu_array import CpuArray
from simt.core.runtime.dlpack import DEVICES, HOST_ACCESSIBLE, Exporter, read_dlpack
from simt.core.types.layout import size_of
from simt.core.values.numpy_types import DTYPES, NumpyType

AnyArray = np.ndarray[Any, Any]  # Any: shape and dtype are what is being found out


@dataclass(frozen=True, slots=True)
class HostMemory:
    """An array in host memory. ``strides`` in bytes; ``owner`` keeps the memory alive; ``kind`` names its class."""

    address: int
    dtype: NumpyType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool
    owner: object
    kind: str

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


def host_memory(value: object, argument: str) -> HostMemory | None:
    """The memory behind a NumPy array, ``CpuArray``, or exporter of the array interface or DLPack; None for the rest.

    Raises:
        LaunchError: the memory is on another device, or a mask hides part of it.
    """
    if isinstance(value, CpuArray):
        return _from_numpy(value.memory, value, "CpuArray")
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
        raise LaunchError(
            f"argument {argument}: {type(value).__name__} lies on a CUDA device, this launch is on the CPU; "
            f"copy it to the host first", argument=argument,
        )
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


def _from_numpy(array: AnyArray, owner: object, kind: str) -> HostMemory:
    return HostMemory(address_of(array), array.dtype, array.shape, array.strides, array.flags.writeable, owner, kind)


def _from_dlpack(exporter: Exporter, argument: str) -> HostMemory:
    kind = type(exporter).__name__
    device, _ = exporter.__dlpack_device__()
    if device not in HOST_ACCESSIBLE:
        where = DEVICES.get(device, f"DLPack device type {device}")
        raise LaunchError(
            f"argument {argument}: {kind} lies on {where}, this launch is on the CPU; copy it to the host first",
            argument=argument,
        )
    found = read_dlpack(exporter)
    if found.element is None:
        raise LaunchError(
            f"argument {argument}: {kind} holds {found.description}, which no scalar type has", argument=argument
        )
    width = size_of(found.element)
    strides = tuple(stride * width for stride in found.strides)
    return HostMemory(
        found.address, DTYPES[found.element], found.shape, strides, found.writable, (exporter, found.capsule), kind
    )
