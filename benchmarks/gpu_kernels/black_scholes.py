"""Prices of European options: logarithm, exponentials, a square root and a division between five arrays."""
from __future__ import annotations

import numpy as np

from benchmarks.gpu_case import GpuCase
from simt.core import D2, In, Out, f32, kernel
from simt.cuda_std import math, thread

THREADS = 256
RATE, VOLATILITY = 0.02, 0.3
A1, A2, A3, A4, A5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
DENSITY = 0.3989422804014327  # of the normal distribution at 0: 1 / sqrt(2 pi)


def normal(d: f32) -> f32:
    """The normal distribution by formula 26.2.17 of Abramowitz and Stegun."""
    k = 1 / (1 + 0.2316419 * abs(d))
    tail = DENSITY * math.exp(-0.5 * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
    return 1 - tail if d > 0 else tail


@kernel
def black_scholes(price: In[f32], strike: In[f32], years: In[f32], out: Out[f32, D2]):
    i = thread.index_1d()
    if i < price.size:
        s, x, t = price[i], strike[i], years[i]
        root = math.sqrt(t)
        d1 = (math.log(s / x) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root)
        d2 = d1 - VOLATILITY * root
        n1, n2, discounted = normal(d1), normal(d2), x * math.exp(-RATE * t)
        out[0, i] = s * n1 - discounted * n2
        out[1, i] = discounted * (1 - n2) - s * (1 - n1)


CUDA = """
static __device__ float normal(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    float tail = 0.3989422804014327f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1 - tail : tail;
}

extern "C" __global__ void black_scholes(const float *__restrict__ price, const float *__restrict__ strike,
                                         const float *__restrict__ years, float *__restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float rate = 0.02f, volatility = 0.3f;
        float s = price[i], x = strike[i], t = years[i];
        float root = sqrtf(t);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root;
        float n1 = normal(d1), n2 = normal(d2), discounted = x * expf(-rate * t);
        out[i] = s * n1 - discounted * n2;
        out[n + i] = discounted * (1 - n2) - s * (1 - n1);
    }
}
"""


def case(*, small: bool = False) -> GpuCase:
    n = 1000 if small else 1 << 23
    rng = np.random.default_rng(10)
    ranges = ((5, 30), (1, 100), (0.2, 10))
    price, strike, years = (rng.uniform(low, high, n).astype(np.float32) for low, high in ranges)
    s, x, t = (each.astype(np.float64) for each in (price, strike, years))
    root = np.sqrt(t)
    d1 = (np.log(s / x) + (RATE + 0.5 * VOLATILITY**2) * t) / (VOLATILITY * root)

    def distribution(d: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        k = 1 / (1 + 0.2316419 * np.abs(d))
        tail = DENSITY * np.exp(-0.5 * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
        return np.where(d > 0, 1 - tail, tail)

    n1, n2, discounted = distribution(d1), distribution(d1 - VOLATILITY * root), x * np.exp(-RATE * t)
    return GpuCase(
        name="black_scholes", work=f"{n:,} options", kernel=black_scholes, cuda=CUDA,
        arguments=(price, strike, years, np.zeros((2, n), np.float32)), sizes=(n,), output=3,
        expected=np.stack([s * n1 - discounted * n2, discounted * (1 - n2) - s * (1 - n1)]), grid=(-(-n // THREADS),),
        block=(THREADS,), moved_bytes=20 * n,
    )
