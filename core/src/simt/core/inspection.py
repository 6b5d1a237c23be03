"""Any stage of a kernel as text, for ``kernel.inspect``."""
from __future__ import annotations

from typing import Literal, assert_never

from simt.core import compile as path
from simt.core.check.show import show as show_tir
from simt.core.code import gpu_code
from simt.core.compiling import compiling
from simt.core.cpu import jit
from simt.core.diagnostics.nearest import nearest
from simt.core.errors import CompileError, LaunchError
from simt.core.frontend.show import show as show_hir
from simt.core.nvvm.sass import disassemble
from simt.core.target import Cpu, Gpu, Target
from simt.core.task import Task, parse_target

Stage = Literal["hir", "tir", "llvm", "asm", "nvvm", "ptx", "sass"]
STAGES: tuple[Stage, ...] = ("hir", "tir", "llvm", "asm", "nvvm", "ptx", "sass")
DEFAULT_ARCHITECTURE = "sm_90"


def stage_text(stage: Stage, task: Task) -> str:
    """The text of ``stage``, made anew.

    Raises:
        CompileError: the kernel's text must change.
        UnavailableError: the tool that makes it is not installed.
    """
    return compiling(task, lambda: _made(stage, task))


def _made(stage: Stage, task: Task) -> str:
    function = path.read(task)
    if stage == "hir":
        if function.refused:
            raise CompileError(function.refused)
        return show_hir(function)
    kernel = path.check(task, function)
    match stage:
        case "tir":
            return show_tir(kernel)
        case "llvm":
            return path.emit_llvm(task, kernel).text
        case "asm":
            return jit.assembly_of(path.emit_llvm(task, kernel).text, task.options)
        case "nvvm":
            return path.emit_nvvm(task, kernel).text
        case "ptx":
            return path.to_ptx(task, path.emit_nvvm(task, kernel))
        case "sass":
            return disassemble(gpu_code(task).cubin)
        case _:
            assert_never(stage)


def target_for(stage: object, wanted: str | Target | None) -> Target:
    """The target whose ``stage`` is meant: without ``wanted`` the CPU, or sm_90 for stages of GPU code.

    Raises:
        LaunchError: no such stage, or a stage of the other kind of target.
    """
    if stage not in STAGES:
        close = nearest(stage, STAGES) if isinstance(stage, str) else None
        offer = "" if close is None else f": did you mean {close!r}?"
        raise LaunchError(f"{stage!r} is no stage{offer or ';'} the stages are {', '.join(STAGES)}", argument="stage")
    for_gpu = stage in ("nvvm", "ptx", "sass")
    target = parse_target((DEFAULT_ARCHITECTURE if for_gpu else "cpu") if wanted is None else wanted)
    if stage in ("hir", "tir"):
        return target
    if for_gpu and isinstance(target, Cpu):
        raise LaunchError(f"{stage} is a stage of GPU code; write target='sm_90' or another architecture")
    if not for_gpu and isinstance(target, Gpu):
        raise LaunchError(f"{stage} is a stage of the CPU target; for {target} there are nvvm, ptx and sass")
    return target
