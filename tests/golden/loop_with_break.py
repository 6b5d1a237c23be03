# golden: tir, nvvm
from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import thread


@kernel(checks=False)
def first_above(x: In[f32], limit: f32, out: Out[i32]):
    row = thread.index_1d()
    found = -1
    k = 0
    while True:
        if k >= 32:
            break
        if x[row * 32 + k] <= limit:
            k += 1
            continue
        found = k
        break
    out[row] = found

# PTX sm_90: setp.
# PTX-NOT: call
