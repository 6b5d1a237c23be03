"""THE MAIN PATH: from a kernel's function and a signature to code. Read this first.

::

    Python function -> HIR -> TIR -> LLVM IR of the host -> machine code            (target Cpu)
                                  -> NVVM IR -> PTX -> cubin                         (target Gpu)

The result is kept on disk under a key of all that decides it, so that a process which finds the key skips the path.
Its steps are imported where they are taken: a process that only launches cached kernels never loads the compiler.
"""
from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from simt.core.architecture import parse_architecture
from simt.core.cache import disk_cache, key_of
from simt.core.check.signature import Constant, Signature
from simt.core.compiled import Compiled, CompileWarning, Resources, SpillWarning
from simt.core.diagnostics.render import render
from simt.core.errors import LaunchError
from simt.core.frontend.fingerprint import Fingerprint, fingerprint
from simt.core.frontend.installed import installed_digest
from simt.core.frontend.read import read_function
from simt.core.plain_data import class_table, from_text, to_text
from simt.core.stages import Stages, must_verify
from simt.core.target import Cpu, Gpu, Target
from simt.core.types import ArrayType, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.values.stored import CLASS_OF_STRUCT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FunctionType

    from simt.core.check.tir import Kernel as TirKernel
    from simt.core.cpu.host_kernel import HostKernel, HostModule
    from simt.core.diagnostics.diagnostic import Diagnostic
    from simt.core.frontend.hir import Function
    from simt.core.nvvm.module import NvvmModule
    from simt.core.options import Options


class Declaration(Protocol):
    """What compilation needs of a kernel's declaration."""

    @property
    def function(self) -> FunctionType: ...
    @property
    def name(self) -> str: ...
    @property
    def annotations(self) -> dict[str, object]: ...
    @property
    def frame_names(self) -> Mapping[str, object]: ...
    @property
    def max_threads(self) -> int | None: ...
    @property
    def min_blocks(self) -> int | None: ...
    @property
    def cluster(self) -> tuple[int, int, int] | None: ...


@dataclass(frozen=True)
class Task:
    """One compilation: which kernel, for what. ``stages`` collects what it goes through."""

    declaration: Declaration
    signature: Signature
    target: Target
    options: Options

    @cached_property
    def stages(self) -> Stages:
        """The stages made so far."""
        return Stages(f"{self.declaration.name}{self.signature} for {self.target}")

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What decides the result on the side of the source."""
        declaration = self.declaration
        return fingerprint(declaration.function, extra=declaration.frame_names, values=_compiled_in(self.signature))

    def key(self, *toolchain: str) -> str | None:
        """The key on disk: everything that decides the output. None where the source captures what has no content."""
        if self.fingerprint.problems:
            return None
        declaration = self.declaration
        bounds = f"{declaration.name} {declaration.max_threads} {declaration.min_blocks} {declaration.cluster}"
        # Compile-time values are in the fingerprint; here they only keep their places.
        types = [None if isinstance(argument, Constant) else argument for argument in self.signature.arguments]
        signature = f"{types!r} {self.signature.small}"
        return key_of(
            self.fingerprint.digest, bounds, signature, repr(self.options), str(self.target), installed_digest(),
            sys.version, *toolchain,
        )


def read(task: Task) -> Function:
    """Source to HIR."""
    from simt.core.frontend import show as show_hir

    function = read_function(task.declaration.function)
    task.stages.keep("hir", lambda: show_hir.show(function))
    return function


def check(task: Task) -> TirKernel:
    """HIR to TIR: with ``read``, the half of the path that all targets share."""
    from simt.core.check import show as show_tir
    from simt.core.check.kernel import check_kernel

    declaration, stages = task.declaration, task.stages
    function = read(task)
    checked = check_kernel(
        declaration.function, function, declaration.annotations, task.signature, task.target, task.options,
        name=declaration.name, max_threads=declaration.max_threads, min_blocks=declaration.min_blocks,
        cluster=declaration.cluster,
    )
    stages.keep("tir", lambda: show_tir.show(checked.kernel))
    if must_verify():
        from simt.core.check.verify import verify

        verify(checked.kernel, "check")
    _warn(checked.warnings)
    return checked.kernel


# ---- the CPU target


@dataclass(frozen=True, slots=True)
class HostCode:
    """Machine code of the CPU target and its description."""

    kernel: HostKernel
    image: bytes


def host_module(task: Task) -> HostModule:
    """TIR to LLVM IR of the host."""
    from simt.core.cpu.functions import emit_kernel

    module = emit_kernel(check(task), task.options)
    task.stages.keep("llvm", lambda: module.text)
    return module


def host_code(task: Task) -> HostCode:
    """Machine code for the CPU, from the disk cache or made now."""
    from simt.core.cpu import jit, stored_kernel

    disk = disk_cache()
    key = None if disk is None else task.key(jit.host_description())
    entry = None if disk is None or key is None else disk.load(key)
    if entry is not None:
        return HostCode(stored_kernel.read(entry["kernel"]), entry["object"])
    module = host_module(task)
    image = jit.compile_text(module.text, task.options.opt)
    task.stages.keep("asm", lambda: jit.assembly_of(module.text, task.options))
    if disk is not None and key is not None:
        disk.store(key, {"kernel": stored_kernel.write(module.kernel), "object": image})
    return HostCode(module.kernel, image)


def host_assembly(task: Task) -> str:
    """Assembly of the CPU target."""
    from simt.core.cpu import jit

    return jit.assembly_of(host_module(task).text, task.options)


# ---- GPU architectures


@dataclass(frozen=True, slots=True)
class GpuCode:
    """PTX, its cubin, and what the assembler reports."""

    ptx: str
    cubin: bytes
    resources: Resources


def nvvm_module(task: Task) -> NvvmModule:
    """TIR to NVVM IR."""
    from simt.core.nvvm.functions import emit_kernel

    assert isinstance(task.target, Gpu)
    module = emit_kernel(check(task), task.target, task.options, task.signature.small)
    task.stages.keep("nvvm", lambda: module.text)
    return module


def ptx_of(task: Task, module: NvvmModule) -> str:
    """NVVM IR to PTX, by libNVVM."""
    from simt.core.nvvm.libnvvm import compile_ptx

    assert isinstance(task.target, Gpu)
    ptx = compile_ptx(module, task.target, task.options)
    task.stages.keep("ptx", lambda: ptx)
    return ptx


def gpu_code(task: Task) -> GpuCode:
    """Code for a GPU architecture, from the disk cache or made now."""
    from simt.core.nvvm.libnvvm import libnvvm_version
    from simt.core.nvvm.link import assemble, assembler_version

    assert isinstance(task.target, Gpu)
    disk = disk_cache()
    key = None if disk is None else task.key(libnvvm_version(), assembler_version())
    entry = None if disk is None or key is None else disk.load(key)
    if entry is not None:
        resources = from_text(entry["resources"], class_table(Resources))
        assert isinstance(resources, Resources)
        return GpuCode(entry["ptx"].decode(), entry["cubin"], resources)
    module = nvvm_module(task)
    ptx = ptx_of(task, module)
    cubin = assemble(module, ptx, task.target, task.options)
    used = cubin.resources
    resources = Resources(
        used.registers, used.spill_store_bytes + used.spill_load_bytes, used.shared_bytes, used.stack_bytes
    )
    if disk is not None and key is not None:
        disk.store(key, {"ptx": ptx.encode(), "cubin": cubin.image, "resources": to_text(resources)})
    return GpuCode(ptx, cubin.image, resources)


def disassembly(task: Task) -> str:
    """Machine instructions of a GPU architecture."""
    from simt.core.nvvm.sass import disassemble

    sass = disassemble(gpu_code(task).cubin)
    task.stages.keep("sass", lambda: sass)
    return sass


# ---- either


def compile_task(task: Task) -> Compiled:
    """Code for a task's target, without loading it. Warns where the kernel spills registers."""
    name, signature, target, options = task.declaration.name, task.signature, task.target, task.options
    with task.stages.reporting():
        if isinstance(target, Cpu):
            host = host_code(task)
            resources = Resources(None, None, host.kernel.shared_bytes, None)
            return Compiled(name, signature, target, options, resources, object=host.image)
        code = gpu_code(task)
    if code.resources.spill_bytes:
        _warn_of_spills(task, code.resources)
    return Compiled(name, signature, target, options, code.resources, ptx=code.ptx, cubin=code.cubin)


def parse_target(text: str | Target | None) -> Target:
    """``"cpu"`` (also None), or an architecture such as ``"sm_90a"``.

    Raises:
        LaunchError: neither.
    """
    match text:
        case Cpu() | Gpu():
            return text
        case None | "cpu":
            return Cpu()
        case _:
            try:
                return Gpu(parse_architecture(text))
            except ValueError as error:
                raise LaunchError(f"target {error}; or write cpu") from None


def _compiled_in(signature: Signature) -> Iterable[object]:
    """The values and classes of a signature whose content the code holds: constants, and structs for their methods."""
    for argument in signature.arguments:
        if isinstance(argument, Constant):
            yield argument.value
        else:
            yield from _classes(argument)


def _classes(type: Type) -> Iterable[object]:
    match type:
        case ArrayType(element=element) | PointerType(element=element):
            yield from _classes(element)
        case StructType(fields=members):
            yield CLASS_OF_STRUCT[type]
            for member in members:
                yield from _classes(member.type)
        case TupleType(elements=elements):
            for element in elements:
                yield from _classes(element)
        case ScalarType() | VectorType():
            pass


def _warn(diagnostics: tuple[Diagnostic, ...]) -> None:
    """Report what the checker warns of, each at its line of the kernel."""
    for diagnostic in diagnostics:
        span = diagnostic.primary.span
        warnings.warn_explicit(render(diagnostic), CompileWarning, span.filename, span.line)


def _warn_of_spills(task: Task, resources: Resources) -> None:
    code = task.declaration.function.__code__
    warnings.warn_explicit(
        f"kernel {task.declaration.name} for {task.target} spills: {resources.spill_bytes} bytes of spill code a "
        f"thread beside {resources.registers} registers; raise or drop maxrregcount or min_blocks, or split the kernel",
        SpillWarning, code.co_filename, code.co_firstlineno,
    )
