"""One kernel for several element types: a TypeVar is the overload set, and each call gets code of its own."""
from typing import TypeVar

import numpy as np

from simt.core import In, Out, default_device, f32, f64, i32, kernel
from simt.cuda_std import thread

T = TypeVar("T", i32, f32, f64)


def clamp(value: T, low: T, high: T) -> T:
    return min(max(value, low), high)


@kernel
def clamp_all(x: In[T], limits: In[T], out: Out[T]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = x.dtype(clamp(x[i], limits[0], limits[1]))


device = default_device()
for dtype in (np.int32, np.float32, np.float64):
    x = np.random.default_rng(6).normal(0, 100, 1000).astype(dtype)
    limits = device.array([-50, 50], dtype)
    out = device.empty(x.size, dtype)
    clamp_all.for_elements(x.size)(device.array(x), limits, out)
    print(device.name, dtype.__name__, out.numpy().min(), out.numpy().max())
    assert np.array_equal(out.numpy(), x.clip(-50, 50))
