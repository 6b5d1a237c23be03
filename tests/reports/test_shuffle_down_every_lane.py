"""``shuffle_down(x, 16)`` over blocks of 256: every lane is right, also those that read beyond the warp."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import Out, i32, kernel
from simt.cuda_std import thread, warp


@kernel
def shuffled(delta: i32, out: Out[i32]):
    t = thread.thread_idx.x
    out[t] = warp.shuffle_down(1000 + t, delta)


@pytest.mark.parametrize("delta", [0, 1, 16, 31])
def test_every_lane(delta: int):
    out = np.zeros(256, np.int32)
    shuffled[1, 256](delta, out)
    expected = [1000 + (t + delta if t % 32 + delta < 32 else t) for t in range(256)]
    assert out.tolist() == expected
