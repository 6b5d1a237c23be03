"""Grid and block sizes that are no integers are refused with the launch configuration in the message."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError, Out, i32, kernel
from simt.cuda_std import thread


@kernel
def fill(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 1


@pytest.mark.parametrize("grid, block", [
    (100 / 32 + 1, 32), (4, 32.0), ((2.5, 1), 32), ("4", 32), (4, -1), (4, 0), (-1, 4), ((1, 1, 1, 1), 1), (None, 1),
    (True, 4),
])
def test_refused(grid, block):
    with pytest.raises(LaunchError, match=r"grid|block"):
        fill[grid, block](np.zeros(100, np.int32))


def test_numpy_integers_are_integers():
    out = np.zeros(100, np.int32)
    fill[np.int64(4), np.int32(32)](out)
    assert out.all()


def test_an_empty_grid_runs_nothing():
    out = np.zeros(0, np.int32)
    fill.for_elements(0)(out)
