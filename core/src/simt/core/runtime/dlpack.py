"""Reading a DLPack capsule: the address, shape and strides of any library's array, without a copy.

Read here rather than by ``numpy.from_dlpack``, which knows no bfloat16 and calls every array of the unversioned
protocol read-only. Layout: dlpack.h, DLPack 1.1, structures DLManagedTensor and DLManagedTensorVersioned.
"""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Protocol

from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, BOOL, BY_NAME

CPU = 1
LEGACY_STREAM, UNORDERED = 1, -1  # values of the protocol's argument ``stream``
READ_ONLY = 1
DEVICES = {1: "the CPU", 2: "a CUDA device", 3: "pinned host memory", 4: "an OpenCL device", 8: "a Metal device",
           10: "a ROCm device", 13: "CUDA managed memory"}
HOST_ACCESSIBLE = (1, 3, 13)
GPU_ACCESSIBLE = (2, 13)
NO_STREAM = "host"  # for arrays in host memory, which have no stream
LETTERS = {0: "i", 1: "u", 2: "f", 5: "c"}


class Exporter(Protocol):
    """An object with the two methods of the DLPack protocol."""

    def __dlpack__(self, **arguments: Any) -> Any: ...  # Any: the protocol's own types; a PyCapsule has none
    def __dlpack_device__(self) -> tuple[int, int]: ...


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class ManagedTensor(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = (("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class VersionedTensor(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor),
    )


@dataclass(frozen=True, slots=True)
class Imported:
    """What a capsule says. ``strides`` in elements. ``capsule`` keeps the memory alive."""

    address: int
    element: ScalarType | None
    description: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool
    capsule: object


def read_dlpack(exporter: Exporter, stream: int | str | None) -> Imported:
    """The array behind ``exporter``.

    Args:
        stream: the stream the exporter's library works in, which the caller orders itself; None where that is not
            known and the exporter shall order its work before the legacy default stream; ``NO_STREAM`` on the host.
    """
    wanted: dict[str, Any] = {}  # Any: as __dlpack__
    if stream != NO_STREAM:
        wanted["stream"] = LEGACY_STREAM if stream is None else UNORDERED
    try:
        capsule = exporter.__dlpack__(max_version=(1, 1), **wanted)
    except TypeError:  # an exporter of the protocol before versions
        capsule = exporter.__dlpack__(**wanted)
    name = _capsule_name(capsule)
    if name == b"dltensor_versioned":
        versioned = VersionedTensor.from_address(_capsule_pointer(capsule, name))
        tensor, writable = versioned.tensor, not versioned.flags & READ_ONLY
    else:
        tensor, writable = Tensor.from_address(_capsule_pointer(capsule, name)), True
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    strides = tuple(tensor.strides[axis] for axis in range(tensor.ndim)) if tensor.strides else _contiguous(shape)
    element, description = _element(tensor)
    return Imported((tensor.data or 0) + tensor.byte_offset, element, description, shape, strides, writable, capsule)


def _element(tensor: Tensor) -> tuple[ScalarType | None, str]:
    if tensor.lanes == 1:
        match tensor.code:
            case 4:
                return BF16, "bf16"
            case 6:
                return BOOL, "bool"
            case code if code in LETTERS:
                name = f"{LETTERS[code]}{tensor.bits}"
                return BY_NAME.get(name), name
            case _:
                pass
    return None, f"DLPack type ({tensor.code}, {tensor.bits} bits, {tensor.lanes} lanes)"


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
