"""Two loads, a multiply-add and a store an element: the speed of memory."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

THREADS = 256


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


CUDA = """
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, const float *__restrict__ y,
                                 float *__restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}
"""


def case(*, small: bool = False) -> GpuCase:
    n = 1000 if small else 1 << 24
    rng = np.random.default_rng(0)
    a, x, y = np.float32(2.5), rng.random(n, dtype=np.float32), rng.random(n, dtype=np.float32)
    return GpuCase(
        name="saxpy", work=f"{n:,} f32", kernel=saxpy, cuda=CUDA, arguments=(a, x, y, np.zeros(n, np.float32)),
        sizes=(n,), output=3, expected=a * x + y, grid=(-(-n // THREADS),), block=(THREADS,), moved_bytes=12 * n,
    )
