"""A matrix product in 16 x 16 tiles of shared memory, two barriers a tile; sizes are multiples of 16."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import block, shared, thread

TILE = 16


@kernel(max_threads=TILE * TILE)
def tiled_matmul(a: In[f32, D2], b: In[f32, D2], out: Out[f32, D2]):
    a_tile = shared.array(f32, (TILE, TILE))
    b_tile = shared.array(f32, (TILE, TILE))
    x, y = thread.thread_idx.x, thread.thread_idx.y
    col, row = thread.index_2d()
    total = f32(0)
    for start in range(0, a.shape[1], TILE):
        a_tile[y, x] = a[row, start + x]
        b_tile[y, x] = b[start + y, col]
        block.sync()
        for k in range(TILE):
            total += a_tile[y, k] * b_tile[k, x]
        block.sync()
    out[row, col] = total


CUDA = """
extern "C" __global__ void __launch_bounds__(256)
tiled_matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int inner, int cols) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * blockDim.x + x, row = blockIdx.y * blockDim.y + y;
    float total = 0;
    for (int start = 0; start < inner; start += 16) {
        a_tile[y][x] = a[row * inner + start + x];
        b_tile[y][x] = b[(start + y) * cols + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) total += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    out[row * cols + col] = total;
}
"""


def case(*, small: bool = False) -> GpuCase:
    rows, inner, cols = (48, 32, 64) if small else (1024, 1024, 1024)
    rng = np.random.default_rng(8)
    a, b = rng.random((rows, inner), dtype=np.float32), rng.random((inner, cols), dtype=np.float32)
    return GpuCase(
        name="tiled_matmul", work=f"{rows} x {inner} x {cols} f32, tiles of 16", kernel=tiled_matmul, cuda=CUDA,
        arguments=(a, b, np.zeros((rows, cols), np.float32)), sizes=(inner, cols), output=2,
        expected=a.astype(np.float64) @ b, grid=(cols // TILE, rows // TILE), block=(TILE, TILE),
    )
