"""Each system's launch of the kernel with a given number of arrays: what to call, and with which arguments.

A system that cannot run here raises, and its row says why.
"""
from __future__ import annotations

import ctypes
import functools
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gpu_launch.sources import CUDA, NUMBA, SIMT, TRITON, module, source

Call = tuple[Callable[..., object], tuple[Any, ...]]  # Any: arguments of every system
GRID, BLOCK, SIZE = 4, 256, 1024
keep_alive: list[object] = []  # memory that a system is given by its address


def simt(count: int, tensors: bool = False) -> Call:
    """Our checked launch on our arrays, or on torch's tensors."""
    from simt.core.gpu.device import gpu

    if tensors:
        import torch

        arrays: list[Any] = [torch.zeros(SIZE, device="cuda") for _ in range(count)]  # Any: arrays of two libraries
    else:
        arrays = [gpu().zeros(SIZE, np.float32) for _ in range(count)]
    launch = module(SIMT, count).touch[GRID, BLOCK]
    launch(*arrays)
    launch(*arrays)
    return launch, tuple(arrays)


def simt_with_torch(count: int) -> Call:
    """Our checked launch on torch's tensors."""
    return simt(count, tensors=True)


def cuda_core(count: int) -> Call:
    """cuda.core's launch of addresses, which checks nothing."""
    import torch
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    program = Program(source(CUDA, count), code_type="c++", options=ProgramOptions(arch=f"sm_{device.arch}"))
    kernel = program.compile("cubin").get_kernel("touch")
    tensors = [torch.zeros(SIZE, device="cuda") for _ in range(count)]
    addresses, configuration = [tensor.data_ptr() for tensor in tensors], LaunchConfig(grid=GRID, block=BLOCK)
    keep_alive.append(tensors)
    return launch, (stream, configuration, kernel, *addresses)


def cupy(count: int) -> Call:
    """CuPy's RawKernel."""
    import cupy

    kernel = cupy.RawKernel(source(CUDA, count), "touch")
    arrays = tuple(cupy.zeros(SIZE, cupy.float32) for _ in range(count))
    return kernel, ((GRID,), (BLOCK,), arrays)


def triton(count: int) -> Call:
    """Triton's launch of tensors."""
    import torch

    kernel = module(TRITON, count).touch[(GRID,)]
    tensors = [torch.zeros(SIZE, device="cuda") for _ in range(count)]
    return kernel, tuple(tensors)


def numba(count: int) -> Call:
    """numba-cuda's launch of its device arrays."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # type: ignore[attr-defined]  # numba-cuda 0.30 asks for it, NumPy 2.5 has it no more
    from numba import cuda

    arrays = [cuda.to_device(np.zeros(SIZE, np.float32)) for _ in range(count)]
    kernel = module(NUMBA, count).touch[GRID, BLOCK]
    return kernel, tuple(arrays)


def torch_add(count: int) -> Call:
    """torch's own operation with an output, for three tensors and a scale."""
    import torch

    if count != 4:
        raise RuntimeError("torch.add has four arguments")
    x, y, out = (torch.zeros(SIZE, device="cuda") for _ in range(3))
    return functools.partial(torch.add, alpha=2.0, out=out), (x, y)


def floor(count: int) -> Callable[[int], float]:
    """Microseconds of a launch in C, of the same code with the same parameters, as a function of how many."""
    from simt.core.gpu.device import gpu

    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "floor.so")
        text = Path(__file__).with_name("floor.c")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(text), "-o", str(library)], check=True)
        burst = ctypes.CDLL(str(library)).burst
    burst.restype = ctypes.c_double
    arrays = [gpu().zeros(SIZE, np.float32) for _ in range(count)]
    kernel = module(SIMT, count).touch
    kernel[GRID, BLOCK](*arrays)
    (specialisation,) = kernel._specialisations.values()
    function = ctypes.c_void_p(int(specialisation.executable.function))
    launch = ctypes.cast(ctypes.CDLL("libcuda.so.1").cuLaunchKernel, ctypes.c_void_p)
    values = (ctypes.c_uint64 * (2 * count))(*[value for array in arrays for value in (array.address, SIZE)])

    def measure(launches: int, _keep: object = (arrays, specialisation)) -> float:
        us = burst(launch, function, GRID, BLOCK, 2 * count, values, launches)
        if us < 0:
            raise RuntimeError(f"cuLaunchKernel gave {-us:.0f}")
        return us

    return measure


SYSTEMS: dict[str, Callable[[int], Call]] = {
    "simt": simt, "simt, torch tensors": simt_with_torch, "cuda.core, no checks": cuda_core, "CuPy RawKernel": cupy,
    "Triton": triton, "numba-cuda": numba, "torch.add(out=)": torch_add,
}
