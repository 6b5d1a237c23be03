"""A step of heat on a plate: five neighbouring loads, edges kept."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import thread

BLOCK = (32, 8)


@kernel
def stencil(t: In[f32, D2], out: Out[f32, D2], rate: f32):
    col, row = thread.index_2d()
    height, width = t.shape
    if row < height and col < width:
        here = t[row, col]
        if 0 < row < height - 1 and 0 < col < width - 1:
            around = t[row - 1, col] + t[row + 1, col] + t[row, col - 1] + t[row, col + 1]
            here += rate * (around - 4 * here)
        out[row, col] = here


CUDA = """
extern "C" __global__ void stencil(const float *__restrict__ t, float *__restrict__ out, float rate, int height,
                                   int width) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {
        float here = t[row * width + col];
        if (row > 0 && row < height - 1 && col > 0 && col < width - 1) {
            float around = t[(row - 1) * width + col] + t[(row + 1) * width + col]
                         + t[row * width + col - 1] + t[row * width + col + 1];
            here += rate * (around - 4 * here);
        }
        out[row * width + col] = here;
    }
}
"""


def case(*, small: bool = False) -> GpuCase:
    height, width = (50, 70) if small else (4096, 4096)
    t, rate = np.random.default_rng(3).random((height, width), dtype=np.float32), np.float32(0.2)
    expected = t.copy()
    inner = t[1:-1, 1:-1]
    expected[1:-1, 1:-1] += rate * (t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:] - 4 * inner)
    return GpuCase(
        name="stencil", work=f"{height} x {width} f32, 5 points", kernel=stencil, cuda=CUDA,
        arguments=(t, np.zeros_like(t), rate), sizes=(height, width), output=1, expected=expected,
        grid=(-(-width // BLOCK[0]), -(-height // BLOCK[1])), block=BLOCK, moved_bytes=8 * t.size,
    )
