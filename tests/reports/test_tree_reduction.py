"""A reduction whose barrier is in a while loop, on every power of two, for types that add differently."""
from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

from simt.core import In, Out, f32, i32, i64, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread

T = TypeVar("T", f32, i32, i64)


@kernel
def reduce(x: In[T], out: Out[T]):
    s = shared.array(x.dtype, 256)
    lid = thread.thread_idx.x
    s[lid] = x[thread.index_1d()]
    offset = thread.block_dim.x // 2
    while offset > 0:
        block.sync()
        if lid < offset:
            s[lid] += s[lid + offset]
        offset //= 2
    if lid == 0:
        out[thread.block_idx.x] = s[0]


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64])
@pytest.mark.parametrize("threads", [1, 2, 32, 64])
def test_reduction(dtype, threads: int):
    x = np.arange(3 * threads).astype(dtype)
    _, out = check_same(reduce, 3, threads, (x, np.zeros(3, dtype)))
    assert out.tolist() == x.reshape(3, threads).sum(axis=1).tolist()


def test_many_blocks():
    x = np.random.default_rng(2).integers(-1000, 1000, 256 * 50).astype(np.int64)
    out = np.zeros(50, np.int64)
    reduce[50, 256](x, out)
    assert out.tolist() == x.reshape(50, 256).sum(axis=1).tolist()
