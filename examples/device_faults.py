"""A failed assertion: what the host is told, and that the device goes on working."""
import numpy as np

from simt.core import DeviceFault, In, Out, default_device, f32, kernel
from simt.cuda_std import math, thread


@kernel
def roots(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        assert x[i] >= 0, f"no real root of x[{i}] = {x[i]}"
        out[i] = math.sqrt(x[i])


device = default_device()
x = np.array([4.0, 9.0, -1.0, 16.0], np.float32)
out = device.zeros(4, np.float32)
try:
    roots.with_options(checks=True).for_elements(4)(device.array(x), out)
    device.synchronize()
except DeviceFault as fault:
    print(fault)
    assert fault.thread.x == 2 and fault.count == 1

roots.for_elements(4)(device.array(np.abs(x)), out)
print(device.name, "the roots are", out.numpy())
assert np.array_equal(out.numpy(), [2, 3, 1, 4])
