"""All pairs of bodies: arithmetic with a reciprocal square root, each value loaded again and again."""
from __future__ import annotations

import numba
import numpy as np

from benchmarks.case import Array, Case
from simt.core import In, Out, f32, kernel
from simt.cuda_std import math, thread

BODIES = 2048
SOFTENING = 1e-2


@kernel
def nbody(x: In[f32], y: In[f32], z: In[f32], mass: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        potential = f32(0)
        for j in range(x.size):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            potential += mass[j] / math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING)
        out[i] = potential


@numba.njit(parallel=True, fastmath=False)
def nbody_numba(x: Array, y: Array, z: Array, mass: Array, out: Array) -> None:
    for i in numba.prange(out.size):
        potential = np.float32(0)
        for j in range(x.size):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            potential += mass[j] / np.sqrt(dx * dx + dy * dy + dz * dz + np.float32(SOFTENING))
        out[i] = potential


BODY = """
    if (i < n) {
        float potential = 0;
        for (int j = 0; j < n; ++j) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            potential += mass[j] / SQRT(dx * dx + dy * dy + dz * dz + 1e-2f);
        }
        out[i] = potential;
    }
}
"""
OPENCL = """
#define SQRT sqrt
kernel void nbody(global const float *restrict x, global const float *restrict y, global const float *restrict z,
                  global const float *restrict mass, global float *restrict out, int n) {
    size_t i = get_global_id(0);
""" + BODY
CUDA = """
#define SQRT sqrtf
extern "C" __global__ void nbody(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                                 const float *__restrict__ mass, float *__restrict__ out, int n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
""" + BODY


def case() -> Case:
    rng = np.random.default_rng(2)
    x, y, z, mass = (rng.random(BODIES, dtype=np.float32) for _ in range(4))
    place = np.stack([x, y, z], 1).astype(np.float64)
    apart = ((place[:, None] - place[None]) ** 2).sum(2) + SOFTENING
    return Case(
        name="nbody", work="2048 bodies, all pairs", kernel=nbody,
        arguments=(x, y, z, mass, np.zeros(BODIES, np.float32)), output=4, expected=(mass / np.sqrt(apart)).sum(1),
        grid=(BODIES // 128,), block=(128,), sizes=(BODIES,), numba=nbody_numba, opencl=OPENCL, cuda=CUDA,
    )
