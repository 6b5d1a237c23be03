"""``Specialisation``: a kernel's code for one signature, loaded, with what tells whether it is still right."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING

from simt.core.check.signature import Signature
from simt.core.code import host_code
from simt.core.options import Options
from simt.core.runtime.fast_path import FastPath
from simt.core.runtime.packing import record_of
from simt.core.specialize import record_types
from simt.core.target import Cpu
from simt.core.task import Task

if TYPE_CHECKING:
    from simt.core.declaration import Declaration
    from simt.core.general_launch import Executable


@dataclass(slots=True)
class Specialisation:
    """``record`` packs the arguments; ``changed`` tells whether a captured value is no longer what the code holds."""

    signature: Signature
    executable: Executable
    record: Struct
    changed: Callable[[], bool]
    fast_path: FastPath | None = None
    launched: bool = False


def specialise(declaration: Declaration, signature: Signature, options: Options) -> Specialisation:
    """Code for a signature on the CPU target, ready to launch.

    Raises:
        CompileError: the kernel cannot be compiled for it.
    """
    from simt.core.cpu.executable import load

    task = Task(declaration, signature, Cpu(), options)
    with task.stages.reporting():
        changed = task.fingerprint.watch.changed
        code = host_code(task)
        executable = load(code.kernel, code.image)
    return Specialisation(signature, executable, record_of(record_types(signature)), changed)
