"""Softmax of each row, a warp a row: two reductions by shuffles, three passes over the row."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import math, thread, warp

WARPS = 8  # rows of a block


@kernel(max_threads=32 * WARPS)
def row_softmax(x: In[f32, D2], out: Out[f32, D2]):
    lane, row = warp.lane_id(), thread.block_idx.x * WARPS + warp.warp_id()
    height, width = x.shape
    if row < height:
        largest = f32(-math.inf)
        for col in range(lane, width, 32):
            largest = max(largest, x[row, col])
        for offset in (16, 8, 4, 2, 1):
            largest = max(largest, warp.shuffle_xor(largest, offset))
        total = f32(0)
        for col in range(lane, width, 32):
            total += math.exp(x[row, col] - largest)
        for offset in (16, 8, 4, 2, 1):
            total += warp.shuffle_xor(total, offset)
        for col in range(lane, width, 32):
            out[row, col] = math.exp(x[row, col] - largest) / total


CUDA = """
extern "C" __global__ void __launch_bounds__(256)
row_softmax(const float *__restrict__ x, float *__restrict__ out, int height, int width) {
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row < height) {
        float largest = -__int_as_float(0x7f800000);
        for (int col = lane; col < width; col += 32) largest = fmaxf(largest, x[row * width + col]);
        #pragma unroll
        for (int offset = 16; offset > 0; offset /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, offset));
        float total = 0;
        for (int col = lane; col < width; col += 32) total += expf(x[row * width + col] - largest);
        #pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(0xffffffff, total, offset);
        for (int col = lane; col < width; col += 32)
            out[row * width + col] = expf(x[row * width + col] - largest) / total;
    }
}
"""


def case(*, small: bool = False) -> GpuCase:
    height, width = (20, 77) if small else (16384, 1024)
    x = np.random.default_rng(11).normal(0, 3, (height, width)).astype(np.float32)
    powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return GpuCase(
        name="row_softmax", work=f"{height} x {width} f32", kernel=row_softmax, cuda=CUDA,
        arguments=(x, np.zeros_like(x)), sizes=(height, width), output=1,
        expected=powers / powers.sum(1, keepdims=True), grid=(-(-height // WARPS),), block=(32 * WARPS,),
        moved_bytes=8 * x.size,
    )
