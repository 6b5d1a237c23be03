# golden: tir, nvvm
from simt.core import In, InOut, i32, kernel, u8
from simt.cuda_std import atomic, thread


@kernel(checks=False)
def histogram(pixels: In[u8], counts: InOut[i32]):
    for i in thread.grid_stride(pixels.size):
        atomic.add(counts, pixels[i], 1)

# PTX sm_90: red
