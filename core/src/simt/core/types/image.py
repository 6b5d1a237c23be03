"""Images: arrays that kernels reach through the texture hardware, as textures (read) or surfaces (read and written)."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from simt.core.types.aggregate import VectorType
from simt.core.types.scalar import F16, F32, I8, I16, I32, U8, U16, U32, ScalarType


class ImageKind(StrEnum):
    """How a kernel reaches an image."""

    TEXTURE = "Texture"  # read by coordinates, filtered
    SURFACE = "Surface"  # texels read and written


@dataclass(frozen=True, slots=True)
class ImageType:
    """An image whose reads give ``element``: a scalar, or a vector of 2 or 4 channels.

    In kernels it is a 64-bit handle: on a GPU the driver's texture or surface object, on the CPU target the address of
    an ``ImageDescription``.
    """

    kind: ImageKind
    element: ScalarType | VectorType
    ndim: int

    @property
    def channel(self) -> ScalarType:
        """The type of one channel."""
        return self.element.element if isinstance(self.element, VectorType) else self.element

    @property
    def channels(self) -> int:
        """1, 2 or 4."""
        return self.element.lanes if isinstance(self.element, VectorType) else 1

    def __str__(self) -> str:
        return f"{self.kind}[{self.element}{f', D{self.ndim}' if self.ndim > 1 else ''}]"


TEXTURE_CHANNELS = (U8, I8, U16, I16, U32, I32, F32)
"""What a texture read gives; f16 texels are read as f32."""

SURFACE_CHANNELS = (*TEXTURE_CHANNELS, F16)
"""What surfaces hold."""


def is_image_element(kind: ImageKind, element: object) -> bool:
    """Whether reads of images of ``kind`` can give ``element``."""
    channels = TEXTURE_CHANNELS if kind is ImageKind.TEXTURE else SURFACE_CHANNELS
    match element:
        case ScalarType():
            return element in channels
        case VectorType(element=channel, lanes=lanes):
            return lanes in (2, 4) and channel in channels
        case _:
            return False
