"""Arrays in memory that a GPU reaches."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from simt.core.errors import LaunchError
from simt.core.gpu.allocation import Allocation, MemoryKind
from simt.core.gpu.launch_extension import DescribedArray
from simt.core.gpu.stream import GpuStream
from simt.core.runtime.fast_path import OWN_ARRAYS, OwnArray
from simt.core.runtime.memory import Memory, contiguous_strides, read_with
from simt.core.values.numpy_types import NumpyType

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


Index = Any  # Any: an integer, slice, ellipsis, None or tuple of those, as NumPy defines basic indexing


class GpuArray(DescribedArray):
    """Memory of a GPU. Make one with ``device.array`` and its sisters; basic slices are views.

    ``numpy()`` copies out and waits; ``copy_from`` copies in. Other libraries read it without a copy through DLPack and
    ``__cuda_array_interface__``. ``strides`` are in bytes.
    """

    __slots__ = (
        "__weakref__", "address", "allocation", "contiguous", "device", "dtype", "nbytes", "ordinal", "shape", "size",
        "strides",
    )

    def __init__(
        self, allocation: Allocation, address: int, dtype: NumpyType, shape: tuple[int, ...], strides: tuple[int, ...],
    ) -> None:
        self.allocation = allocation
        self.device = allocation.device
        self.ordinal = allocation.device.ordinal
        self.address = address
        self.dtype = dtype
        self.shape = shape
        self.strides = strides
        self.size = int(np.prod(shape, dtype=np.int64))
        self.nbytes = self.size * dtype.itemsize
        self.contiguous = self.size == 0 or _layout(self).flags.c_contiguous
        self.describe(address, self.size, dtype, shape, strides, self.contiguous, self.ordinal, allocation)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def kind(self) -> MemoryKind:
        """Where the memory lies."""
        return self.allocation.kind

    @property
    def is_freed(self) -> bool:
        """Whether ``free`` has given the memory back."""
        return not self.allocation.alive

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy of the elements in host memory, C-contiguous; waits for everything that uses the array.

        Raises:
            DeviceFault: a kernel failed before.
        """
        from simt.core.gpu.copies import copy_to_host

        return copy_to_host(self)

    def host_view(self) -> np.ndarray[Any, Any]:
        """The memory itself as a NumPy array, for pinned and managed arrays. Wait for kernels before you look.

        Raises:
            LaunchError: device memory, which the host cannot address.
        """
        self.require_alive("this array")
        if not self.kind.on_host:
            raise LaunchError("the array is device memory, which the host cannot read in place; write array.numpy()")
        return _HostView(self).as_array()

    def copy_from(self, source: ArrayLike | GpuArray) -> None:
        """Overwrite all elements with those of ``source``, of the same shape and dtype, in the current stream's order.

        Raises:
            ValueError: shapes or dtypes differ.
        """
        from simt.core.gpu.copies import copy_from

        copy_from(self, source)

    def fill(self, value: object) -> None:
        """Set the elements, in the current stream's order. ``value`` converts and broadcasts as in NumPy assignment."""
        from simt.core.gpu.copies import fill

        fill(self, value)

    def reshape(self, *shape: int) -> GpuArray:
        """The same memory under another shape; the array must be C-contiguous.

        Raises:
            ValueError: not contiguous, or another number of elements.
        """
        if not self.contiguous:
            raise ValueError("only a C-contiguous array can be reshaped without a copy")
        return self._view(_layout(self).reshape(*shape))

    def free(self) -> None:
        """Give the memory back now, in stream order; launches refuse the array and its views from then on."""
        self.allocation.free()

    def require_alive(self, argument: str) -> None:
        """Raises ``LaunchError`` where the memory has been freed."""
        if self.is_freed:
            raise LaunchError(f"argument {argument}: the array was freed by free(); make a new one", argument=argument)

    def stream(self) -> GpuStream:
        """The stream that work on this array goes to: this thread's current one, or the device's default."""
        return self.device.stream_in_use()

    def __getitem__(self, index: Index, /) -> Any:  # Any: a GpuArray, or one element as a NumPy scalar
        selected = self._view(_layout(self)[_basic(index)])
        return selected if selected.ndim else selected.numpy()[()]

    def __setitem__(self, index: Index, value: Any, /) -> None:  # Any: what NumPy can assign
        self._view(_layout(self)[_basic(index)]).fill(value)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of no axes has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        freed = ", freed" if self.is_freed else ""
        return f"GpuArray(shape={self.shape}, dtype={self.dtype}, on {self.device.short_name}{freed})"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:  # Any: the protocol's mixed dictionary
        self.require_alive("this array")
        strides = None if self.contiguous else self.strides
        return {
            "shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False), "strides": strides,
            "version": 3, "stream": self.stream().handle,
        }

    def __dlpack__(self, **arguments: Any) -> Any:  # Any: the protocol's own types
        from simt.core.gpu.dlpack_export import export

        return export(self, **arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return {MemoryKind.PINNED: 3, MemoryKind.MANAGED: 13}.get(self.kind, 2), self.ordinal

    def _view(self, layout: np.ndarray[Any, Any]) -> GpuArray:
        offset = layout.__array_interface__["data"][0] - BASE if self.size else 0
        return GpuArray(self.allocation, self.address + offset, self.dtype, layout.shape, layout.strides)


def _basic(index: Index) -> tuple[Any, ...]:  # Any: as Index
    """The index as a tuple that gives a view: NumPy would read memory for anything else.

    Raises:
        TypeError: neither integers, slices, None nor ``...``.
    """
    parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    for part in parts:
        plain = part is None or part is ... or isinstance(part, slice)
        if isinstance(part, bool | np.bool_) or not (plain or isinstance(part, int | np.integer)):
            raise TypeError(
                f"{part!r} does not index a GpuArray: only integers, slices, None and ... do; use numpy() for the rest"
            )
    return parts if any(part is ... for part in parts) else (*parts, ...)


BASE = 1 << 40  # a made-up address for arrays whose memory NumPy never touches


def _layout(array: GpuArray) -> np.ndarray[Any, Any]:
    """A NumPy array of the same shape and strides at a made-up address: its views tell where ours would be."""
    return np.asarray(_Layout(array))


class _Layout:
    """An exporter of the array interface whose data must not be read."""

    def __init__(self, array: GpuArray) -> None:
        self.__array_interface__ = {
            "shape": array.shape, "typestr": f"|V{array.dtype.itemsize}", "data": (BASE, False),
            "strides": array.strides, "version": 3,
        }


class _HostView:
    """Keeps a pinned or managed array alive for its NumPy view."""

    def __init__(self, array: GpuArray) -> None:
        self.array = array

    def as_array(self) -> np.ndarray[Any, Any]:
        """The view; its base keeps this object, and so the memory."""
        array = self.array
        end = max((sum((extent - 1) * stride for extent, stride in zip(array.shape, array.strides, strict=True))), 0)
        buffer = (ctypes.c_char * (end + array.dtype.itemsize if array.size else 0)).from_address(array.address)
        buffer.owner = array  # pyright: ignore[reportAttributeAccessIssue] -- ctypes objects take attributes
        return np.ndarray(array.shape, array.dtype, memoryview(buffer), 0, array.strides)


def empty_array(
    allocation: Allocation, dtype: NumpyType, shape: tuple[int, ...], strides: tuple[int, ...] | None = None
) -> GpuArray:
    """An array over the whole of an allocation, C-contiguous unless ``strides`` (bytes) say otherwise."""
    return GpuArray(allocation, allocation.address, dtype, shape, strides or contiguous_strides(shape, dtype.itemsize))


def _memory(array: GpuArray, argument: str) -> Memory:
    array.require_alive(argument)
    return Memory(
        array.address, array.dtype, array.shape, array.strides, True, array, "GpuArray", array.ordinal,
        array.kind.on_host,
    )


read_with(GpuArray, _memory)
OWN_ARRAYS[GpuArray] = OwnArray(
    GpuArray, ("allocation.alive", "ordinal"),
    ("if {name}.allocation.home is not used: {name}.allocation.used_on(used)",),
)
