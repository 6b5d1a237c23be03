"""A loaded kernel with its grid and block: launches packed records, through the compiled path where it was built."""
from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simt.core.gpu.context import make_current
from simt.core.gpu.launch_extension import extension
from simt.core.gpu.launch_limits import out_of_resources
from simt.core.gpu.recent_launches import remember
from simt.core.runtime.cuda_driver import LIBRARY, driver, refused

if TYPE_CHECKING:
    from simt.core.gpu.executable import GpuExecutable
    from simt.core.runtime.configuration import Configuration

Launch = Callable[[bytes, int], None]  # of a packed record and a stream's handle
BYTES_HEADER = bytes.__basicsize__ - 1  # of a bytes object, before its content; it ends in one byte more


def new_launcher(executable: GpuExecutable, configuration: Configuration) -> Any:  # Any: of the compiled path
    """A ``Launcher`` of the compiled path."""
    device = executable.device
    return extension.Launcher(
        _entries(), (int(executable.function), int(device.context)), configuration.grid, configuration.block,
        configuration.shared_bytes, executable.offsets, executable.kernel.name, refusal(executable, configuration),
    )


def launch_function(executable: GpuExecutable, configuration: Configuration) -> Launch:
    """A function that launches a packed record."""
    if configuration.attributes is not None:
        from simt.core.gpu.attribute_launch import attribute_launch_function

        return attribute_launch_function(executable, configuration, refusal(executable, configuration))
    if extension is not None:
        return new_launcher(executable, configuration).run
    grid, block, shared_bytes = configuration.grid, configuration.block, configuration.shared_bytes
    launch, function, ordinal, name = driver().cuLaunchKernel, executable.function, executable.device.ordinal, (
        executable.kernel.name
    )
    pointers, addressof = ctypes.c_void_p * len(executable.offsets), ctypes.addressof
    refuse = refusal(executable, configuration)

    def run(record: bytes, stream: int) -> None:
        make_current(ordinal)
        start = id(record) + BYTES_HEADER
        parameters = pointers(*[start + offset for offset in executable.offsets])
        (status,) = launch(function, *grid, *block, shared_bytes, stream, addressof(parameters), 0)
        if status != 0:
            refuse(int(status))
        remember(name)

    return run


@functools.cache
def _entries() -> tuple[int, ...]:
    """Addresses of the driver's functions that the compiled path calls."""
    library = ctypes.CDLL(LIBRARY)
    names = ("cuLaunchKernel", "cuCtxGetCurrent", "cuCtxSetCurrent")
    return tuple(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in names)


def refusal(executable: GpuExecutable, configuration: Configuration) -> Callable[[int], None]:
    """Raises what a status that is not success means."""
    def refuse(status: int) -> None:
        with executable.device.explaining_failures():
            error = refused("cuLaunchKernel", driver().CUresult(status))
            if error.result == "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES":
                raise out_of_resources(executable, configuration)
            raise error

    return refuse
