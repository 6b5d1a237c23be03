"""print in kernels: formatted as Python does, in the order of blocks, on Python's own standard output."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, f32, i32, kernel
from simt.cuda_std import thread


@kernel
def tell(x: In[f32], n: i32):
    i = thread.index_1d()
    if i < n:
        print(f"{i:>3}: {x[i]:.2f} of {n}", x[i] > 1)


def test_lines_and_formats(capsys: pytest.CaptureFixture[str]):
    x = np.array([0.5, 1.25, -3], np.float32)
    tell[3, 1](x, 3)
    assert capsys.readouterr().out == "  0: 0.50 of 3 False\n  1: 1.25 of 3 True\n  2: -3.00 of 3 False\n"


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]):
    tell[1, 4](np.zeros(4, np.float32), 0)
    assert capsys.readouterr().out == ""


def test_too_many_lines_are_said_to_be_lost(capsys: pytest.CaptureFixture[str]):
    x = np.zeros(50_000, np.float32)
    tell[500, 100](x, 50_000)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 10_000 and "the rest is lost" in lines[-1]
