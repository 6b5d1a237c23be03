"""Counts of 256 byte values: atomics in shared memory, then in global memory."""
from __future__ import annotations

import numpy as np

from benchmarks.case import Case
from simt.core import In, InOut, kernel, u8, u32
from simt.cuda_std import atomic, block, shared, thread

N = 1 << 22
BINS = 256


@kernel(max_threads=BINS)
def histogram(data: In[u8], counts: InOut[u32]):
    local = shared.array(u32, BINS)
    mine = thread.thread_idx.x
    local[mine] = 0
    block.sync()
    for i in thread.grid_stride(data.size):
        atomic.add(local, data[i], 1)
    block.sync()
    atomic.add(counts, mine, local[mine])


OPENCL = """
kernel void histogram(global const uchar *restrict data, global uint *counts, int n) {
    local uint bins[256];
    int mine = get_local_id(0);
    bins[mine] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&bins[data[i]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[mine], bins[mine]);
}
"""
CUDA = """
extern "C" __global__ void __launch_bounds__(256)
histogram(const unsigned char *__restrict__ data, unsigned *counts, long long n) {
    __shared__ unsigned bins[256];
    int mine = threadIdx.x;
    bins[mine] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (long long)blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[mine], bins[mine]);
}
"""


def case() -> Case:
    data = np.random.default_rng(5).normal(128, 30, N).clip(0, 255).astype(np.uint8)
    return Case(
        name="histogram", work="4 M bytes, 256 bins", kernel=histogram, arguments=(data, np.zeros(BINS, np.uint32)),
        output=1, expected=np.bincount(data, minlength=BINS), grid=(64,), block=(BINS,), sizes=(N,), numba=None,
        numba_why_not="no atomics", opencl=OPENCL, cuda=CUDA, accumulates=True, tolerance=0,
    )
