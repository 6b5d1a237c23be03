"""The ways by which an image becomes a loaded module, and what is said where none works."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simt.core.errors import DriverError, LaunchError, UnavailableError
from simt.core.gpu.image import ImageKind
from simt.core.gpu.jit_options import JitOptions, Logs
from simt.core.gpu.linking import link
from simt.core.gpu.ptx_version import Version, driver_version, version_of, version_of_cuda, with_version
from simt.core.runtime.cuda_driver import driver, refused

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice

TOO_NEW = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
# What a driver says of PTX that it cannot read, be it wrong or newer.
UNREADABLE = (TOO_NEW, "CUDA_ERROR_INVALID_PTX", "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC")
FOREIGN = "CUDA_ERROR_NO_BINARY_FOR_GPU"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A module's handle, and what was said while it was made."""

    bound: Any  # Any: a handle of the bindings
    log: str


def load_ptx(device: GpuDevice, text: str, options: JitOptions) -> Loaded:
    """PTX by the driver's own compiler; by nvJitLink where the driver is too old for the text.

    Raises:
        UnavailableError: the driver is too old, and nvJitLink is absent or too old as well.
        DriverError: the text is wrong; the message has the log.
    """
    written, known = version_of(text), version_of_cuda(*driver_version())
    try:
        return _load(with_version(text, min(written, known)), options)
    except DriverError as error:
        if error.result not in UNREADABLE or (written <= known and error.result != TOO_NEW):
            raise
        refusal = error
    try:
        linked = link([(ImageKind.PTX, text.encode())], device.architecture, options)
    except UnavailableError as error:
        raise _too_old(written, known, f"{refusal}\n{error}") from None
    return _loaded_cubin(linked.cubin, linked.log)


def load_cubin(device: GpuDevice, cubin: bytes, options: JitOptions) -> Loaded:
    """Machine code as it is.

    Raises:
        LaunchError: options are given, or the code is for another architecture.
    """
    if options != JitOptions():
        raise LaunchError(
            f"a cubin is finished code, in which {options} would change nothing; give them where it is made, or load "
            "its PTX",
            argument="options",
        )
    try:
        return _loaded_cubin(cubin, "")
    except DriverError as error:
        if error.result != FOREIGN:
            raise
        major, minor = device.compute_capability
        raise LaunchError(
            f"the cubin is for another architecture than {device.short_name}, of compute capability {major}.{minor}; "
            "load PTX or LTO-IR, or a cubin made for it", argument="image",
        ) from None


def load_fatbin(device: GpuDevice, fatbin: bytes, options: JitOptions) -> Loaded:
    """The fitting part of a fatbin: a cubin, else PTX, by the driver; else PTX or LTO-IR, by nvJitLink.

    Raises:
        UnavailableError: the driver takes none of it, and nvJitLink is absent or too old.
        DriverError: nothing in it fits the device; the message has nvJitLink's log.
    """
    try:
        return _load(fatbin, options)
    except DriverError as error:
        if error.result not in (FOREIGN, *UNREADABLE):
            raise
        refusal = error
    try:
        return load_linked(device, [(ImageKind.FATBIN, fatbin)], options)
    except UnavailableError as error:
        major, minor = driver_version()
        raise UnavailableError(
            f"the driver, of CUDA {major}.{minor}, takes nothing of the fatbin; install a newer driver, or put a cubin "
            f"for {device.architecture.sm} in it\n{refusal}\n{error}"
        ) from None


def load_linked(device: GpuDevice, images: list[tuple[ImageKind, bytes]], options: JitOptions) -> Loaded:
    """Images that nvJitLink makes one cubin of. Raises as ``link``."""
    linked = link(images, device.architecture, options)
    return _loaded_cubin(linked.cubin, linked.log)


def _load(image: str | bytes, options: JitOptions) -> Loaded:
    logs = Logs()
    chosen = logs.options(options)
    data = image.encode() + b"\0" if isinstance(image, str) else image
    status, bound = driver().cuModuleLoadDataEx(data, len(chosen), list(chosen), list(chosen.values()))
    if status != 0:
        error = refused("cuModuleLoadDataEx", status)
        raise DriverError(f"{error}\n{logs.errors}".rstrip(), result=error.result, call=error.call)
    return Loaded(bound, logs.info)


def _loaded_cubin(cubin: bytes, log: str) -> Loaded:
    status, bound = driver().cuModuleLoadData(cubin)
    if status != 0:
        raise refused("cuModuleLoadData", status)
    return Loaded(bound, log)


def _too_old(written: Version, known: Version, reasons: str) -> UnavailableError:
    cuda, ptx = (".".join(map(str, version)) for version in (driver_version(), known))
    return UnavailableError(
        f"the PTX is of version {written[0]}.{written[1]}, and the driver, of CUDA {cuda}, reads PTX up to {ptx}: "
        f"install a newer driver, or nvJitLink of the toolkit that made the PTX, which assembles it\n{reasons}"
    )
