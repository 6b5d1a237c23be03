"""Checked and unchecked code, and the kernel's own Python, agree on the same kernel; checks still allow vectorising."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, Out, f32, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import thread


@kernel
def smooth(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if 0 < i < x.size - 1:
        out[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4
    elif i < x.size:
        out[i] = x[i]


@pytest.mark.parametrize("checks", [True, False])
def test_same_answer(checks: bool):
    x = np.random.default_rng(5).random(300, dtype=np.float32)
    check_same(smooth.with_options(checks=checks), 3, 128, (x, np.zeros_like(x)))


def test_guarded_accesses_need_no_check_in_ptx():
    arguments = (np.zeros(4, np.float32), np.zeros(4, np.float32))
    unchecked = smooth.compile(*arguments, target="sm_80").ptx or ""
    checked = smooth.with_options(checks=True).compile(*arguments, target="sm_80").ptx or ""
    assert unchecked.count("ld.global") == checked.count("ld.global")
