"""Sorts each block's 1024 numbers in shared memory, two a thread: 55 compare-exchange steps, a barrier each."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, Out, i32, kernel
from simt.cuda_std import block, shared, thread

COUNT = 1024
THREADS = COUNT // 2


@kernel(max_threads=THREADS)
def bitonic_sort(x: In[i32], out: Out[i32]):
    part = shared.array(i32, COUNT)
    mine, first = thread.thread_idx.x, thread.block_idx.x * COUNT
    part[mine] = x[first + mine]
    part[mine + THREADS] = x[first + mine + THREADS]
    size = 2
    while size <= COUNT:
        stride = size // 2
        while stride > 0:
            block.sync()
            low = 2 * mine - (mine & (stride - 1))
            a, b = part[low], part[low + stride]
            if (a > b) == ((low & size) == 0):
                part[low], part[low + stride] = b, a
            stride //= 2
        size *= 2
    block.sync()
    out[first + mine] = part[mine]
    out[first + mine + THREADS] = part[mine + THREADS]


CUDA = """
extern "C" __global__ void __launch_bounds__(512)
bitonic_sort(const int *__restrict__ x, int *__restrict__ out, int n) {
    __shared__ int part[1024];
    int mine = threadIdx.x, first = blockIdx.x * 1024;
    part[mine] = x[first + mine];
    part[mine + 512] = x[first + mine + 512];
    for (int size = 2; size <= 1024; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * mine - (mine & (stride - 1));
            int a = part[low], b = part[low + stride];
            if ((a > b) == ((low & size) == 0)) {
                part[low] = b;
                part[low + stride] = a;
            }
        }
    }
    __syncthreads();
    out[first + mine] = part[mine];
    out[first + mine + 512] = part[mine + 512];
}
"""


def case(*, small: bool = False) -> GpuCase:
    blocks = 2 if small else 1 << 13
    x = np.random.default_rng(13).integers(-(2**31), 2**31, blocks * COUNT, dtype=np.int32)
    return GpuCase(
        name="bitonic_sort", work=f"{x.size:,} i32, blocks of {COUNT}", kernel=bitonic_sort, cuda=CUDA,
        arguments=(x, np.zeros_like(x)), sizes=(x.size,), output=1,
        expected=np.sort(x.reshape(-1, COUNT), 1).reshape(-1), grid=(blocks,), block=(THREADS,), tolerance=0,
    )
