"""A sparse matrix (CSR) times a vector, a warp a row: loads through an index, and a reduction by shuffles."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import thread, warp

WARPS = 8  # rows of a block


@kernel(max_threads=32 * WARPS)
def spmv(starts: In[i32], columns: In[i32], values: In[f32], x: In[f32], out: Out[f32]):
    lane, row = warp.lane_id(), thread.block_idx.x * WARPS + warp.warp_id()
    if row < out.size:
        total = f32(0)
        for k in range(starts[row] + lane, starts[row + 1], 32):
            total += values[k] * x[columns[k]]
        for offset in (16, 8, 4, 2, 1):
            total += warp.shuffle_xor(total, offset)
        if lane == 0:
            out[row] = total


CUDA = """
extern "C" __global__ void __launch_bounds__(256)
spmv(const int *__restrict__ starts, const int *__restrict__ columns, const float *__restrict__ values,
     const float *__restrict__ x, float *__restrict__ out, int rows) {
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row < rows) {
        float total = 0;
        int end = starts[row + 1];
        for (int k = starts[row] + lane; k < end; k += 32) total += values[k] * x[columns[k]];
        #pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(0xffffffff, total, offset);
        if (lane == 0) out[row] = total;
    }
}
"""


def case(*, small: bool = False) -> GpuCase:
    rows, longest = (50, 90) if small else (1 << 17, 128)
    rng = np.random.default_rng(12)
    lengths = rng.integers(1, longest, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    columns = rng.integers(0, rows, starts[-1], dtype=np.int32)
    values, x = rng.random(starts[-1], dtype=np.float32), rng.random(rows, dtype=np.float32)
    return GpuCase(
        name="spmv", work=f"{rows:,} rows, {starts[-1]:,} values, CSR", kernel=spmv, cuda=CUDA,
        arguments=(starts, columns, values, x, np.zeros(rows, np.float32)), sizes=(rows,), output=4,
        expected=np.add.reduceat(values.astype(np.float64) * x[columns], starts[:-1]), grid=(-(-rows // WARPS),),
        block=(32 * WARPS,), moved_bytes=8 * columns.size + 12 * rows,
    )
