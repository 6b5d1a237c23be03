"""Any stage of a kernel as text, for ``kernel.inspect``."""
from __future__ import annotations

from typing import TYPE_CHECKING, Literal, assert_never

from simt.core import compile as path
from simt.core.errors import LaunchError
from simt.core.target import Cpu, Gpu, Target

if TYPE_CHECKING:
    from simt.core.check.signature import Signature
    from simt.core.declaration import Declaration
    from simt.core.options import Options

Stage = Literal["hir", "tir", "llvm", "asm", "nvvm", "ptx", "sass"]
STAGES: tuple[Stage, ...] = ("hir", "tir", "llvm", "asm", "nvvm", "ptx", "sass")
DEFAULT_ARCHITECTURE = "sm_90"


def inspect_stage(
    stage: Stage, declaration: Declaration, signature: Signature, target: Target | None, options: Options
) -> str:
    """The text of ``stage``, made anew.

    Raises:
        LaunchError: no such stage, or a stage of the other kind of target.
        UnavailableError: the tool that makes it is not installed.
    """
    from simt.core.check import show as show_tir
    from simt.core.frontend import show as show_hir

    if stage not in STAGES:
        raise LaunchError(f"{stage!r} is no stage; the stages are {', '.join(STAGES)}")
    target = _target_of(stage, target)
    task = path.Task(declaration, signature, target, options)
    with task.stages.reporting():
        match stage:
            case "hir":
                return show_hir.show(path.read(task))
            case "tir":
                return show_tir.show(path.check(task))
            case "llvm":
                return path.host_module(task).text
            case "asm":
                return path.host_assembly(task)
            case "nvvm":
                return path.nvvm_module(task).text
            case "ptx":
                return path.ptx_of(task, path.nvvm_module(task))
            case "sass":
                return path.disassembly(task)
            case _:
                assert_never(stage)


def _target_of(stage: Stage, target: Target | None) -> Target:
    for_gpu = stage in ("nvvm", "ptx", "sass")
    if target is None:
        return path.parse_target(DEFAULT_ARCHITECTURE if for_gpu else "cpu")
    if stage in ("hir", "tir"):
        return target
    if for_gpu and isinstance(target, Cpu):
        raise LaunchError(f"{stage} is a stage of GPU code; write target='sm_90' or another architecture")
    if not for_gpu and isinstance(target, Gpu):
        raise LaunchError(f"{stage} is a stage of the CPU target; for {target} there are nvvm, ptx and sass")
    return target
