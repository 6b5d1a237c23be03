# golden: tir
# signature: In[f64], f64, Out[f64]
from typing import TypeVar

from simt.core import In, Out, f32, f64, kernel
from simt.cuda_std import thread

T = TypeVar("T", f32, f64)


def clamp(x: T, low: T, high: T) -> T:
    return min(max(x, low), high)


@kernel(checks=False)
def clamped(x: In[T], high: T, out: Out[T]):
    i = thread.index_1d()
    out[i] = clamp(x[i], x.dtype(0), high) + clamp(0.1, x[i], 1)

# PTX sm_90: add.f64
# PTX-NOT: cvt.f64.f32
