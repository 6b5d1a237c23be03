"""Images of any origin to one cubin, by nvJitLink. Needs no GPU."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from simt.core.architecture import Architecture
from simt.core.errors import DriverError, UnavailableError
from simt.core.gpu.image import ImageKind
from simt.core.gpu.jit_options import JitOptions
from simt.core.nvvm.libnvvm import EXTRA
from simt.core.nvvm.link import LinkBindings, nvjitlink


@dataclass(frozen=True, slots=True)
class Linked:
    """A cubin and what the linker said."""

    cubin: bytes
    log: str


def link(images: list[tuple[ImageKind, bytes]], device: Architecture, options: JitOptions) -> Linked:
    """One cubin of all images, which may call each other's functions.

    Raises:
        UnavailableError: nvJitLink is absent, or does not know the architecture.
        DriverError: it refuses the images; the message has its log.
    """
    linker = nvjitlink()
    if linker is None:
        raise UnavailableError(f"linking needs nvJitLink, which was not found: {EXTRA}")
    # With -lto nvJitLink wants LTO-IR among its inputs; only it knows what a fatbin or an object holds.
    is_lto = any(kind is ImageKind.LTO_IR for kind, _ in images)
    try:
        return _linked(linker, images, options.for_linker(device, lto=is_lto))
    except DriverError:
        if is_lto or all(kind in (ImageKind.PTX, ImageKind.CUBIN) for kind, _ in images):
            raise
        return _linked(linker, images, options.for_linker(device, lto=True))


def _linked(linker: LinkBindings, images: list[tuple[ImageKind, bytes]], flags: list[str]) -> Linked:
    try:
        handle = linker.create(len(flags), flags)
    except linker.nvJitLinkError as error:
        raise _refused(linker, f"{error} for {' '.join(flags)}", flags) from error
    try:
        for number, (kind, image) in enumerate(images):
            data = image + b"\0" if kind is ImageKind.PTX else image
            linker.add_data(handle, int(getattr(linker.InputType, kind.value)), data, len(data), f"image {number}")
        linker.complete(handle)
        cubin = bytearray(linker.get_linked_cubin_size(handle))
        linker.get_linked_cubin(handle, cubin)
        return Linked(bytes(cubin), _log(linker.get_info_log_size, linker.get_info_log, handle))
    except linker.nvJitLinkError as error:
        log = _log(linker.get_error_log_size, linker.get_error_log, handle)
        raise _refused(linker, f"{error}\n{log}", flags) from error
    finally:
        linker.destroy(handle)


def _refused(linker: LinkBindings, log: str, flags: list[str]) -> DriverError | UnavailableError:
    major, minor = linker.version()
    if re.search(r"unsupported.*(arch|version)|unrecognized.*arch", log, re.IGNORECASE):
        return UnavailableError(
            f"nvJitLink {major}.{minor} is older than the image, or does not know the architecture: {EXTRA}\n{log}"
        )
    return DriverError(f"nvJitLink refuses the image: {log}", result="NVJITLINK_ERROR", call=f"nvJitLink {flags[0]}")


def _log(size: Any, read: Any, handle: int) -> str:  # Any: bound functions of the compiled binding
    buffer = bytearray(size(handle))
    read(handle, buffer)
    return bytes(buffer).rstrip(b"\0").decode(errors="replace").strip()
