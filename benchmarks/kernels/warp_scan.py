"""Running totals of each warp by shuffles: five steps that cross lanes."""
from __future__ import annotations

import numpy as np

from benchmarks.case import Case
from simt.core import In, Out, i32, kernel
from simt.cuda_std import thread, warp

N = 1 << 20


@kernel
def warp_scan(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    lane = warp.lane_id()
    value = x[i]
    for offset in (1, 2, 4, 8, 16):
        below = warp.shuffle_up(value, offset)
        if lane >= offset:
            value += below
    out[i] = value


CUDA = """
extern "C" __global__ void warp_scan(const int *__restrict__ x, int *__restrict__ out, int n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, value = x[i];
    #pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        int below = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= offset) value += below;
    }
    out[i] = value;
}
"""


def case() -> Case:
    x = np.random.default_rng(6).integers(-1000, 1000, N, dtype=np.int32)
    return Case(
        name="warp_scan", work="1 M i32, 5 shuffles", kernel=warp_scan, arguments=(x, np.zeros(N, np.int32)), output=1,
        expected=np.cumsum(x.reshape(-1, 32), 1, dtype=np.int32).reshape(-1), grid=(N // 256,), block=(256,),
        sizes=(N,), numba=None, numba_why_not="no shuffles", opencl=None,
        opencl_why_not="its subgroups are not warps of 32", cuda=CUDA, tolerance=0,
    )
