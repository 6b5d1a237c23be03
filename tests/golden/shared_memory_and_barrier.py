# golden: tir, llvm, nvvm
from simt.core import In, Out, f32, kernel
from simt.cuda_std import block, shared, thread


@kernel(checks=False, max_threads=64)
def reverse(x: In[f32], out: Out[f32]):
    tile = shared.array(f32, 64)
    k = thread.thread_idx.x
    tile[k] = x[k]
    block.sync()
    out[k] = tile[63 - k]

# PTX sm_90: bar
# PTX sm_90: st.shared
# PTX sm_90: .maxntid 64
