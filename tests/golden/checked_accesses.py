# golden: tir, nvvm
from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import thread


@kernel(checks=True)
def checked(x: In[f32], n: i32, out: Out[f32]):
    i = thread.index_1d()
    assert n > 0, f"n is {n}"
    out[i] = x[i // n]
