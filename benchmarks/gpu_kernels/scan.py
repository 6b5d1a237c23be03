"""Running totals of each block: shuffles within a warp, then the warps' totals through shared memory."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, Out, i32, kernel
from simt.cuda_std import block, shared, thread, warp

THREADS = 256
WARPS = THREADS // 32


def warp_scan(value: i32) -> i32:
    lane = warp.lane_id()
    for offset in (1, 2, 4, 8, 16):
        below = warp.shuffle_up(value, offset)
        if lane >= offset:
            value += below
    return value


@kernel(max_threads=THREADS)
def scan(x: In[i32], out: Out[i32]):
    totals = shared.array(i32, WARPS)
    i = thread.index_1d()
    running = warp_scan(x[i] if i < x.size else 0)
    if warp.lane_id() == 31:
        totals[warp.warp_id()] = running
    block.sync()
    for earlier in range(warp.warp_id()):
        running += totals[earlier]
    if i < out.size:
        out[i] = running


CUDA = """
static __device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    #pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        int below = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= offset) value += below;
    }
    return value;
}

extern "C" __global__ void __launch_bounds__(256)
scan(const int *__restrict__ x, int *__restrict__ out, int n) {
    __shared__ int totals[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int running = warp_scan(i < n ? x[i] : 0);
    if (threadIdx.x % 32 == 31) totals[threadIdx.x / 32] = running;
    __syncthreads();
    for (int earlier = 0; earlier < threadIdx.x / 32; ++earlier) running += totals[earlier];
    if (i < n) out[i] = running;
}
"""


def case(*, small: bool = False) -> GpuCase:
    n = 4 * THREADS if small else 1 << 24
    x = np.random.default_rng(5).integers(-100, 100, n, dtype=np.int32)
    return GpuCase(
        name="scan", work=f"{n:,} i32, blocks of {THREADS}", kernel=scan, cuda=CUDA,
        arguments=(x, np.zeros(n, np.int32)), sizes=(n,), output=1,
        expected=np.cumsum(x.reshape(-1, THREADS), 1, dtype=np.int32).reshape(-1), grid=(n // THREADS,),
        block=(THREADS,), moved_bytes=8 * n, tolerance=0,
    )
