"""Barriers under uniform conditions in nested loops; the statements after them run once an iteration."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import InOut, i32, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import block, thread


@kernel
def count(first: i32, second: i32, counts: InOut[i32]):
    t = thread.thread_idx.x
    for _outer in range(3):
        for _inner in range(2):
            if first != 0:
                block.sync()
            if second != 0:
                block.sync()
            counts[t] += 1
        block.sync()
        counts[t] += 100
    counts[t] += 10000


@pytest.mark.parametrize("first, second", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_statements_run_once_an_iteration(first: int, second: int):
    *_, counts = check_same(count, 1, 5, (first, second, np.zeros(5, np.int32)))
    assert counts.tolist() == [10306] * 5
