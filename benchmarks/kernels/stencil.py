"""Five-point average on a plate: neighbouring loads, and edges kept."""
from __future__ import annotations

import numba
import numpy as np

from benchmarks.case import Array, Case
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import thread

HEIGHT, WIDTH = 1024, 1024


@kernel
def stencil(t: In[f32, D2], out: Out[f32, D2], rate: f32):
    col, row = thread.index_2d()
    height, width = t.shape
    if row < height and col < width:
        if 0 < row < height - 1 and 0 < col < width - 1:
            around = t[row - 1, col] + t[row + 1, col] + t[row, col - 1] + t[row, col + 1]
            out[row, col] = t[row, col] + rate * (around - 4 * t[row, col])
        else:
            out[row, col] = t[row, col]


@numba.njit(parallel=True)
def stencil_numba(t: Array, out: Array, rate: float) -> None:
    height, width = t.shape
    for row in numba.prange(height):
        for col in range(width):
            if 0 < row < height - 1 and 0 < col < width - 1:
                around = t[row - 1, col] + t[row + 1, col] + t[row, col - 1] + t[row, col + 1]
                out[row, col] = t[row, col] + rate * (around - np.float32(4) * t[row, col])
            else:
                out[row, col] = t[row, col]


BODY = """
    if (row < height && col < width) {
        if (row > 0 && row < height - 1 && col > 0 && col < width - 1) {
            float around = t[(row - 1) * width + col] + t[(row + 1) * width + col]
                         + t[row * width + col - 1] + t[row * width + col + 1];
            out[row * width + col] = t[row * width + col] + rate * (around - 4 * t[row * width + col]);
        } else {
            out[row * width + col] = t[row * width + col];
        }
    }
}
"""
OPENCL = """
kernel void stencil(global const float *restrict t, global float *restrict out, float rate, int height, int width) {
    int col = get_global_id(0), row = get_global_id(1);
""" + BODY
CUDA = """
extern "C" __global__ void stencil(const float *__restrict__ t, float *__restrict__ out, float rate,
                                   long long height, long long width) {
    long long col = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long row = blockIdx.y * (long long)blockDim.y + threadIdx.y;
""" + BODY


def case() -> Case:
    t = np.random.default_rng(1).random((HEIGHT, WIDTH), dtype=np.float32)
    expected = t.copy()
    inner = t[1:-1, 1:-1]
    around = t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:]
    expected[1:-1, 1:-1] = inner + np.float32(0.2) * (around - 4 * inner)
    return Case(
        name="stencil", work="1024 x 1024 f32", kernel=stencil,
        arguments=(t, np.zeros_like(t), np.float32(0.2)), output=1, expected=expected, grid=(WIDTH // 32, HEIGHT // 8),
        block=(32, 8), sizes=(HEIGHT, WIDTH), numba=stencil_numba, opencl=OPENCL, cuda=CUDA,
    )
