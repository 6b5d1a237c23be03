"""THE MAIN PATH: from a kernel's function and a signature to code. Read this first.

::

    Python function -> HIR -> TIR -> LLVM IR of the host -> machine code            compile_for_cpu
                                  -> NVVM IR -> PTX -> cubin                         compile_for_gpu

Each step keeps its result for SIMT_DUMP and for the report of a failure. ``code.py`` puts the disk cache in front.
"""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.kernel import check_kernel
from simt.core.check.show import show as show_tir
from simt.core.check.verify import verify
from simt.core.compiled import GpuCode, HostCode, Resources
from simt.core.cpu import jit
from simt.core.cpu.functions import emit_kernel as emit_for_host
from simt.core.cpu.host_kernel import HostModule
from simt.core.frontend import hir
from simt.core.frontend.read import read_with_refusals, source_of
from simt.core.frontend.show import show as show_hir
from simt.core.nvvm.functions import emit_kernel as emit_for_nvvm
from simt.core.nvvm.libnvvm import compile_ptx
from simt.core.nvvm.link import Cubin
from simt.core.nvvm.link import assemble as assemble_ptx
from simt.core.nvvm.module import NvvmModule, description
from simt.core.stages import must_verify
from simt.core.target import Gpu
from simt.core.task import Task, notice_of


def compile_for_cpu(task: Task) -> HostCode:
    """Machine code of this processor."""
    function = read(task)
    kernel = check(task, function)
    module = emit_llvm(task, kernel)
    image = assemble_llvm(task, module)
    return HostCode(module.kernel, image)


def compile_for_gpu(task: Task) -> GpuCode:
    """PTX and cubin of one architecture."""
    function = read(task)
    kernel = check(task, function)
    module = emit_nvvm(task, kernel)
    ptx = to_ptx(task, module)
    cubin = to_cubin(task, module, ptx)
    return GpuCode(description(module), ptx, cubin.image, _resources(cubin))


# ---- the steps


def read(task: Task) -> hir.Function:
    """Source to HIR."""
    task.stages.keep("source", lambda: source_of(task.declaration.function))
    function = read_with_refusals(task.declaration.function)
    task.stages.keep("hir", lambda: show_hir(function))
    return function


def check(task: Task, function: hir.Function) -> tir.Kernel:
    """HIR to TIR. Warns of what the checker finds odd."""
    declaration = task.declaration
    checked = check_kernel(
        declaration.function, function, declaration.annotations, task.signature, task.target, task.options,
        name=declaration.name, max_threads=declaration.max_threads, min_blocks=declaration.min_blocks,
        cluster=declaration.cluster, block=declaration.block,
    )
    task.stages.keep("tir", lambda: show_tir(checked.kernel))
    if must_verify():
        verify(checked.kernel, "check")
    task.warn(map(notice_of, checked.warnings))
    return checked.kernel


def emit_llvm(task: Task, kernel: tir.Kernel) -> HostModule:
    """TIR to LLVM IR of the host."""
    module = emit_for_host(kernel, task.options)
    task.stages.keep("llvm", lambda: module.text)
    return module


def assemble_llvm(task: Task, module: HostModule) -> bytes:
    """LLVM IR of the host to an object file."""
    task.stages.keep("asm", lambda: jit.assembly_of(module.text, task.options))
    return jit.compile_text(module.text, task.options.opt)


def emit_nvvm(task: Task, kernel: tir.Kernel) -> NvvmModule:
    """TIR to NVVM IR."""
    module = emit_for_nvvm(kernel, _gpu(task), task.options, task.signature.small)
    task.stages.keep("nvvm", lambda: module.text)
    return module


def to_ptx(task: Task, module: NvvmModule) -> str:
    """NVVM IR to PTX, by libNVVM."""
    ptx = compile_ptx(module, _gpu(task), task.options)
    task.stages.keep("ptx", lambda: ptx)
    return ptx


def to_cubin(task: Task, module: NvvmModule, ptx: str) -> Cubin:
    """PTX to machine code, by nvJitLink or ptxas."""
    return assemble_ptx(module, ptx, _gpu(task), task.options)


def _gpu(task: Task) -> Gpu:
    assert isinstance(task.target, Gpu)
    return task.target


def _resources(cubin: Cubin) -> Resources:
    used = cubin.resources
    spills = used.spill_store_bytes + used.spill_load_bytes
    return Resources(used.registers, spills, used.shared_bytes, used.stack_bytes)
