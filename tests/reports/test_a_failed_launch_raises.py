"""A launch that fails raises at the call; nothing is only logged, and the program never goes on with stale output."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import CompileError, DeviceFault, LaunchError, Out, i32, kernel
from simt.cuda_std import thread


@kernel
def checked(limit: i32, out: Out[i32]):
    i = thread.index_1d()
    assert i < limit, f"index {i} reached the limit {limit}"
    out[i] = 1


@kernel
def broken(out: Out[i32]):
    out[0] = missing


def test_an_assertion_raises_with_its_message(capfd):
    with pytest.raises(DeviceFault, match="index 5 reached the limit 5"):
        checked[1, 6](5, np.zeros(6, np.int32))
    captured = capfd.readouterr()
    assert captured.out == "" and captured.err == ""


def test_every_kind_of_failure_is_an_exception():
    with pytest.raises(CompileError, match="missing"):
        broken[1, 1](np.zeros(1, np.int32))
    with pytest.raises(LaunchError):
        checked[1, 1](5, np.zeros(1, np.float64))


def test_the_next_launch_is_clean():
    out = np.zeros(4, np.int32)
    with pytest.raises(DeviceFault):
        checked[1, 4](2, out)
    checked[1, 4](4, out)
    assert out.tolist() == [1] * 4
