# golden: tir, nvvm
from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import block, shared, thread


@kernel(checks=False)
def stage(x: In[f32], n: i32, out: Out[f32]):
    values = shared.dynamic(f32, n)
    order = shared.dynamic(i32, n)
    k = thread.thread_idx.x
    values[k] = x[k]
    order[k] = n - 1 - k
    block.sync()
    out[k] = values[order[k]]

# PTX sm_90: .extern .shared
