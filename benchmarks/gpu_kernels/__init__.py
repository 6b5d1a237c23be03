"""Kernels for a GPU, one file each with the same algorithm in CUDA C++ beside it."""
from __future__ import annotations

from benchmarks.gpu_case import GpuCase
from benchmarks.gpu_kernels import (
    bitonic_sort,
    black_scholes,
    copy,
    histogram,
    mandelbrot,
    naive_matmul,
    nbody,
    reduction,
    row_softmax,
    saxpy,
    scan,
    spmv,
    stencil,
    tiled_matmul,
    transpose,
)

MODULES = {
    "copy": copy, "saxpy": saxpy, "transpose": transpose, "stencil": stencil, "reduction": reduction, "scan": scan,
    "histogram": histogram, "naive_matmul": naive_matmul, "tiled_matmul": tiled_matmul, "nbody": nbody,
    "mandelbrot": mandelbrot, "black_scholes": black_scholes, "row_softmax": row_softmax, "spmv": spmv,
    "bitonic_sort": bitonic_sort,
}


def gpu_case(name: str, *, small: bool = False) -> GpuCase:
    """The case with a name of ``MODULES``; ``small`` ones are for tests on the CPU."""
    return MODULES[name].case(small=small)
