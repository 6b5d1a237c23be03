"""Textures and surfaces of the fake driver as kernels of the CPU target read them: handles become descriptions."""
from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager

from simt.core.image_description import FORMATS, ImageDescription
from simt.core.types import ImageType, Type
from simt.core.types.layout import align_of, align_up, size_of
from simt.core.types.scalar import F16, F32, I8, I16, I32, U8, U16, U32
from simt.core.values.numpy_types import DTYPES
from simt.core.vectors import f32x4
from tests.fake_driver import fake

FORMAT_OF_DRIVER = {0x01: U8, 0x02: U16, 0x03: U32, 0x08: I8, 0x09: I16, 0x0A: I32, 0x10: F16, 0x20: F32}
NORMALIZED = 2


class Seen(ctypes.Structure):
    """``struct image_seen`` of textures.c."""

    _fields_ = (
        ("address", ctypes.c_void_p), ("width", ctypes.c_size_t), ("height", ctypes.c_size_t),
        ("depth", ctypes.c_size_t), ("format", ctypes.c_int), ("channels", ctypes.c_uint),
        ("address_modes", ctypes.c_int * 3), ("filter", ctypes.c_int), ("flags", ctypes.c_uint),
        ("border", ctypes.c_float * 4),
    )


@contextmanager
def images_described(record: bytes, types: tuple[Type, ...]) -> Generator[bytes]:
    """The argument record with the address of a description in place of each image's handle."""
    changed = bytearray(record)
    kept: list[object] = []
    end = 0
    for kind in types:
        start = align_up(end, align_of(kind))
        end = start + size_of(kind)
        if isinstance(kind, ImageType):
            description = ctypes.create_string_buffer(_described(int.from_bytes(record[start:end], "little")))
            kept.append(description)
            changed[start:end] = ctypes.addressof(description).to_bytes(8, "little")
    yield bytes(changed)


def _described(handle: int) -> bytes:
    seen = Seen()
    if not fake.load().simt_fake_image(handle, ctypes.addressof(seen)):
        raise RuntimeError(f"{handle:#x} is no texture or surface over a CUDA array")
    channel = FORMAT_OF_DRIVER[seen.format]
    row = seen.width * DTYPES[channel].itemsize * seen.channels
    return ImageDescription(
        seen.address, row, row * seen.height, seen.width, seen.height, seen.depth, FORMATS.index(channel), seen.filter,
        *seen.address_modes, int(bool(seen.flags & NORMALIZED)), f32x4(*seen.border),
    ).to_bytes()
