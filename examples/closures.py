"""Functions as arguments, and a kernel made by a function: what it captures is compiled in."""
from collections.abc import Callable

import numpy as np

from simt.core import In, Out, default_device, f32, kernel
from simt.cuda_std import math, thread


def integrate(f: Callable[[f32], f32], low: f32, high: f32, steps: int) -> f32:
    """Simpson's rule over an even number of steps."""
    width = (high - low) / f32(steps)
    total = f(low) + f(high)
    for step in range(1, steps):
        total += (4.0 if step % 2 == 1 else 2.0) * f(low + width * f32(step))
    return total * width / 3.0


def area_under_wave(frequency: float):
    @kernel
    def area(upper: In[f32], out: Out[f32]):
        i = thread.index_1d()
        if i < out.size:
            out[i] = integrate(lambda t: math.sin(frequency * t), 0.0, upper[i], 64)

    return area


upper = np.linspace(0, 3, 500, dtype=np.float32)
device = default_device()
for frequency in (1.0, 2.5):
    out = device.empty(upper.size, np.float32)
    area_under_wave(frequency).for_elements(upper.size)(device.array(upper), out)
    expected = (1 - np.cos(frequency * upper)) / frequency
    error = np.abs(out.numpy() - expected).max()
    print(device.name, f"frequency {frequency}: largest error {error:.1e}")
    assert error < 1e-5
