"""A transpose in tiles of 32 x 32 through shared memory, so that both sides touch whole lines; blocks of 32 x 8."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import block, shared, thread

TILE = 32
ROWS = 8


@kernel(max_threads=TILE * ROWS)
def transpose(x: In[f32, D2], out: Out[f32, D2]):
    tile = shared.array(f32, (TILE, TILE + 1))
    height, width = x.shape
    left, top = thread.thread_idx.x, thread.thread_idx.y
    col, row = thread.block_idx.x * TILE + left, thread.block_idx.y * TILE + top
    for step in range(0, TILE, ROWS):
        if row + step < height and col < width:
            tile[top + step, left] = x[row + step, col]
    block.sync()
    col, row = thread.block_idx.y * TILE + left, thread.block_idx.x * TILE + top
    for step in range(0, TILE, ROWS):
        if row + step < width and col < height:
            out[row + step, col] = tile[left, top + step]


CUDA = """
extern "C" __global__ void __launch_bounds__(256)
transpose(const float *__restrict__ x, float *__restrict__ out, int height, int width) {
    __shared__ float tile[32][33];
    int left = threadIdx.x, top = threadIdx.y;
    int col = blockIdx.x * 32 + left, row = blockIdx.y * 32 + top;
    for (int step = 0; step < 32; step += 8)
        if (row + step < height && col < width) tile[top + step][left] = x[(row + step) * width + col];
    __syncthreads();
    col = blockIdx.y * 32 + left, row = blockIdx.x * 32 + top;
    for (int step = 0; step < 32; step += 8)
        if (row + step < width && col < height) out[(row + step) * height + col] = tile[left][top + step];
}
"""


def case(*, small: bool = False) -> GpuCase:
    height, width = (70, 100) if small else (4096, 4096)
    x = np.random.default_rng(2).random((height, width), dtype=np.float32)
    return GpuCase(
        name="transpose", work=f"{height} x {width} f32, tiles of 32", kernel=transpose, cuda=CUDA,
        arguments=(x, np.zeros((width, height), np.float32)), sizes=(height, width), output=1, expected=x.T,
        grid=(-(-width // TILE), -(-height // TILE)), block=(TILE, ROWS), moved_bytes=8 * x.size, tolerance=0,
    )
