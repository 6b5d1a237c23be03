"""From a kernel's signature to code on a GPU."""
from __future__ import annotations

from typing import TYPE_CHECKING

from simt.core.check.signature import Signature
from simt.core.code import gpu_code
from simt.core.frontend.watch import Watch
from simt.core.gpu.context import make_current
from simt.core.gpu.executable import GpuExecutable
from simt.core.options import Options, from_environment
from simt.core.runtime.cuda_driver import cu
from simt.core.runtime.packing import piece_offsets
from simt.core.specialize import record_types
from simt.core.task import Task

if TYPE_CHECKING:
    from simt.core.declaration import Declaration
    from simt.core.gpu.device import GpuDevice


def load(
    declaration: Declaration, signature: Signature, options: Options, device: GpuDevice
) -> tuple[GpuExecutable, Watch]:
    """The loaded kernel, and what it was made from besides the signature.

    Raises:
        CompileError: the kernel cannot be compiled for the device.
        UnavailableError: libNVVM or the assembler is not installed.
    """
    task = Task(declaration, signature, device.target, from_environment(options))
    with task.stages.reporting():
        watch = task.fingerprint.watch
        code = gpu_code(task)
    make_current(device.ordinal)
    module = cu("cuModuleLoadData", code.cubin)
    return GpuExecutable(device, code.kernel, module, piece_offsets(record_types(signature))), watch
