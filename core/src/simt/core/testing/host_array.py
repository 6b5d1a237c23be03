"""Arrays as a kernel's own Python sees them on the host: elements are typed values, stores follow the store rule."""
from __future__ import annotations

import dis
import functools
import inspect
import math
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, cast

import numpy as np

from simt.core.scalars import scalar_class_of
from simt.core.struct import bind
from simt.core.types import ScalarType, StructType, Type, VectorType
from simt.core.types.layout import size_of
from simt.core.types.scalar import I64, I128, U128
from simt.core.values.memory import read, write
from simt.core.values.operators import holding
from simt.core.values.stored import CLASS_OF_STRUCT, stored

Buffer = np.ndarray[Any, Any]  # Any: arrays of every dtype


class HostArray:
    """A view of a NumPy array whose elements are of type ``element``.

    Indices are checked as on a device: negative ones are out of bounds. Fewer indices than axes give a sub-array.
    """

    __slots__ = ("_array", "_element", "_name", "_writable")

    def __init__(self, array: Buffer, element: Type, name: str, *, writable: bool) -> None:
        self._array = array
        self._element = element
        self._name = name
        self._writable = writable

    @property
    def size(self) -> object:
        """Number of elements, an i64."""
        return holding(math.prod(self._array.shape), I64)

    @property
    def shape(self) -> tuple[object, ...]:
        """Extents, each an i64."""
        return tuple(holding(extent, I64) for extent in self._array.shape)

    @property
    def ndim(self) -> int:
        """Number of axes, a compile-time value in kernels."""
        return self._array.ndim

    @property
    def dtype(self) -> type[object]:
        """The class of the elements."""
        if isinstance(self._element, ScalarType):
            return scalar_class_of(self._element)
        return cast("type[object]", CLASS_OF_STRUCT[cast("StructType | VectorType", self._element)])

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[object]:
        return (self[i] for i in range(len(self._array)))

    def __getitem__(self, index: object) -> object:
        place = self._place(index)
        if len(place) < self._array.ndim:
            return HostArray(self._array[place], self._element, self._name, writable=self._writable)
        memory, offset = self._memory(place)
        value = read(memory, offset, self._element)
        frame = inspect.currentframe()
        if isinstance(self._element, StructType) and not _binds_a_name(None if frame is None else frame.f_back):
            return bind(value, memory, offset)
        return value

    def __setitem__(self, index: object, value: object) -> None:
        if not self._writable:
            raise TypeError(f"{self._name} is In[...], so nothing is stored to it; declare it Out or InOut")
        place = self._place(index)
        if len(place) < self._array.ndim:
            raise TypeError(f"{self._name} has {self._array.ndim} axes; a store needs an index for each")
        memory, offset = self._memory(place)
        write(memory, offset, self._element, stored(value, self._element, f"{self._name}[{place}]"))

    def _place(self, index: object) -> tuple[int, ...]:
        parts = cast("tuple[object, ...]", index if isinstance(index, tuple) else (index,))
        if len(parts) > self._array.ndim:
            raise IndexError(f"{self._name} has {self._array.ndim} axes; {len(parts)} indices given")
        numbers: list[int] = []
        for axis, part in enumerate(parts):
            if isinstance(part, bool) or not hasattr(part, "__index__"):
                raise TypeError(f"an index of {self._name} is an integer, not {part!r}")
            if (kind := getattr(type(part), "scalar_type", None)) in (I128, U128):
                raise TypeError(f"an {kind} is no index; convert it: i64(x)")
            number = int(cast("int", part))
            if not 0 <= number < self._array.shape[axis]:
                extent = self._array.shape[axis]
                raise IndexError(f"index {number} of {self._name} is out of bounds: axis {axis} has size {extent}")
            numbers.append(number)
        return tuple(numbers)

    def _memory(self, place: tuple[int, ...]) -> tuple[memoryview, int]:
        element = self._array[(*place, np.newaxis)]  # one element, as a view
        return memoryview(element.view(np.uint8)), 0  # pyright: ignore[reportArgumentType] -- an array is a buffer


def block_memory(element: Type, shape: tuple[int, ...], name: str) -> HostArray:
    """Fresh memory of a block or thread. Its bytes are 0xCD, so that reading before writing is seen."""
    data = np.full((*shape, size_of(element)), 0xCD, np.uint8)
    return HostArray(data.view(np.dtype((np.void, size_of(element))))[..., 0], element, name, writable=True)


def _binds_a_name(frame: FrameType | None) -> bool:
    """Whether the expression that ``frame`` evaluates is assigned to a name as a whole: then a struct is copied."""
    return frame is not None and _stores_next(frame.f_code, frame.f_lasti)


@functools.cache
def _stores_next(code: CodeType, offset: int) -> bool:
    following = next((step.opname for step in dis.get_instructions(code) if step.offset > offset), "")
    return following in ("STORE_FAST", "STORE_DEREF", "STORE_NAME")
