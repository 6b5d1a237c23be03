"""A matrix product straight from global memory, an element of the result a thread."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import thread

BLOCK = (32, 8)


@kernel
def naive_matmul(a: In[f32, D2], b: In[f32, D2], out: Out[f32, D2]):
    col, row = thread.index_2d()
    rows, cols = out.shape
    if row < rows and col < cols:
        total = f32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, col]
        out[row, col] = total


CUDA = """
extern "C" __global__ void naive_matmul(const float *__restrict__ a, const float *__restrict__ b,
                                        float *__restrict__ out, int rows, int inner, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float total = 0;
        for (int k = 0; k < inner; ++k) total += a[row * inner + k] * b[k * cols + col];
        out[row * cols + col] = total;
    }
}
"""


def case(*, small: bool = False) -> GpuCase:
    rows, inner, cols = (40, 33, 50) if small else (1024, 1024, 1024)
    rng = np.random.default_rng(7)
    a, b = rng.random((rows, inner), dtype=np.float32), rng.random((inner, cols), dtype=np.float32)
    return GpuCase(
        name="naive_matmul", work=f"{rows} x {inner} x {cols} f32", kernel=naive_matmul, cuda=CUDA,
        arguments=(a, b, np.zeros((rows, cols), np.float32)), sizes=(rows, inner, cols), output=2,
        expected=a.astype(np.float64) @ b, grid=(-(-cols // BLOCK[0]), -(-rows // BLOCK[1])), block=BLOCK,
    )
