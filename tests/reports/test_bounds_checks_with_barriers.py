"""A kernel with shared memory and barriers gives the same results with bounds checks on and off."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, Out, f32, kernel
from simt.cuda_std import block, shared, thread


@kernel
def reverse_in_blocks(x: In[f32], out: Out[f32]):
    tile = shared.array(f32, 64)
    t = thread.thread_idx.x
    i = thread.index_1d()
    tile[t] = x[i] if i < x.size else f32(0)
    block.sync()
    for turn in range(3):
        other = tile[63 - t]
        block.sync()
        tile[t] = other + turn
        block.sync()
    if i < out.size:
        out[i] = tile[t]


@pytest.mark.parametrize("checks", [True, False])
def test_checks_do_not_change_the_result(checks: bool):
    x = np.arange(200, dtype=np.float32)
    out = np.zeros_like(x)
    reverse_in_blocks.with_options(checks=checks)[4, 64](x, out)
    padded = np.zeros(256, np.float32)
    padded[:200] = x
    expected = padded.reshape(4, 64)
    for turn in range(3):
        expected = expected[:, ::-1] + np.float32(turn)
    np.testing.assert_array_equal(out, expected.reshape(-1)[:200])
