# golden: tir, nvvm
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread


@kernel(checks=False)
def difference(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i] - (x[i - 1] if i > 0 and i < x.size else 0)

# PTX sm_90: sub
