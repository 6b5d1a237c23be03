"""Running totals of each block of 256: shuffles within a warp, then the warps' totals through shared memory."""
import numpy as np

from simt.core import In, Out, default_device, i32, kernel
from simt.cuda_std import block, shared, thread, warp

THREADS = 256
WARPS = THREADS // 32


def warp_scan(value: i32) -> i32:
    lane = warp.lane_id()
    for offset in (1, 2, 4, 8, 16):
        below = warp.shuffle_up(value, offset)
        if lane >= offset:
            value += below
    return value


@kernel(max_threads=THREADS)
def scan(x: In[i32], out: Out[i32]):
    totals = shared.array(i32, WARPS)
    i = thread.index_1d()
    running = warp_scan(x[i] if i < x.size else 0)
    if warp.lane_id() == 31:
        totals[warp.warp_id()] = running
    block.sync()
    for earlier in range(warp.warp_id()):
        running += totals[earlier]
    if i < out.size:
        out[i] = running


x = np.random.default_rng(3).integers(-100, 100, 10_000, dtype=np.int32)
blocks = -(-x.size // THREADS)

device = default_device()
out = device.empty(x.size, np.int32)
scan[blocks, THREADS](device.array(x), out)

expected = np.concatenate([np.cumsum(part, dtype=np.int32) for part in np.split(x, range(THREADS, x.size, THREADS))])
print(device.name, f"running totals of {blocks} blocks, equal to NumPy's: {np.array_equal(out.numpy(), expected)}")
assert np.array_equal(out.numpy(), expected)
