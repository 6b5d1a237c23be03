"""How a kernel's multiprocessor divides its memory between the L1 cache and shared memory: a wish of the kernel's.

Source: CUDA Driver API, ``cuFuncSetCacheConfig`` and the attribute ``PREFERRED_SHARED_MEMORY_CARVEOUT``.
"""
from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from simt.core.errors import LaunchError
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.gpu.executable import GpuExecutable


class CachePreference(Enum):
    """Which of the two should be large."""

    NONE = "NONE"
    SHARED = "SHARED"
    L1 = "L1"
    EQUAL = "EQUAL"


def prefer(executable: GpuExecutable, preference: CachePreference) -> None:
    """Say what the kernel would like; see ``simt.core.gpu.occupancy.executable_for`` for a kernel's executable."""
    make_current(executable.device.ordinal)
    cu("cuFuncSetCacheConfig", executable.function,
       getattr(driver().CUfunc_cache, f"CU_FUNC_CACHE_PREFER_{preference.value}"))


def set_carveout(executable: GpuExecutable, percent: int) -> None:
    """Say how much of the memory should be shared memory, in percent; -1 leaves it to the driver.

    Raises:
        LaunchError: outside -1 to 100.
    """
    if not -1 <= percent <= 100:
        raise LaunchError(f"percent {percent} is outside -1 to 100", argument="percent")
    executable.set_attribute("PREFERRED_SHARED_MEMORY_CARVEOUT", percent)
