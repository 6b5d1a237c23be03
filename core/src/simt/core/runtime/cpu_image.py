"""Textures and surfaces of the CPU device: their texels in host memory, described for compiled kernels."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.image_description import FORMATS, Address, Filter, ImageDescription
from simt.core.runtime.cpu_array import allocate
from simt.core.runtime.image import HostImage, Sampling, Texels, host_texels, surface_type, texture_type
from simt.core.runtime.memory import Memory, address_of
from simt.core.vectors import f32x4

if TYPE_CHECKING:
    from simt.core.types import ImageType

AnyArray = np.ndarray[Any, Any]  # Any: arrays of every shape and dtype
PLAIN = Sampling(Filter.POINT, (Address.CLAMP, Address.CLAMP, Address.CLAMP), False, False, (0.0, 0.0, 0.0, 0.0))


class CpuImage(HostImage):
    """Texels in C order, and the description whose address kernels get."""

    def __init__(self, type: ImageType, texels: Texels, sampling: Sampling, elements: AnyArray) -> None:
        self.type = type
        self.texels = texels
        self.elements = elements
        described = _described(texels, sampling, elements).to_bytes()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType] -- @struct adds it
        self._description = ctypes.create_string_buffer(described, len(described))  # pyright: ignore[reportUnknownArgumentType] -- as above

    @property
    def handle(self) -> int:
        """The address of the description."""
        return ctypes.addressof(self._description)

    @property
    def span(self) -> tuple[int, int]:
        """The texels."""
        start = address_of(self.elements)
        return start, start + self.elements.nbytes

    def memory(self, argument: str) -> Memory:
        """The texels."""
        array = self.elements
        return Memory(address_of(array), array.dtype, array.shape, array.strides, True, self, type(self).__name__)

    def numpy(self) -> AnyArray:
        """A copy of the elements."""
        return self.elements.copy()

    def copy_from(self, source: object) -> None:
        """Overwrite all elements with those of ``source``, of the same shape and dtype.

        Raises:
            ValueError: shapes or dtypes differ.
        """
        self.elements[...] = host_texels(source, self.texels)


class CpuTexture(CpuImage):
    """A texture of the CPU device. ``device.texture`` makes one."""

    def __init__(self, texels: Texels, sampling: Sampling, elements: AnyArray) -> None:
        super().__init__(texture_type(texels, sampling), texels, sampling, elements)
        self.sampling = sampling

    @property
    def filter(self) -> str:
        """``"point"`` or ``"linear"``."""
        return self.sampling.filter.name.lower()


class CpuSurface(CpuImage):
    """A surface of the CPU device. ``device.surface`` makes one."""

    def __init__(self, texels: Texels, elements: AnyArray) -> None:
        super().__init__(surface_type(texels), texels, PLAIN, elements)


def cpu_texture(texels: Texels, sampling: Sampling, source: object) -> CpuTexture:
    """A texture with the elements of ``source``; of a surface, a texture over the same texels."""
    if isinstance(source, CpuSurface):
        return CpuTexture(texels, sampling, source.elements)
    made = CpuTexture(texels, sampling, allocate(texels.shape, texels.dtype))
    made.copy_from(source)
    return made


def cpu_surface(texels: Texels) -> CpuSurface:
    """A surface, all texels zero."""
    return CpuSurface(texels, allocate(texels.shape, texels.dtype, zero=True))


def _described(texels: Texels, sampling: Sampling, elements: AnyArray) -> ImageDescription:
    depth, height, width = (1, 1, *texels.extents)[-3:]
    row = width * texels.texel_bytes
    modes = sampling.address
    return ImageDescription(
        address_of(elements), row, row * height, width, height, depth, FORMATS.index(texels.channel), sampling.filter,
        modes[0], modes[1], modes[2], int(sampling.normalized), f32x4(*sampling.border),
    )
