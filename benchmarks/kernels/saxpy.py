"""Two loads, a multiply-add, a store: memory speed, and what a launch costs."""
from __future__ import annotations

import numba
import numpy as np

from benchmarks.case import Array, Case
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

N = 1 << 20


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


@numba.njit(parallel=True)
def saxpy_numba(a: float, x: Array, y: Array, out: Array) -> None:
    for i in numba.prange(out.size):
        out[i] = a * x[i] + y[i]


OPENCL = """
kernel void saxpy(float a, global const float *restrict x, global const float *restrict y, global float *restrict out,
                  int n) {
    size_t i = get_global_id(0);
    if (i < n) out[i] = a * x[i] + y[i];
}
"""
CUDA = """
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, const float *__restrict__ y,
                                 float *__restrict__ out, int n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}
"""


def case() -> Case:
    rng = np.random.default_rng(0)
    a, x, y = np.float32(2.5), rng.random(N, dtype=np.float32), rng.random(N, dtype=np.float32)
    return Case(
        name="saxpy", work="1 M f32", kernel=saxpy, arguments=(a, x, y, np.zeros(N, np.float32)), output=3,
        expected=a * x + y, grid=(N // 256,), block=(256,), sizes=(N,), numba=saxpy_numba, opencl=OPENCL, cuda=CUDA,
    )
