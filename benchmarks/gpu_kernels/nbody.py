"""The potential of all bodies on each: arithmetic with a square root and a division, every value loaded by all."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import Array, GpuCase
from simt.core import In, Out, f32, kernel
from simt.cuda_std import math, thread

THREADS = 128
SOFTENING = 1e-2


@kernel
def nbody(x: In[f32], y: In[f32], z: In[f32], mass: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        here_x, here_y, here_z = x[i], y[i], z[i]
        potential = f32(0)
        for j in range(x.size):
            dx, dy, dz = x[j] - here_x, y[j] - here_y, z[j] - here_z
            potential += mass[j] / math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING)
        out[i] = potential


CUDA = """
extern "C" __global__ void nbody(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                                 const float *__restrict__ mass, float *__restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float here_x = x[i], here_y = y[i], here_z = z[i], potential = 0;
        for (int j = 0; j < n; ++j) {
            float dx = x[j] - here_x, dy = y[j] - here_y, dz = z[j] - here_z;
            potential += mass[j] / sqrtf(dx * dx + dy * dy + dz * dz + 1e-2f);
        }
        out[i] = potential;
    }
}
"""


def potential_of(place: Array, mass: Array) -> Array:
    """In f64, some bodies at a time, so that the pairs fit into memory."""
    found: list[Array] = []
    for some in np.array_split(place, max(1, len(place) // 512)):
        apart = sum((some[:, None, axis] - place[None, :, axis]) ** 2 for axis in range(3)) + SOFTENING
        found.append((mass / np.sqrt(apart)).sum(1))
    return np.concatenate(found)


def case(*, small: bool = False) -> GpuCase:
    n = 300 if small else 1 << 14
    rng = np.random.default_rng(9)
    x, y, z, mass = (rng.random(n, dtype=np.float32) for _ in range(4))
    return GpuCase(
        name="nbody", work=f"{n:,} bodies, all pairs", kernel=nbody, cuda=CUDA,
        arguments=(x, y, z, mass, np.zeros(n, np.float32)), sizes=(n,), output=4,
        expected=potential_of(np.stack([x, y, z], 1).astype(np.float64), mass), grid=(-(-n // THREADS),),
        block=(THREADS,), tolerance=1e-4,
    )
