"""A sum for each block: a grid-stride loop, shuffles within a warp, then the warps' sums through shared memory."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, Out, f32, kernel
from simt.cuda_std import block, shared, thread, warp

THREADS = 256
WARPS = THREADS // 32


@kernel(max_threads=THREADS)
def reduction(x: In[f32], out: Out[f32]):
    sums = shared.array(f32, WARPS)
    total = f32(0)
    for i in thread.grid_stride(x.size):
        total += x[i]
    for offset in (16, 8, 4, 2, 1):
        total += warp.shuffle_xor(total, offset)
    if warp.lane_id() == 0:
        sums[warp.warp_id()] = total
    block.sync()
    if thread.thread_idx.x == 0:
        whole = f32(0)
        for each in range(WARPS):
            whole += sums[each]
        out[thread.block_idx.x] = whole


CUDA = """
extern "C" __global__ void __launch_bounds__(256)
reduction(const float *__restrict__ x, float *__restrict__ out, int n) {
    __shared__ float sums[8];
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) total += x[i];
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(0xffffffff, total, offset);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        float whole = 0;
        for (int each = 0; each < 8; ++each) whole += sums[each];
        out[blockIdx.x] = whole;
    }
}
"""


def case(*, small: bool = False) -> GpuCase:
    blocks, rounds = (3, 4) if small else (1056, 128)
    x = np.random.default_rng(4).random(blocks * THREADS * rounds, dtype=np.float32)
    expected = x.reshape(rounds, blocks, THREADS).sum((0, 2), dtype=np.float64)
    return GpuCase(
        name="reduction", work=f"{x.size:,} f32, {blocks} blocks", kernel=reduction, cuda=CUDA,
        arguments=(x, np.zeros(blocks, np.float32)), sizes=(x.size,), output=1, expected=expected, grid=(blocks,),
        block=(THREADS,), moved_bytes=4 * x.size,
    )
