"""Threads that return early do not take part in later barriers, and nobody misses the writes of those that stay."""
from __future__ import annotations

import numpy as np

from simt.core import Out, i32, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread

OFFSETS = (10, 20, 30, 40)


@kernel
def gather(out: Out[i32]):
    cells = shared.array(i32, 4)
    y = thread.thread_idx.x
    if y > 3:
        return
    offset = i32(0)
    for k, value in enumerate(OFFSETS):
        if y == k:
            offset = value
    cells[y] = offset + y
    block.sync()
    if y == 0:
        for k in range(4):
            out[k] = cells[k]


@kernel
def stages(out: Out[i32]):
    """A thread less takes part in every round."""
    total = shared.array(i32, 1)
    t = thread.thread_idx.x
    if t == 0:
        total[0] = 0
    block.sync()
    for turn in range(8):
        if t == 7 - turn:
            total[0] = total[0] + 1 + turn
        block.sync()
        if t == 7 - turn and t > 0:
            return
    out[0] = total[0]


def test_writes_of_the_threads_that_stay_are_seen():
    (out,) = check_same(gather, 1, 8, (np.zeros(4, np.int32),))
    assert out.tolist() == [10, 21, 32, 43]


def test_threads_may_leave_one_by_one():
    (out,) = check_same(stages, 1, 8, (np.zeros(1, np.int32),))
    assert out[0] == sum(range(1, 9))
