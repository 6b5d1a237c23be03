"""The sum of a block in shared memory, halving the active threads at each step; the host adds the blocks' sums."""
import numpy as np

from simt.core import In, Out, default_device, f32, kernel
from simt.cuda_std import block, shared, thread

THREADS = 256


@kernel(max_threads=THREADS)
def block_sums(x: In[f32], out: Out[f32]):
    partial = shared.array(f32, THREADS)
    mine = thread.thread_idx.x
    i = thread.index_1d()
    partial[mine] = x[i] if i < x.size else 0.0
    block.sync()
    active = THREADS // 2
    while active > 0:
        if mine < active:
            partial[mine] += partial[mine + active]
        block.sync()
        active //= 2
    if mine == 0:
        out[thread.block_idx.x] = partial[0]


x = np.random.default_rng(2).random(100_001, dtype=np.float32)
blocks = -(-x.size // THREADS)

device = default_device()
sums = device.empty(blocks, np.float32)
block_sums[blocks, THREADS](device.array(x), sums)

total, expected = sums.numpy().sum(dtype=np.float64), x.sum(dtype=np.float64)
print(device.name, f"sum {total:.3f}, NumPy {expected:.3f}")
assert abs(total - expected) < 1e-6 * expected
