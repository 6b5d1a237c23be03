# golden: tir, nvvm
from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import thread


def position_of(x: In[f32], value: f32) -> i32:
    def is_it(candidate):
        return candidate == value

    for k in range(8):
        if is_it(x[k]):
            return k
    return -1


@kernel(checks=False)
def positions(x: In[f32], values: In[f32], out: Out[i32]):
    i = thread.index_1d()
    out[i] = position_of(x, values[i])

# PTX-NOT: call
