"""Counts of 256 byte values: atomics in shared memory, then one atomic a bin and block in global memory."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, InOut, kernel, u8, u32
from simt.cuda_std import atomic, block, shared, thread

BINS = 256


@kernel(max_threads=BINS)
def histogram(data: In[u8], counts: InOut[u32]):
    bins = shared.array(u32, BINS)
    mine = thread.thread_idx.x
    bins[mine] = 0
    block.sync()
    for i in thread.grid_stride(data.size):
        atomic.add(bins, data[i], 1)
    block.sync()
    atomic.add(counts, mine, bins[mine])


CUDA = """
extern "C" __global__ void __launch_bounds__(256)
histogram(const unsigned char *__restrict__ data, unsigned *counts, int n) {
    __shared__ unsigned bins[256];
    int mine = threadIdx.x;
    bins[mine] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[mine], bins[mine]);
}
"""


def case(*, small: bool = False) -> GpuCase:
    n, blocks = (5000, 3) if small else (1 << 26, 1056)
    data = np.random.default_rng(6).normal(128, 30, n).clip(0, 255).astype(np.uint8)
    return GpuCase(
        name="histogram", work=f"{n:,} u8, {BINS} bins", kernel=histogram, cuda=CUDA,
        arguments=(data, np.zeros(BINS, np.uint32)), sizes=(n,), output=1,
        expected=np.bincount(data, minlength=BINS), grid=(blocks,), block=(BINS,), tolerance=0,
    )
