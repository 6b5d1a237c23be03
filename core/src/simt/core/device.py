"""Devices: where arrays live and kernels run. This version runs kernels on the CPU device."""
from __future__ import annotations

import os
import platform
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from simt.core.errors import LaunchError, UnavailableError
from simt.core.runtime.cpu_array import CpuArray, allocate
from simt.core.runtime.dtypes import as_dtype

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Shape = int | tuple[int, ...]


class Device(Protocol):
    """What programs use of a device, whichever it is. ``dtype`` is a scalar or struct of the language, or NumPy's."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    def array(self, host: ArrayLike | CpuArray, dtype: object = None) -> CpuArray:
        """New device memory with the contents of ``host``, C-contiguous."""
        ...

    def empty(self, shape: Shape, dtype: object) -> CpuArray:
        """New device memory, uninitialised."""
        ...

    def zeros(self, shape: Shape, dtype: object) -> CpuArray:
        """New device memory, all bytes zero."""
        ...

    def full(self, shape: Shape, value: object, dtype: object) -> CpuArray:
        """New device memory, every element ``value``."""
        ...

    def synchronize(self) -> None:
        """Wait for all launches; raise what they failed with."""
        ...


class CpuDevice:
    """This machine's processor.

    A launch returns when its grid has ended, and raises its ``DeviceFault`` itself, so ``synchronize`` has nothing
    left to wait for.
    """

    @property
    def name(self) -> str:
        """``CPU (model, 8 threads)``."""
        return f"CPU ({_processor()}, {available_threads()} threads)"

    def array(self, host: ArrayLike | CpuArray, dtype: object = None) -> CpuArray:
        """New memory with the contents of ``host`` in C order; ``dtype`` defaults to the host array's."""
        source = np.asarray(host)
        target = source.dtype if dtype is None else as_dtype(dtype)
        if target.kind == "O":
            raise LaunchError("an array of Python objects has no device memory; give a dtype")
        memory = allocate(source.shape, target)
        np.copyto(memory, source, casting="same_kind" if dtype is None else "unsafe")
        return CpuArray(memory)

    def empty(self, shape: Shape, dtype: object) -> CpuArray:
        """New memory, uninitialised."""
        return CpuArray(allocate(shape, as_dtype(dtype)))

    def zeros(self, shape: Shape, dtype: object) -> CpuArray:
        """New memory, all bytes zero."""
        return CpuArray(allocate(shape, as_dtype(dtype), zero=True))

    def full(self, shape: Shape, value: object, dtype: object) -> CpuArray:
        """New memory, every element ``value``."""
        memory = allocate(shape, as_dtype(dtype))
        memory[...] = value
        return CpuArray(memory)

    def synchronize(self) -> None:
        """Returns at once: launches on this device end before they return, and raise their own faults."""

    def __repr__(self) -> str:
        return "<CpuDevice>"


@cache
def default_device() -> Device:
    """The device that launches use: the CPU, unless SIMT_DEVICE names another.

    Raises:
        UnavailableError: SIMT_DEVICE asks for a GPU.
        ValueError: SIMT_DEVICE is neither ``cpu`` nor ``gpu``.
    """
    wanted = os.environ.get("SIMT_DEVICE", "cpu").strip().lower()
    match wanted.partition(":")[0]:
        case "cpu" | "":
            return CpuDevice()
        case "gpu" | "cuda":
            raise UnavailableError(
                f"SIMT_DEVICE={wanted} asks for a GPU, and launches on GPUs are not part of this version; "
                "unset it or write SIMT_DEVICE=cpu. Kernels compile for GPUs: kernel.compile(target='sm_90')"
            )
        case _:
            raise ValueError(f"SIMT_DEVICE={wanted} names no device; write cpu or gpu")


def available_threads() -> int:
    """Processors this process may use."""
    affinity: Any = getattr(os, "sched_getaffinity", None)  # absent on macOS and Windows
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@cache
def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    except OSError:  # not Linux
        model = ""
    return model or platform.processor() or platform.machine()
