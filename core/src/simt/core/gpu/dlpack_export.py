"""Our arrays as DLPack capsules, for torch, JAX, CuPy and NumPy. Source: dlpack.h, DLPack 1.1."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from simt.core.runtime.dlpack import LEGACY_STREAM, UNORDERED, ManagedTensor, Tensor, VersionedTensor
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BF16
from simt.core.values.numpy_types import scalar_type_of_dtype

if TYPE_CHECKING:
    from simt.core.gpu.array import GpuArray

VERSION = (1, 1)
CODES = {Kind.SIGNED: 0, Kind.UNSIGNED: 1, Kind.FLOAT: 2, Kind.COMPLEX: 5, Kind.BOOL: 6}
BFLOAT = 4
_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_exported: dict[int, tuple[object, ...]] = {}  # by the tensor's address, until its consumer is done with it


def dlpack_code(element: ScalarType) -> int:
    """DLPack's code for the kind of a scalar type."""
    return BFLOAT if element == BF16 else CODES[element.kind]


def export(
    array: GpuArray, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None, copy: bool | None = None,
) -> Any:  # Any: a PyCapsule has no type
    """A capsule of ``array``; the consumer's ``stream`` waits for the work queued on the array.

    Raises:
        BufferError: a copy or another device is asked for, or the element type has no name in DLPack.
    """
    array.require_alive("this array")
    if copy:
        raise BufferError("a copy is not made here: write device.array(x) and export that")
    if dl_device not in (None, array.__dlpack_device__()):
        raise BufferError(f"the array lies on DLPack device {array.__dlpack_device__()}, not {dl_device}")
    element = scalar_type_of_dtype(array.dtype)
    if element is None or element.bits == 128 and not element.is_complex:
        raise BufferError(f"DLPack has no name for elements of {array.dtype}")
    _order(array, stream)
    versioned = max_version is not None and max_version[0] >= 1
    return _capsule(array, element, versioned)


def _order(array: GpuArray, stream: int | None) -> None:
    """Make the consumer's stream wait for all streams that use the array."""
    if stream == UNORDERED:
        return
    consumer = array.device.foreign_stream(stream or LEGACY_STREAM)
    for user in (array.allocation.home, *array.allocation.users):
        if user.handle != consumer.handle:
            consumer.wait(user)
    array.allocation.used_on(consumer)


def _capsule(array: GpuArray, element: ScalarType, versioned: bool) -> Any:  # Any: as export
    ndim = array.ndim
    shape = (ctypes.c_int64 * ndim)(*array.shape)
    strides = (ctypes.c_int64 * ndim)(*(stride // array.dtype.itemsize for stride in array.strides))
    device, ordinal = array.__dlpack_device__()
    managed = VersionedTensor() if versioned else ManagedTensor()
    tensor: Tensor = managed.tensor
    tensor.data, tensor.device_type, tensor.device_id, tensor.ndim = array.address, device, ordinal, ndim
    tensor.code, tensor.bits, tensor.lanes = dlpack_code(element), element.bits, 1
    tensor.shape, tensor.strides, tensor.byte_offset = shape, strides, 0
    managed.deleter = ctypes.cast(_delete, ctypes.c_void_p)
    if isinstance(managed, VersionedTensor):
        managed.major, managed.minor = VERSION
    address = ctypes.addressof(managed)
    _exported[address] = managed, shape, strides, array
    return _new_capsule(address, b"dltensor_versioned" if versioned else b"dltensor", _destroy)


@_Deleter
def _delete(address: int) -> None:
    """The consumer no longer uses the tensor."""
    _exported.pop(address, None)


@_Destructor
def _destroy(capsule: int) -> None:
    """A capsule that nobody consumed is gone; a consumer would have renamed it."""
    for name in (b"dltensor", b"dltensor_versioned"):
        if _is_valid(capsule, name):
            _exported.pop(_pointer(capsule, name), None)


_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destructor)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
