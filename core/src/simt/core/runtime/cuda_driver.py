"""Calls of the CUDA driver through ``cuda.bindings.driver``: loaded at the first call, every status checked.

``cu("cuMemAlloc", n)`` calls the function and gives its results: None, one value, or a tuple. Source: CUDA Driver API.
"""
from __future__ import annotations

import ctypes
import functools
import importlib
import os
import sys
from typing import Any

from simt.core.errors import DriverError, UnavailableError
from simt.core.runtime.driver_start import start_failure

EXTRA = "pip install 'simt-core[cu13]' (or [cu12], for drivers before 580)"
LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
FORKED = (
    "this process was forked after its parent had started CUDA, and CUDA does not survive a fork: start processes with "
    "multiprocessing.get_context('spawn'), or fork before the first use of a GPU"
)
# After these the context is lost: every later call of the process gives the same status.
LOST_CONTEXT = frozenset({
    "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_MISALIGNED_ADDRESS",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION", "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC",
    "CUDA_ERROR_HARDWARE_STACK_ERROR", "CUDA_ERROR_ASSERT", "CUDA_ERROR_LAUNCH_TIMEOUT",
})


class _Process:
    """This process: ``forked`` if it is the forked child of one that had started CUDA."""

    forked = False

    @classmethod
    def fork(cls) -> None:
        """This is such a child."""
        cls.forked = True


def cu(function: str, *arguments: object) -> Any:  # Any: each function has its own results
    """Call a driver function.

    Raises:
        UnavailableError: no driver, no bindings, or a driver without the function.
        DriverError: the driver refused; ``result`` is the status.
    """
    if _Process.forked:
        raise UnavailableError(FORKED)
    try:
        results = getattr(driver(), function)(*arguments)
    except RuntimeError as error:  # the bindings' class for a missing function differs between their versions
        raise _missing(function, error) from None
    status = results[0]
    if status != 0:
        raise refused(function, status)
    return results[1] if len(results) == 2 else (results[1:] or None)


def newest(function: str) -> str:
    """The name of the newest signature of a function that CUDA 13 has under its plain name, and 12 as version 2."""
    return f"{function}_v2" if hasattr(driver(), f"{function}_v2") else function


@functools.cache
def driver() -> Any:  # Any: a compiled module without stubs
    """The initialised bindings.

    Raises:
        UnavailableError: what is missing, and what to install.
    """
    module = bindings()
    (status,) = module.cuInit(0)
    os.register_at_fork(after_in_child=_Process.fork)
    if status != 0:
        name = status_name(module, status)
        raise UnavailableError(f"no GPU can be used: {start_failure(name)} (cuInit gave {name})")
    return module


@functools.cache
def bindings() -> Any:  # Any: a compiled module without stubs
    """``cuda.bindings.driver``, which the driver's library must be there for."""
    try:
        ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise UnavailableError(
            f"no GPU can be used: the NVIDIA driver's library {LIBRARY} does not load ({error}); install the driver, "
            "start a container with GPUs (docker run --gpus all), or use the CPU target"
        ) from None
    try:
        return importlib.import_module("cuda.bindings.driver")
    except ImportError as error:
        raise UnavailableError(f"the driver {LIBRARY} is there, and cuda.bindings is not ({error}): {EXTRA}") from None


def is_usable() -> bool:
    """Whether a GPU can be used, as ``driver`` finds."""
    try:
        return cu("cuDeviceGetCount") > 0
    except UnavailableError:
        return False


def _missing(function: str, error: RuntimeError) -> Exception:
    """The exception for a function that the driver does not have."""
    if "not found" not in str(error) or function not in str(error):
        return error
    _, version = driver().cuDriverGetVersion()
    cuda = f"{version // 1000}.{version % 1000 // 10}"
    return UnavailableError(f"the driver, of CUDA {cuda}, has no {function}: install a newer NVIDIA driver")


def refused(function: str, status: Any) -> DriverError:  # Any: an enum of the bindings
    """The exception for a status that is not success.

    Raises:
        UnavailableError: the status comes of a fork.
    """
    if _Process.forked:
        raise UnavailableError(FORKED)
    module = driver()
    name = status_name(module, status)
    text = _text(module.cuGetErrorString(status))
    return DriverError(f"{function}: {name}, {text}", result=name, call=function)


def status_name(module: Any, status: Any) -> str:  # Any: as above
    """``CUDA_ERROR_INVALID_VALUE``."""
    return _text(module.cuGetErrorName(status)) or f"status {int(status)}"


def _text(answer: tuple[Any, Any]) -> str:  # Any: as above
    return answer[1].decode() if answer[0] == 0 and answer[1] else ""
