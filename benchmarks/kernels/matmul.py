"""A matrix product in 16 x 16 tiles of shared memory, two barriers a tile."""
from __future__ import annotations

import numba
import numpy as np

from benchmarks.case import Array, Case
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import block, shared, thread

SIZE = 512
TILE = 16


@kernel(max_threads=TILE * TILE)
def matmul(a: In[f32, D2], b: In[f32, D2], out: Out[f32, D2]):
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


@numba.njit(parallel=True)
def matmul_numba(a: Array, b: Array, out: Array) -> None:
    """Tiles too: each thread makes a 16-row band of the result."""
    rows, inner, columns = a.shape[0], a.shape[1], b.shape[1]
    for band in numba.prange(rows // TILE):
        total = np.zeros((TILE, columns), np.float32)
        for start in range(0, inner, TILE):
            for y in range(TILE):
                for k in range(TILE):
                    value = a[band * TILE + y, start + k]
                    for col in range(columns):
                        total[y, col] += value * b[start + k, col]
        out[band * TILE : band * TILE + TILE] = total


BODY = """
    float total = 0;
    for (int start = 0; start < n; start += 16) {
        a_tile[y][x] = a[row * n + start + x];
        b_tile[y][x] = b[(start + y) * n + col];
        BARRIER;
        for (int k = 0; k < 16; ++k) total += a_tile[y][k] * b_tile[k][x];
        BARRIER;
    }
    out[row * n + col] = total;
}
"""
OPENCL = """
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
kernel void matmul(global const float *restrict a, global const float *restrict b, global float *restrict out, int n) {
    local float a_tile[16][16], b_tile[16][16];
    int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
""" + BODY
CUDA = """
#define BARRIER __syncthreads()
extern "C" __global__ void __launch_bounds__(256)
matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, long long n) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    long long col = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long row = blockIdx.y * (long long)blockDim.y + threadIdx.y;
""" + BODY


def case() -> Case:
    rng = np.random.default_rng(3)
    a, b = rng.random((SIZE, SIZE), dtype=np.float32), rng.random((SIZE, SIZE), dtype=np.float32)
    return Case(
        name="matmul", work="512 x 512 f32, tiles of 16", kernel=matmul, arguments=(a, b, np.zeros_like(a)), output=2,
        expected=a.astype(np.float64) @ b, grid=(SIZE // TILE, SIZE // TILE), block=(TILE, TILE), sizes=(SIZE,),
        numba=matmul_numba, opencl=OPENCL, cuda=CUDA,
    )
