"""An unsigned index minus an integer literal stays an integer of its own type: never a float, never wider."""
from __future__ import annotations

import numpy as np

from simt.core import In, Out, f32, i32, kernel, u32
from simt.core.testing.differential import check_same
from simt.cuda_std import thread


@kernel
def neighbour(x: In[f32], out: Out[f32], kinds: Out[u32]):
    i = u32(thread.thread_idx.x)
    if i > 0:
        out[i - 1] = x[i]
    kinds[i] = i - 1


def test_index():
    x = np.arange(6, dtype=np.float32)
    _, out, kinds = check_same(neighbour, 1, 6, (x, np.full(6, -1, np.float32), np.zeros(6, np.uint32)))
    assert out.tolist() == [1, 2, 3, 4, 5, -1]
    assert kinds.tolist() == [2**32 - 1, 0, 1, 2, 3, 4]


def test_type():
    tir = neighbour.inspect("tir", signature=(In[f32], Out[f32], Out[u32]))
    assert "f64" not in tir
    assert i32(5).scalar_type.name == "i32"
