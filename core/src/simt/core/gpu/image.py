"""What kind of code an image holds, seen from its first bytes.

Source: ELF specification, ``e_machine`` and ``e_type``; the headers that CUDA's tools write.
"""
from __future__ import annotations

import struct
from enum import Enum
from pathlib import Path

from simt.core.errors import LaunchError


class ImageKind(Enum):
    """Kinds of images, with what nvJitLink calls them."""

    PTX = "PTX"
    CUBIN = "CUBIN"
    FATBIN = "FATBIN"
    LTO_IR = "LTOIR"
    OBJECT = "OBJECT"  # a host object file with device code inside
    LIBRARY = "LIBRARY"  # an archive of those


ELF, FATBIN, LTO_IR, ARCHIVE = b"\x7fELF", b"\x50\xed\x55\xba", b"\xed\x43\x4e\x7f", b"!<arch>\n"
CUDA_MACHINE = 190  # EM_CUDA
RELOCATABLE = 1  # ET_REL


def read_image(image: bytes | str | Path) -> bytes:
    """An image's bytes: of a file where a path is given, of a PTX text as UTF-8."""
    match image:
        case Path():
            return image.read_bytes()
        case str():
            return image.encode()
        case _:
            return bytes(image)


def is_relocatable(cubin: bytes) -> bool:
    """Whether a cubin must be linked before it is loaded, as ``nvcc -rdc=true`` makes it."""
    return bool(struct.unpack_from("<H", cubin, 16)[0] == RELOCATABLE)


def kind_of(image: bytes) -> ImageKind:
    """What the image holds.

    Raises:
        LaunchError: none of the kinds.
    """
    if image.startswith(ELF) and len(image) >= 20:
        (machine,) = struct.unpack_from("<H", image, 18)
        return ImageKind.CUBIN if machine == CUDA_MACHINE else ImageKind.OBJECT
    for start, kind in ((FATBIN, ImageKind.FATBIN), (LTO_IR, ImageKind.LTO_IR), (ARCHIVE, ImageKind.LIBRARY)):
        if image.startswith(start):
            return kind
    if b".version" in image and b"\0" not in image.rstrip(b"\0"):
        return ImageKind.PTX
    raise LaunchError(
        f"the image of {len(image)} bytes that begins with {image[:8]!r} is no PTX, cubin, fatbin, LTO-IR, object file "
        "or library; a path is given as pathlib.Path", argument="image",
    )
