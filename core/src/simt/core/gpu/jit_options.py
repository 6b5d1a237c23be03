"""What a user may ask of code that the driver or nvJitLink generates from a loaded image.

Source: CUDA Driver API, ``CUjit_option``; nvJitLink, ``nvJitLinkCreate``.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from simt.core.architecture import Architecture, parse_architecture
from simt.core.errors import LaunchError
from simt.core.runtime.cuda_driver import driver

LOG_BYTES = 16384


@dataclass(frozen=True, slots=True, kw_only=True)
class JitOptions:
    """Options for PTX and LTO-IR; a cubin is finished code, and takes none of them.

    ``maxrregcount``: registers a thread at most. ``lineinfo``: line tables. ``debug``: full debug information.
    ``target``: an architecture such as ``"sm_90a"`` where it is not the device's own.
    """

    opt: Literal[0, 1, 2, 3, 4] = 4
    maxrregcount: int | None = None
    lineinfo: bool = False
    debug: bool = False
    target: str | None = None

    @property
    def architecture(self) -> Architecture | None:
        """``target`` read.

        Raises:
            LaunchError: it names no architecture.
        """
        try:
            return None if self.target is None else parse_architecture(self.target)
        except ValueError as error:
            raise LaunchError(f"target {error}", argument="target") from None

    def for_linker(self, device: Architecture, *, lto: bool) -> list[str]:
        """The flags of nvJitLink, for ``device`` where no target is given."""
        flags = [f"-arch={(self.architecture or device).sm}", f"-O{min(self.opt, 3)}"]
        if lto:
            flags.append("-lto")
        if self.maxrregcount is not None:
            flags.append(f"-maxrregcount={self.maxrregcount}")
        if self.debug:
            flags.append("-g")
        if self.lineinfo:
            flags.append("-lineinfo")
        return flags


class Logs:
    """The buffers that the driver writes its information and errors to while it loads one image."""

    def __init__(self) -> None:
        self._info, self._errors = bytearray(LOG_BYTES), bytearray(LOG_BYTES)

    def options(self, chosen: JitOptions) -> dict[Any, Any]:  # Any: an enum of the bindings, and what each key takes
        """``chosen`` and the buffers as the driver takes them."""
        module = driver()
        keys = module.CUjit_option
        found: dict[Any, Any] = {
            keys.CU_JIT_INFO_LOG_BUFFER: self._info, keys.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: LOG_BYTES,
            keys.CU_JIT_ERROR_LOG_BUFFER: self._errors, keys.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: LOG_BYTES,
            keys.CU_JIT_LOG_VERBOSE: 1, keys.CU_JIT_OPTIMIZATION_LEVEL: chosen.opt,
        }
        if chosen.maxrregcount is not None:
            found[keys.CU_JIT_MAX_REGISTERS] = chosen.maxrregcount
        if chosen.debug:
            found[keys.CU_JIT_GENERATE_DEBUG_INFO] = 1
        if chosen.lineinfo:
            found[keys.CU_JIT_GENERATE_LINE_INFO] = 1
        architecture = chosen.architecture
        if architecture is not None:
            found[keys.CU_JIT_TARGET] = _target(architecture)
        return found

    @property
    def info(self) -> str:
        """What the driver had to say."""
        return _text(self._info)

    @property
    def errors(self) -> str:
        """Why it refused the image."""
        return _text(self._errors)


def _target(architecture: Architecture) -> Any:  # Any: an enum of the bindings
    name = f"CU_TARGET_COMPUTE_{architecture.number}{architecture.suffix.upper()}"
    found = getattr(driver().CUjit_target, name, None)
    if found is None:
        raise LaunchError(f"target {architecture.sm}: the installed cuda.bindings do not know it", argument="target")
    return found


def _text(buffer: bytearray) -> str:
    return bytes(buffer).partition(b"\0")[0].decode(errors="replace").strip()
