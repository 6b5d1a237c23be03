"""From a kernel's signature to code on a GPU."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simt.core.check.signature import Signature
from simt.core.code import gpu_code
from simt.core.compiling import compiling
from simt.core.errors import DriverError, LaunchError, UnavailableError
from simt.core.frontend.watch import Watch
from simt.core.gpu.context import make_current
from simt.core.gpu.executable import GpuExecutable
from simt.core.gpu.ptx_version import driver_version
from simt.core.nvvm.link import assembler_names
from simt.core.options import Options, from_environment
from simt.core.runtime.cuda_driver import cu
from simt.core.runtime.packing import piece_offsets
from simt.core.specialize import record_types
from simt.core.task import Task

if TYPE_CHECKING:
    from simt.core.declaration import Declaration
    from simt.core.gpu.device import GpuDevice

# What a driver says of machine code in a format that it does not know.
UNREADABLE = ("CUDA_ERROR_INVALID_IMAGE", "CUDA_ERROR_NO_BINARY_FOR_GPU", "CUDA_ERROR_INVALID_SOURCE")


def load(
    declaration: Declaration, signature: Signature, options: Options, device: GpuDevice
) -> tuple[GpuExecutable, Watch]:
    """The loaded kernel, and what it was made from besides the signature.

    Raises:
        LaunchError: race mode, which only the CPU target has.
        CompileError: the kernel cannot be compiled for the device.
        UnavailableError: libNVVM or the assembler is not installed, or newer than the driver.
    """
    if options.race:
        raise LaunchError(
            f"{declaration.name} has race=True, and races are found on the CPU target only: pass arrays of "
            "CpuDevice(), or leave race out on a GPU"
        )
    task = Task(declaration, signature, device.target, from_environment(options))
    watch, code = compiling(task, lambda: (task.fingerprint.watch, gpu_code(task)))
    offsets = piece_offsets(record_types(signature))
    return GpuExecutable(device, code.kernel, _loaded(device, code.cubin), offsets), watch


def _loaded(device: GpuDevice, cubin: bytes) -> Any:  # Any: a handle of the bindings
    """The module of a cubin that this process's own assembler made for the device."""
    make_current(device.ordinal)
    try:
        return cu("cuModuleLoadData", cubin)
    except DriverError as error:
        if error.result not in UNREADABLE:
            raise
        major, minor = driver_version()
        raise UnavailableError(
            f"the driver, of CUDA {major}.{minor}, does not read the code that {assembler_names()} makes: install a "
            f"newer driver, or the extra of its CUDA version, simt-core[cu{major}] ({error})"
        ) from None
