"""Arrays of the CPU device: NumPy memory under the interface that arrays of every device have."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.values.numpy_types import NumpyType

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ALIGNMENT = 64  # bytes: a cache line, and the widest vector register
Index = Any  # Any: an integer, slice, ellipsis, None or tuple of those, as NumPy defines basic indexing


class CpuArray:
    """Memory of the CPU device. Make one with ``device.array`` and its sisters.

    ``numpy()`` copies out, ``copy_from`` copies in; basic slices are views. Libraries read it without a copy through
    DLPack and the array interface.
    """

    __slots__ = ("__weakref__", "address", "contiguous", "dtype", "memory", "nbytes", "shape", "size", "strides")

    def __init__(self, memory: np.ndarray[Any, Any]) -> None:  # Any: arrays of every shape and dtype
        self.memory = memory
        self.dtype: NumpyType = memory.dtype
        self.shape: tuple[int, ...] = memory.shape
        self.strides: tuple[int, ...] = memory.strides
        self.size: int = memory.size
        self.nbytes: int = memory.nbytes
        self.contiguous: bool = memory.flags.c_contiguous
        self.address: int = memory.ctypes.data

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy of the elements, C-contiguous."""
        return self.memory.copy(order="C")

    def copy_from(self, source: ArrayLike | CpuArray) -> None:
        """Overwrite all elements with those of ``source``, of the same shape and dtype.

        Raises:
            ValueError: shapes or dtypes differ.
        """
        values = np.asarray(source)
        if values.shape != self.shape or values.dtype != self.dtype:
            raise ValueError(
                f"cannot copy {values.dtype} of shape {values.shape} into {self.dtype} of shape {self.shape}"
            )
        self.memory[...] = values

    def reshape(self, *shape: int) -> CpuArray:
        """The same memory under another shape; the array must be C-contiguous.

        Raises:
            ValueError: not contiguous, or another number of elements.
        """
        if not self.contiguous:
            raise ValueError("only a C-contiguous array can be reshaped without a copy")
        return CpuArray(self.memory.reshape(*shape))

    def __getitem__(self, index: Index, /) -> Any:  # Any: a CpuArray, or the element as a NumPy scalar
        selected = self.memory[index]
        if np.ndim(selected) > 0:
            if not np.may_share_memory(selected, self.memory):
                raise TypeError("only integers, slices and ... select a part of a CpuArray; use numpy() for the rest")
            return CpuArray(selected)
        return selected

    def __setitem__(self, index: Index, value: Any, /) -> None:  # Any: what NumPy can assign
        self.memory[index] = value

    def __len__(self) -> int:
        return len(self.memory)

    def __iter__(self) -> Iterator[Any]:  # Any: as __getitem__
        return (self[position] for position in range(len(self)))

    def __repr__(self) -> str:
        return f"CpuArray(shape={self.shape}, dtype={self.dtype})"

    @property
    def __array_interface__(self) -> dict[str, Any]:  # Any: the protocol's mixed dictionary
        return self.memory.__array_interface__

    def __dlpack__(self, **arguments: Any) -> Any:  # Any: the protocol's own types
        return self.memory.__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def allocate(shape: int | tuple[int, ...], dtype: NumpyType, *, zero: bool = False) -> np.ndarray[Any, Any]:
    """C-contiguous memory, aligned for every access; uninitialised unless ``zero``."""
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    nbytes = dtype.itemsize
    for extent in extents:
        nbytes *= extent
    buffer = np.zeros(nbytes + ALIGNMENT, np.uint8) if zero else np.empty(nbytes + ALIGNMENT, np.uint8)
    start = -buffer.ctypes.data % ALIGNMENT
    return np.ndarray(extents, dtype, buffer, start)
