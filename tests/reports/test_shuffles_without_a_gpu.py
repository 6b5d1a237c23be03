"""Every kind of warp operation runs without a GPU, as the kernel's own Python and compiled for the CPU."""
from __future__ import annotations

import numpy as np

from simt.core import In, InOut, Out, f32, kernel, u32
from simt.core.testing.differential import check_same
from simt.cuda_std import thread, warp


@kernel
def everything(x: In[f32], out: Out[f32], votes: InOut[u32]):
    t = thread.thread_idx.x
    v = x[t]
    v += warp.shuffle(v, 3)
    v += warp.shuffle_up(v, 2)
    v += warp.shuffle_down(v, 5, 8)
    v += warp.shuffle_xor(v, 9)
    w, inside = warp.shuffle_down_with_flag(v, 30)
    if inside:
        v += w
    out[t] = v
    mask = warp.ballot(v > 3)
    votes[t] = mask
    if warp.any(v > 5):
        votes[t] |= u32(1)
    if warp.all(v > -100):
        votes[t] ^= u32(2)
    votes[t] += warp.match_any(t // 5)


def test_all_of_them():
    x = np.random.default_rng(3).random(64, dtype=np.float32)
    check_same(everything, 1, 64, (x, np.zeros(64, np.float32), np.zeros(64, np.uint32)))
