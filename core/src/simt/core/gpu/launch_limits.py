"""What a loaded kernel and a device allow of a launch, beyond what the declaration says."""
from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from simt.core.errors import LaunchError

if TYPE_CHECKING:
    from simt.core.gpu.executable import GpuExecutable
    from simt.core.runtime.configuration import Configuration

WARP = 32
REGISTER_UNIT = 8  # of a thread's registers, as they are given out; CUDA C++ Programming Guide, compute capabilities


def check_limits(executable: GpuExecutable, configuration: Configuration) -> None:
    """Registers and shared memory.

    Raises:
        LaunchError: with the figures, the limit, and what would fit.
    """
    threads, device = prod(configuration.block), executable.device
    if threads > executable.attribute("MAX_THREADS_PER_BLOCK"):
        raise out_of_resources(executable, configuration)
    static, dynamic = executable.shared_bytes, configuration.shared_bytes
    limit = device.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
    if static + dynamic > limit:
        raise LaunchError(
            f"shared_bytes {dynamic} and the kernel's own {static} bytes of shared memory are over the {limit} bytes "
            f"of a block on {device.short_name}"
        )


def out_of_resources(executable: GpuExecutable, configuration: Configuration) -> LaunchError:
    """The error for a block that the multiprocessor has no registers for."""
    threads, registers = prod(configuration.block), executable.attribute("NUM_REGS")
    available = executable.device.attribute("MAX_REGISTERS_PER_BLOCK")
    a_thread = -(-registers // REGISTER_UNIT) * REGISTER_UNIT
    fits = min(executable.attribute("MAX_THREADS_PER_BLOCK"), available // max(a_thread, 1)) // WARP * WARP
    name = executable.kernel.name
    return LaunchError(
        f"block {configuration.block} has {threads} threads of {registers} registers, and a block of "
        f"{executable.device.short_name} has {available} registers: at most {fits} threads fit. Launch {name} with "
        f"smaller blocks, or declare @kernel(max_threads={threads}), which makes the compiler use fewer registers"
    )
