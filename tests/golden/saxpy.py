# golden: tir, llvm, nvvm
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread


@kernel(checks=False)
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]

# PTX sm_90: fma.rn.f32
# PTX sm_90: ld.global.nc
# PTX-NOT: div.
