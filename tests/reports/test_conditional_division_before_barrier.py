"""A division under a condition must not become an early exit that lets a thread pass the next barrier alone."""
from __future__ import annotations

import numpy as np

from simt.core import In, Out, i32, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread


@kernel
def hand_over(divisor: In[i32], out: Out[i32]):
    cell = shared.array(i32, 1)
    t = thread.thread_idx.x
    share = i32(0)
    if t < 14:
        share = 100 // divisor[t]
    if t == 1:
        cell[0] = 7
    block.sync()
    if t == 17:
        out[0] = cell[0]
    out[1 + t] = share


def test_the_reader_sees_what_the_writer_wrote():
    divisor = np.arange(1, 21, dtype=np.int32)
    _, out = check_same(hand_over, 1, 20, (divisor, np.zeros(21, np.int32)))
    assert out[0] == 7
    assert out[1:15].tolist() == [100 // d for d in range(1, 15)]
