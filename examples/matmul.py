"""A matrix product in tiles: a block stages 16 x 16 pieces of both factors in shared memory."""
import numpy as np

from simt.core import D2, In, Out, default_device, f32, kernel
from simt.cuda_std import block, shared, thread

TILE = 16


@kernel(max_threads=TILE * TILE)
def matmul(a: In[f32, D2], b: In[f32, D2], out: Out[f32, D2]):
    a_tile = shared.array(f32, (TILE, TILE))
    b_tile = shared.array(f32, (TILE, TILE))
    x, y = thread.thread_idx.x, thread.thread_idx.y
    col, row = thread.index_2d()
    inner = a.shape[1]
    total = f32(0)
    for start in range(0, inner, TILE):
        a_tile[y, x] = a[row, start + x] if row < a.shape[0] and start + x < inner else 0.0
        b_tile[y, x] = b[start + y, col] if start + y < inner and col < b.shape[1] else 0.0
        block.sync()
        for k in range(TILE):
            total += a_tile[y, k] * b_tile[k, x]
        block.sync()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = total


rng = np.random.default_rng(1)
a = rng.random((201, 155), dtype=np.float32)
b = rng.random((155, 130), dtype=np.float32)

device = default_device()
out = device.empty((a.shape[0], b.shape[1]), np.float32)
grid = (-(-b.shape[1] // TILE), -(-a.shape[0] // TILE))
matmul[grid, (TILE, TILE)](device.array(a), device.array(b), out)

error = np.abs(out.numpy() - a.astype(np.float64) @ b).max()
print(device.name, f"{a.shape} @ {b.shape}, largest error {error:.1e}")
assert error < 1e-3
