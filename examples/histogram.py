"""Counts of byte values: atomics in shared memory, one table a block, added to the result at the end."""
import numpy as np

from simt.core import In, InOut, default_device, kernel, u8, u32
from simt.cuda_std import atomic, block, shared, thread

BINS = 256


@kernel(max_threads=BINS)
def histogram(data: In[u8], counts: InOut[u32]):
    local = shared.array(u32, BINS)
    mine = thread.thread_idx.x
    local[mine] = 0
    block.sync()
    for i in thread.grid_stride(data.size):
        atomic.add(local, data[i], 1)
    block.sync()
    atomic.add(counts, mine, local[mine])


data = np.random.default_rng(4).normal(128, 30, 500_000).clip(0, 255).astype(np.uint8)

device = default_device()
counts = device.zeros(BINS, np.uint32)
histogram[16, BINS](device.array(data), counts)

expected = np.bincount(data, minlength=BINS)
print(device.name, f"most frequent value {counts.numpy().argmax()}, counted {counts.numpy().max()} times")
assert np.array_equal(counts.numpy(), expected)
