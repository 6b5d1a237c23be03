"""One load and one store an element: the rate that the other memory-bound kernels are compared with."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

THREADS = 256


@kernel
def copy(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = x[i]


CUDA = """
extern "C" __global__ void copy(const float *__restrict__ x, float *__restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i];
}
"""


def case(*, small: bool = False) -> GpuCase:
    n = 1000 if small else 1 << 25
    x = np.random.default_rng(1).random(n, dtype=np.float32)
    return GpuCase(
        name="copy", work=f"{n:,} f32", kernel=copy, cuda=CUDA, arguments=(x, np.zeros(n, np.float32)), sizes=(n,),
        output=1, expected=x, grid=(-(-n // THREADS),), block=(THREADS,), moved_bytes=8 * n, tolerance=0,
    )
