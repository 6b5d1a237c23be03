"""Iterations until escape: a data-dependent loop, different in every thread."""
from __future__ import annotations

import numba
import numpy as np

from benchmarks.case import Array, Case
from simt.core import D2, Out, f32, i32, kernel
from simt.cuda_std import thread

SIZE = 512
LIMIT = 200


@kernel
def mandelbrot(out: Out[i32, D2], limit: i32):
    col, row = thread.index_2d()
    height, width = out.shape
    if row < height and col < width:
        x0, y0 = f32(col) / f32(width) * 3 - 2.2, f32(row) / f32(height) * 3 - 1.5
        x, y = f32(0), f32(0)
        steps = 0
        while steps < limit and x * x + y * y < 4:
            x, y = x * x - y * y + x0, 2 * x * y + y0
            steps += 1
        out[row, col] = steps


@numba.njit(parallel=True)
def mandelbrot_numba(out: Array, limit: int) -> None:
    height, width = out.shape
    for row in numba.prange(height):
        for col in range(width):
            x0 = np.float32(col) / np.float32(width) * np.float32(3) - np.float32(2.2)
            y0 = np.float32(row) / np.float32(height) * np.float32(3) - np.float32(1.5)
            x, y = np.float32(0), np.float32(0)
            steps = 0
            while steps < limit and x * x + y * y < np.float32(4):
                x, y = x * x - y * y + x0, np.float32(2) * x * y + y0
                steps += 1
            out[row, col] = steps


BODY = """
    if (row < height && col < width) {
        float x0 = (float)col / (float)width * 3 - 2.2f, y0 = (float)row / (float)height * 3 - 1.5f;
        float x = 0, y = 0;
        int steps = 0;
        while (steps < limit && x * x + y * y < 4) {
            float next = x * x - y * y + x0;
            y = 2 * x * y + y0;
            x = next;
            ++steps;
        }
        out[row * width + col] = steps;
    }
}
"""
OPENCL = """
kernel void mandelbrot(global int *out, int limit, int height, int width) {
    int col = get_global_id(0), row = get_global_id(1);
""" + BODY
CUDA = """
extern "C" __global__ void mandelbrot(int *out, int limit, long long height, long long width) {
    long long col = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long row = blockIdx.y * (long long)blockDim.y + threadIdx.y;
""" + BODY


def reference() -> Array:
    """The same in NumPy, f32; rounding of fused operations may move an escape by a step."""
    col, row = np.meshgrid(np.arange(SIZE, dtype=np.float32), np.arange(SIZE, dtype=np.float32))
    three, left, top = np.float32(3), np.float32(2.2), np.float32(1.5)
    x0, y0 = col / np.float32(SIZE) * three - left, row / np.float32(SIZE) * three - top
    x, y, steps = np.zeros_like(x0), np.zeros_like(x0), np.zeros(x0.shape, np.int32)
    for _ in range(LIMIT):
        inside = x * x + y * y < 4
        steps += inside
        x, y = np.where(inside, x * x - y * y + x0, x), np.where(inside, 2 * x * y + y0, y)
    return steps


class MandelbrotCase(Case):
    """Compares the total of all steps: single pixels on the border depend on rounding."""

    def check(self, result: Array, system: str) -> None:
        ours, expected = result.sum(dtype=np.int64), self.expected.sum(dtype=np.int64)
        if abs(ours - expected) > 1e-3 * expected:
            raise AssertionError(f"mandelbrot by {system}: {ours} steps in all, expected {expected}")


def case() -> Case:
    return MandelbrotCase(
        name="mandelbrot", work="512 x 512, 200 steps", kernel=mandelbrot,
        arguments=(np.zeros((SIZE, SIZE), np.int32), np.int32(LIMIT)), output=0, expected=reference(),
        grid=(SIZE // 32, SIZE // 8), block=(32, 8), sizes=(SIZE, SIZE), numba=mandelbrot_numba, opencl=OPENCL,
        cuda=CUDA,
    )
