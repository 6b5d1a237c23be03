"""Code of a task: from the disk cache where it is, else by the main path, which only then is imported."""
from __future__ import annotations

import warnings
from typing import cast

from simt.core.cache import disk_cache
from simt.core.compiled import Compiled, GpuCode, HostCode, Resources
from simt.core.compiling import compiling
from simt.core.kernel_warnings import SpillWarning
from simt.core.plain_data import class_table, from_text, to_text
from simt.core.stages import dumped_stages, must_verify
from simt.core.target import Cpu
from simt.core.task import Notice, Task


def host_code(task: Task) -> HostCode:
    """Machine code for the CPU."""
    from simt.core.cpu import jit, stored_kernel

    key = task.key(jit.host_description())
    entry = _load(task, key)
    if entry is not None:
        return HostCode(stored_kernel.read(entry["kernel"]), entry["object"])
    from simt.core.compile import compile_for_cpu

    code = compile_for_cpu(task)
    _store(task, key, {"kernel": stored_kernel.write(code.kernel), "object": code.image})
    return code


def gpu_code(task: Task) -> GpuCode:
    """Code for a GPU architecture.

    Raises:
        UnavailableError: libNVVM or the assembler is not installed, or does not know the architecture.
    """
    from simt.core.nvvm import stored_kernel
    from simt.core.nvvm.libnvvm import libnvvm_version
    from simt.core.nvvm.link import assembler_version

    key = task.key(libnvvm_version(), assembler_version())
    entry = _load(task, key)
    if entry is not None:
        resources = cast("Resources", from_text(entry["resources"], class_table(Resources)))
        return GpuCode(stored_kernel.read(entry["kernel"]), entry["ptx"].decode(), entry["cubin"], resources)
    from simt.core.compile import compile_for_gpu

    code = compile_for_gpu(task)
    _store(task, key, {
        "kernel": stored_kernel.write(code.kernel), "ptx": code.ptx.encode(), "cubin": code.cubin,
        "resources": to_text(code.resources),
    })
    return code


def compiled(task: Task) -> Compiled:
    """Code for a task's target, without loading it. Warns where the kernel spills registers."""
    name, signature, target, options = task.declaration.name, task.signature, task.target, task.options
    if isinstance(target, Cpu):
        host = compiling(task, lambda: host_code(task))
        resources = Resources(None, None, host.kernel.shared_bytes, None)
        return Compiled(name, signature, target, options, resources, object=host.image)
    code = compiling(task, lambda: gpu_code(task))
    if code.resources.spill_bytes:
        _warn_of_spills(task, code.resources)
    return Compiled(name, signature, target, options, code.resources, ptx=code.ptx, cubin=code.cubin)


def _load(task: Task, key: str | None) -> dict[str, bytes] | None:
    """What the disk cache holds for a task. Nothing where somebody wants to see or verify the stages."""
    disk = disk_cache()
    if disk is None or key is None or dumped_stages() or must_verify():
        return None
    entry = disk.load(key)
    if entry is not None:
        notices = cast("tuple[Notice, ...]", from_text(entry["warnings"], class_table(Notice)))
        task.warn(notices)
    return entry


def _store(task: Task, key: str | None, sections: dict[str, bytes]) -> None:
    disk = disk_cache()
    if disk is not None and key is not None:
        disk.store(key, sections | {"warnings": to_text(tuple(task.warnings))})


def _warn_of_spills(task: Task, resources: Resources) -> None:
    code = task.declaration.function.__code__
    warnings.warn_explicit(
        f"kernel {task.declaration.name} for {task.target} spills: {resources.spill_bytes} bytes of spill code a "
        f"thread beside {resources.registers} registers; raise or drop maxrregcount or min_blocks, or split the kernel",
        SpillWarning, code.co_filename, code.co_firstlineno,
    )
