# golden: tir, nvvm
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread, warp


@kernel(checks=False)
def warp_total(x: In[f32], out: Out[f32]):
    value = x[thread.index_1d()]
    for offset in (16, 8, 4, 2, 1):
        value += warp.shuffle_down(value, offset)
    if warp.lane_id() == 0:
        out[thread.index_1d() // 32] = value

# PTX sm_90: shfl.sync.down.b32
