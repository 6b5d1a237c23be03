"""The benchmark kernels, one file each with all its versions side by side."""
from __future__ import annotations

from benchmarks.case import Case
from benchmarks.kernels import block_reduce, histogram, mandelbrot, matmul, nbody, saxpy, stencil, warp_scan


def all_cases() -> list[Case]:
    modules = (saxpy, stencil, mandelbrot, nbody, matmul, block_reduce, histogram, warp_scan)
    return [module.case() for module in modules]
