"""The sum of each block of 256 through shared memory: nine barriers, half the threads gone at each."""
from __future__ import annotations

import numpy as np

from benchmarks.case import Case
from simt.core import In, Out, f32, kernel
from simt.cuda_std import block, shared, thread

N = 1 << 20
THREADS = 256


@kernel(max_threads=THREADS)
def block_reduce(x: In[f32], out: Out[f32]):
    partial = shared.array(f32, THREADS)
    mine = thread.thread_idx.x
    partial[mine] = x[thread.index_1d()]
    block.sync()
    active = THREADS // 2
    while active > 0:
        if mine < active:
            partial[mine] += partial[mine + active]
        block.sync()
        active //= 2
    if mine == 0:
        out[thread.block_idx.x] = partial[0]


BODY = """
    BARRIER;
    for (int active = 128; active > 0; active /= 2) {
        if (mine < active) partial[mine] += partial[mine + active];
        BARRIER;
    }
"""
OPENCL = """
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
kernel void block_reduce(global const float *restrict x, global float *restrict out, int n) {
    local float partial[256];
    int mine = get_local_id(0);
    partial[mine] = x[get_global_id(0)];
""" + BODY + """
    if (mine == 0) out[get_group_id(0)] = partial[0];
}
"""
CUDA = """
#define BARRIER __syncthreads()
extern "C" __global__ void __launch_bounds__(256)
block_reduce(const float *__restrict__ x, float *__restrict__ out, int n) {
    __shared__ float partial[256];
    int mine = threadIdx.x;
    partial[mine] = x[blockIdx.x * (long long)blockDim.x + mine];
""" + BODY + """
    if (mine == 0) out[blockIdx.x] = partial[0];
}
"""


def case() -> Case:
    x = np.random.default_rng(4).random(N, dtype=np.float32)
    return Case(
        name="block_reduce", work="1 M f32, 9 barriers", kernel=block_reduce,
        arguments=(x, np.zeros(N // THREADS, np.float32)), output=1,
        expected=x.reshape(-1, THREADS).sum(1, dtype=np.float64), grid=(N // THREADS,), block=(THREADS,), sizes=(N,),
        numba=None, numba_why_not="no barriers", opencl=OPENCL, cuda=CUDA,
    )
