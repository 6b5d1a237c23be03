"""``Specialisation``: a kernel's code for one signature, loaded, with what tells whether it is still right."""
from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING

from simt.core.check.signature import Signature
from simt.core.code import host_code
from simt.core.compiling import compiling
from simt.core.device import Device
from simt.core.options import Options
from simt.core.runtime.cpu_device import CpuDevice
from simt.core.runtime.fast_path import FastPath
from simt.core.runtime.packing import record_of
from simt.core.specialize import record_types
from simt.core.target import Cpu
from simt.core.task import Task

if TYPE_CHECKING:
    from simt.core.declaration import Declaration
    from simt.core.frontend.watch import Watch
    from simt.core.general_launch import Executable


@dataclass(slots=True)
class Specialisation:
    """``record`` packs the arguments; ``watch`` holds what the code was made from besides the signature."""

    signature: Signature
    executable: Executable
    record: Struct
    watch: Watch
    fast_path: FastPath | None = None
    launched: bool = False

    def changed(self) -> bool:
        """Whether a captured value is no longer what the code holds."""
        return self.watch.changed()


def specialise(declaration: Declaration, signature: Signature, options: Options, device: Device) -> Specialisation:
    """Code for a signature on a device, loaded and ready to launch.

    Raises:
        CompileError: the kernel cannot be compiled for it.
    """
    record = record_of(record_types(signature))
    if isinstance(device, CpuDevice):
        task = Task(declaration, signature, Cpu(), options)
        watch, executable = compiling(task, lambda: (task.fingerprint.watch, _on_cpu(task)))
        return Specialisation(signature, executable, record, watch)
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.loading import load

    assert isinstance(device, GpuDevice), "there are no other devices"
    executable, watch = load(declaration, signature, options, device)
    return Specialisation(signature, executable, record, watch)


def _on_cpu(task: Task) -> Executable:
    from simt.core.cpu.executable import load
    from simt.core.runtime.cpu_code import CpuCode

    code = host_code(task)
    return CpuCode(load(code.kernel, code.image))
