"""The binding of libNVVM: NVVM IR in, PTX or LTO-IR out, messages as diagnostics.

libNVVM comes with the CUDA extras and is looked for at the first compilation. It needs no GPU and no driver.
"""
from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

from simt.core.architecture import Architecture
from simt.core.errors import InternalCompilerError, UnavailableError
from simt.core.nvvm.dialect import DROPPED_IN_13, NEVER_RELEASED, RENAMED_IN_13
from simt.core.nvvm.messages import rejection
from simt.core.nvvm.module import NvvmModule, new_module
from simt.core.nvvm.options import libnvvm_flags
from simt.core.nvvm.wrapping import rewrite_wrapping
from simt.core.options import Options
from simt.core.target import Gpu

EXTRA = "install simt-core[cu13] (or simt-core[cu12] for CUDA 12)"


class Bindings(Protocol):
    """What is used of ``cuda.bindings.nvvm``."""

    nvvmError: type[Exception]

    def version(self) -> tuple[int, int]: ...
    def create_program(self) -> int: ...
    def destroy_program(self, program: int) -> None: ...
    def add_module_to_program(self, program: int, data: bytes, size: int, name: str) -> None: ...
    def lazy_add_module_to_program(self, program: int, data: bytes, size: int, name: str) -> None: ...
    def verify_program(self, program: int, count: int, options: list[str]) -> None: ...
    def compile_program(self, program: int, count: int, options: list[str]) -> None: ...
    def get_compiled_result_size(self, program: int) -> int: ...
    def get_compiled_result(self, program: int, buffer: bytearray) -> None: ...
    def get_program_log_size(self, program: int) -> int: ...
    def get_program_log(self, program: int, buffer: bytearray) -> None: ...


def compile_ptx(module: NvvmModule, gpu: Gpu, options: Options) -> str:
    """The PTX of ``module``.

    Raises:
        UnavailableError: libNVVM is absent, or does not know the architecture.
        CompileError: libNVVM refuses the code at a line of Python.
        InternalCompilerError: libNVVM refuses what no line stands for, or took an intrinsic for a function.
    """
    data = _compile(module, gpu, options, [])
    ptx = data.rstrip(b"\0").decode()  # libNVVM's buffer ends in NUL, which assemblers refuse
    unknown = re.findall(r"^\.extern \.func[^;]*?\b(llvm\.[\w.]+)", ptx, re.MULTILINE)
    if unknown:
        raise InternalCompilerError(
            f"kernel {module.kernel_name}: libNVVM does not know {', '.join(sorted(set(unknown)))} for {gpu} and made "
            "external functions of it"
        )
    return rewrite_wrapping(ptx)


def compile_lto(module: NvvmModule, gpu: Gpu, options: Options) -> bytes:
    """The LTO-IR of ``module``, for nvJitLink to optimise together with others. Raises like ``compile_ptx``."""
    return _compile(module, gpu, options, ["-gen-lto"])


def supports(architecture: Architecture) -> bool:
    """Whether the installed libNVVM compiles for ``architecture``, found by asking it.

    Raises:
        UnavailableError: libNVVM is absent.
    """
    return empty_ptx(architecture) is not None


@functools.cache
def empty_ptx(architecture: Architecture) -> str | None:
    """The PTX of an empty module; None where the installed libNVVM does not compile for ``architecture``.

    Raises:
        UnavailableError: libNVVM is absent.
    """
    nvvm, module = bindings(), new_module()
    text, program = module.text().encode(), nvvm.create_program()
    try:
        nvvm.add_module_to_program(program, text, len(text), "empty")
        nvvm.compile_program(program, 1, [f"-arch={architecture.compute}"])
        ptx = bytearray(nvvm.get_compiled_result_size(program))
        nvvm.get_compiled_result(program, ptx)
    except nvvm.nvvmError:
        return None
    finally:
        nvvm.destroy_program(program)
    return bytes(ptx).rstrip(b"\0").decode()


def libnvvm_version() -> str:
    """libNVVM's version as a part of cache keys: ``"2.0"``, and libdevice's size and time.

    Raises:
        UnavailableError: libNVVM is absent.
    """
    major, minor = bindings().version()
    library = libdevice_path()
    status = library.stat()
    return f"libNVVM {major}.{minor}, {library} {status.st_size} {status.st_mtime_ns}"


@functools.cache
def bindings() -> Bindings:
    """``cuda.bindings.nvvm`` with libNVVM loaded.

    Raises:
        UnavailableError: either is absent.
    """
    try:
        module = importlib.import_module("cuda.bindings.nvvm")
    except ImportError as error:
        raise UnavailableError(f"compiling for a GPU needs cuda.bindings: {EXTRA}") from error
    try:
        module.version()
    except Exception as error:  # the binding's class for a missing library differs between its versions
        raise UnavailableError(f"compiling for a GPU needs libNVVM, which was not found: {EXTRA}") from error
    return cast(Bindings, module)


def _compile(module: NvvmModule, gpu: Gpu, options: Options, extra: list[str]) -> bytes:
    nvvm, text = bindings(), module.text.encode()
    flags = libnvvm_flags(gpu, options) + extra
    program = nvvm.create_program()
    try:
        nvvm.add_module_to_program(program, text, len(text), "kernel")
        _step(nvvm, program, module, gpu, nvvm.verify_program, flags)
        if module.needs_libdevice:
            library = _libdevice()
            nvvm.lazy_add_module_to_program(program, library, len(library), "libdevice")
        _step(nvvm, program, module, gpu, nvvm.compile_program, flags)
        result = bytearray(nvvm.get_compiled_result_size(program))
        nvvm.get_compiled_result(program, result)
        return bytes(result)
    except nvvm.nvvmError as error:  # from the calls that have no log
        raise InternalCompilerError(f"kernel {module.kernel_name}: libNVVM: {error}\n{_log(nvvm, program)}") from error
    finally:
        nvvm.destroy_program(program)


def _step(
    nvvm: Bindings, program: int, module: NvvmModule, gpu: Gpu, call: Callable[[int, int, list[str]], None],
    flags: list[str],
) -> None:
    try:
        call(program, len(flags), flags)
    except nvvm.nvvmError as error:
        log = _log(nvvm, program)
        if "-arch=" in log and "unsupported option" in log:
            raise UnavailableError(_unknown_architecture(gpu)) from error
        raise rejection(module, log, str(error)) from error


def _log(nvvm: Bindings, program: int) -> str:
    buffer = bytearray(nvvm.get_program_log_size(program))
    nvvm.get_program_log(program, buffer)
    return bytes(buffer).rstrip(b"\0").decode(errors="replace").strip()


def _unknown_architecture(gpu: Gpu) -> str:
    number = gpu.architecture.number
    if number in DROPPED_IN_13:
        return (
            f"the installed libNVVM does not know {gpu}: CUDA 13 dropped it. Install simt-core[cu12], whose libNVVM "
            "(toolkit 12.x) knows it"
        )
    if number in RENAMED_IN_13:
        name = f"sm_{RENAMED_IN_13[number]}{gpu.architecture.suffix}"
        return f"the installed libNVVM does not know {gpu}: CUDA 13 calls it {name}; or install simt-core[cu12]"
    if number in NEVER_RELEASED:
        return f"no released libNVVM compiles for {gpu}: compile for sm_70 or sm_75 instead"
    return f"the installed libNVVM does not know {gpu}: upgrade nvidia-nvvm, by simt-core[cu13]"


@functools.cache
def _libdevice() -> bytes:
    return libdevice_path().read_bytes()


@functools.cache
def libdevice_path() -> Path:
    """Where libdevice is. Raises UnavailableError where the file is absent."""
    pathfinder = _pathfinder()
    try:
        return Path(pathfinder.find_bitcode_lib("device"))
    except (AttributeError, pathfinder.BitcodeLibNotFoundError) as error:
        raise UnavailableError(f"libdevice.10.bc was not found beside libNVVM: {EXTRA}") from error


def library_path(name: str = "nvvm") -> str:
    """Where a library of the toolkit lies.

    Raises:
        UnavailableError: it is absent.
    """
    pathfinder = _pathfinder()
    try:
        return str(pathfinder.load_nvidia_dynamic_lib(name).abs_path)
    except pathfinder.DynamicLibNotFoundError as error:
        raise UnavailableError(f"the library {name} was not found: {EXTRA}") from error


def _pathfinder() -> Any:  # Any: older versions lack some functions
    try:
        return importlib.import_module("cuda.pathfinder")
    except ImportError as error:
        raise UnavailableError("compiling for a GPU needs cuda-pathfinder: pip install cuda-pathfinder") from error
