"""The smallest useful kernel: one thread an element, checked against NumPy."""
import numpy as np

from simt.core import In, Out, default_device, f32, kernel
from simt.cuda_std import thread


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


n = 1_000_000
rng = np.random.default_rng(0)
x, y = rng.random(n, dtype=np.float32), rng.random(n, dtype=np.float32)

device = default_device()
out = device.empty(n, np.float32)
saxpy.for_elements(n)(2.0, device.array(x), device.array(y), out)

error = np.abs(out.numpy() - (2 * x + y)).max()
print(device.name, f"saxpy of {n} elements, largest error {error:.1e}")
assert error < 1e-6
