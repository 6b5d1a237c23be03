"""Textures and surfaces as a kernel's own Python sees them, and memory by its address."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from simt.core.intrinsics.host_pointer import HostPointer
from simt.core.runtime.image import HostImage
from simt.core.scalars import scalar_class_of
from simt.core.testing.host_array import HostArray
from simt.core.types import ImageType, ScalarType, Type
from simt.core.types.layout import size_of
from simt.core.values.stored import CLASS_OF_STRUCT

REACH = 1 << 40  # bytes behind an address that a pointer may move over


class HostImageView:
    """An image of the CPU device; ``handle`` is what ``bitcast(image, u64)`` gives."""

    def __init__(self, image: HostImage, expected: ImageType, name: str) -> None:
        if image.type != expected:
            raise TypeError(f"{name} is {image.type}, and {expected} is expected")
        self._image = image

    @property
    def handle(self) -> int:
        """The address of its description."""
        return self._image.handle

    @property
    def ndim(self) -> int:
        """Its axes, a compile-time value in kernels."""
        return self._image.ndim

    @property
    def channels(self) -> int:
        """Values of a texel, a compile-time value in kernels."""
        return self._image.channels

    @property
    def dtype(self) -> object:
        """The class of what a read gives."""
        element = self._image.type.element
        return scalar_class_of(element) if isinstance(element, ScalarType) else CLASS_OF_STRUCT[element]

    @property
    def channel_dtype(self) -> object:
        """The class of one channel."""
        return scalar_class_of(self._image.type.channel)


def pointer_at(address: int, element: Type) -> HostPointer[Any]:  # Any: elements of every type
    """What ``bitcast(address, Ptr[T])`` is on the host: memory of this process from ``address`` on."""
    count = REACH // size_of(element)
    memory = memoryview((ctypes.c_char * (count * size_of(element))).from_address(address))
    array = np.ndarray(count, np.dtype((np.void, size_of(element))), memory)
    view: Any = HostArray(array, element, f"Ptr[{element}]", writable=True)  # Any: elements of every type
    return HostPointer(view, 0)
