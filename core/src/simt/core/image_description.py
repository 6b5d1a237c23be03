"""How the CPU target describes an image: the struct behind the handle of a ``Texture`` or ``Surface`` parameter.

A GPU keeps the same facts in the driver's texture and surface objects. Numbers of filters and address modes are those
of the CUDA Driver API (CUfilter_mode, CUaddress_mode).
"""
from __future__ import annotations

from enum import IntEnum

from simt.core.scalars import i32, i64, u64
from simt.core.struct import struct
from simt.core.types import ScalarType
from simt.core.types.scalar import F16, F32, I8, I16, I32, U8, U16, U32
from simt.core.vectors import f32x4


class Filter(IntEnum):
    """What a fetch gives between texels."""

    POINT = 0
    LINEAR = 1


class Address(IntEnum):
    """What a fetch outside the image gives."""

    WRAP = 0
    CLAMP = 1
    MIRROR = 2
    BORDER = 3


class Format(IntEnum):
    """The type of a channel in memory. Those before U32 can be read as fractions."""

    U8 = 0
    I8 = 1
    U16 = 2
    I16 = 3
    U32 = 4
    I32 = 5
    F16 = 6
    F32 = 7


FORMATS: tuple[ScalarType, ...] = (U8, I8, U16, I16, U32, I32, F16, F32)
"""The types in the order of ``Format``."""


@struct
class ImageDescription:
    """Where an image lies and how it is read. ``row_bytes`` and ``plane_bytes``: from one row and plane to the next."""

    data: u64  # address of the first texel
    row_bytes: i64
    plane_bytes: i64
    width: i32
    height: i32  # 1 where the image has one axis
    depth: i32  # 1 where it has fewer than three
    format: i32
    filter: i32
    address_x: i32
    address_y: i32
    address_z: i32
    normalized: i32  # whether coordinates run from 0 to 1
    border: f32x4
