"""PTX or LTO-IR to a cubin. Neither of the assemblers needs a GPU.

ptxas, if it is found and reads the PTX, else nvJitLink: that one compiles for linking with other code, and gives
kernels more registers, so that fewer blocks run at a time (a tiled matrix product: 40 registers against 32).
"""
from __future__ import annotations

import functools
import importlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from simt.core.errors import UnavailableError
from simt.core.nvvm.libnvvm import EXTRA
from simt.core.nvvm.messages import assembler_rejection
from simt.core.nvvm.module import NvvmModule
from simt.core.nvvm.resources import Resources, read_resources
from simt.core.options import Options
from simt.core.target import Gpu


@dataclass(frozen=True, slots=True, kw_only=True)
class Cubin:
    """Machine code for one real architecture, what the kernel uses, and what the assembler said."""

    image: bytes
    resources: Resources
    log: str


class LinkBindings(Protocol):
    """What is used of ``cuda.bindings.nvjitlink``."""

    nvJitLinkError: type[Exception]
    InputType: Any  # an IntEnum of the binding

    def version(self) -> tuple[int, int]: ...
    def create(self, count: int, options: list[str]) -> int: ...
    def destroy(self, handle: int) -> None: ...
    def add_data(self, handle: int, kind: int, data: bytes, size: int, name: str) -> None: ...
    def complete(self, handle: int) -> None: ...
    def get_linked_cubin_size(self, handle: int) -> int: ...
    def get_linked_cubin(self, handle: int, buffer: bytearray) -> None: ...
    def get_error_log_size(self, handle: int) -> int: ...
    def get_error_log(self, handle: int, buffer: bytearray) -> None: ...
    def get_info_log_size(self, handle: int) -> int: ...
    def get_info_log(self, handle: int, buffer: bytearray) -> None: ...


def assemble(module: NvvmModule, ptx: str, gpu: Gpu, options: Options) -> Cubin:
    """The cubin of ``module``'s PTX for the real architecture of ``gpu``.

    Raises:
        UnavailableError: neither nvJitLink nor ptxas is there, or it does not know the architecture.
        CompileError: the kernel asks for what the architecture lacks, such as too much shared memory.
        InternalCompilerError: the assembler refuses PTX that no line of Python stands for.
    """
    ptxas, linker = find_tool("ptxas"), nvjitlink()
    refusal = f"assembling for {gpu} needs ptxas or nvJitLink, and neither was found: {EXTRA}"
    if ptxas is not None:
        found = _run_ptxas(ptxas, module, ptx, gpu, options)
        if isinstance(found, Cubin):
            return found
        refusal = _cannot(gpu, found)
    if linker is None:
        raise UnavailableError(refusal)
    return _link(linker, module, ptx.encode() + b"\0", gpu, options, ptx)


def link_lto(module: NvvmModule, lto: bytes, gpu: Gpu, options: Options) -> Cubin:
    """The cubin of one module's LTO-IR. Raises like ``assemble``; only nvJitLink reads LTO-IR."""
    linker = nvjitlink()
    if linker is None:
        raise UnavailableError(f"linking LTO-IR needs nvJitLink, which was not found: {EXTRA}")
    return _link(linker, module, lto, gpu, options, "")


def assembler_version() -> str:
    """The assemblers that there are, as a part of cache keys: ptxas by its file, which is not run for it.

    Raises:
        UnavailableError: there is none.
    """
    found: list[str] = []
    ptxas, linker = find_tool("ptxas"), nvjitlink()
    if ptxas is not None:
        state = os.stat(ptxas)
        found.append(f"ptxas {ptxas} {state.st_size} {state.st_mtime_ns}")
    if linker is not None:
        found.append("nvJitLink {}.{}".format(*linker.version()))
    if not found:
        raise UnavailableError(f"neither ptxas nor nvJitLink was found: {EXTRA}")
    return ", ".join(found)


def assembler_names() -> str:
    """The assemblers that there are, for people: ``ptxas 13.0, nvJitLink 13.0``. Runs ptxas.

    Raises:
        UnavailableError: there is none.
    """
    assembler_version()
    names: list[str] = []
    ptxas, linker = find_tool("ptxas"), nvjitlink()
    if ptxas is not None:
        said = subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=True).stdout
        release = re.search(r"release (\d+\.\d+)", said)
        names.append(f"ptxas {release[1] if release else 'of unknown release'}")
    if linker is not None:
        names.append("nvJitLink {}.{}".format(*linker.version()))
    return ", ".join(names)


@functools.cache
def find_tool(name: str) -> str | None:
    """The path of a CUDA command-line tool, from a wheel, a toolkit or the search path; None where there is none."""
    try:
        pathfinder: Any = importlib.import_module("cuda.pathfinder")  # Any: older versions lack the function
    except ImportError:
        return None
    find = getattr(pathfinder, "find_nvidia_binary_utility", None)
    return None if find is None else find(name)


@functools.cache
def nvjitlink() -> LinkBindings | None:
    """``cuda.bindings.nvjitlink`` with its library loaded, or None where either is absent."""
    try:
        module = importlib.import_module("cuda.bindings.nvjitlink")
        module.version()
    except ImportError:
        return None
    except Exception as error:  # the binding's class for a missing library differs between its versions
        if "nvJitLink" in str(error) or "not found" in str(error).lower():
            return None
        raise
    return cast(LinkBindings, module)


def _link(
    linker: LinkBindings, module: NvvmModule, data: bytes, gpu: Gpu, options: Options, ptx: str,
) -> Cubin:
    flags = [f"-arch={gpu.architecture.sm}", "-verbose", f"-O{options.opt}", *_common_flags(options)]
    if not ptx:
        flags.append("-lto")
    kind = int(linker.InputType.PTX if ptx else linker.InputType.LTOIR)
    try:
        handle = linker.create(len(flags), flags)
    except linker.nvJitLinkError as error:
        raise UnavailableError(_cannot(gpu, str(error))) from error
    try:
        linker.add_data(handle, kind, data, len(data), module.symbol)
        linker.complete(handle)
        image = bytearray(linker.get_linked_cubin_size(handle))
        linker.get_linked_cubin(handle, image)
        log = _read(linker.get_info_log_size(handle), handle, linker.get_info_log)
        return Cubin(image=bytes(image), resources=read_resources(log, module.symbol), log=log)
    except linker.nvJitLinkError as error:
        log = _read(linker.get_error_log_size(handle), handle, linker.get_error_log)
        if "unsupported" in log.lower() and "arch" in log.lower():
            raise UnavailableError(_cannot(gpu, log)) from error
        raise assembler_rejection(module, ptx, log or str(error)) from error
    finally:
        linker.destroy(handle)


def _run_ptxas(ptxas: str, module: NvvmModule, ptx: str, gpu: Gpu, options: Options) -> Cubin | str:
    """The cubin, or what ptxas says where it is too old for the architecture or for the PTX."""
    with tempfile.TemporaryDirectory(prefix="simt-ptxas-") as folder:
        source, target = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx)
        flags = [f"-arch={gpu.architecture.sm}", "-v", f"-O{options.opt}", *_common_flags(options)]
        done = subprocess.run([ptxas, *flags, "-o", target, source], capture_output=True, text=True, check=False)
        log = done.stdout + done.stderr
        if "is not defined for option 'gpu-name'" in log or "Unsupported .version" in log:
            return log
        if done.returncode != 0:
            raise assembler_rejection(module, ptx, log)
        return Cubin(image=target.read_bytes(), resources=read_resources(log, module.symbol), log=log)


def _common_flags(options: Options) -> list[str]:
    flags: list[str] = []
    if options.maxrregcount is not None:
        flags.append(f"-maxrregcount={options.maxrregcount}")
    if options.debug:
        flags.append("-g")
    elif options.lineinfo:
        flags.append("-lineinfo")
    return flags


def _cannot(gpu: Gpu, log: str) -> str:
    return f"the installed assembler does not know {gpu}: {EXTRA}\n{log}"


def _read(size: int, handle: int, call: Any) -> str:  # Any: a bound function of the compiled binding
    buffer = bytearray(size)
    call(handle, buffer)
    return re.sub(r"\0+$", "", buffer.decode(errors="replace")).strip()
