"""Clocks advance; nanoseconds are those of the host's monotonic clock on the CPU target."""
from __future__ import annotations

import time

import numpy as np
import pytest

from simt.core import Out, i32, i64, kernel
from simt.cuda_std import atomic, clock
from tests.cuda_std.targets import Run, both_targets, run_on_cpu
from tests.gpu_mode import ACTIVE


@kernel
def readings(out: Out[i64], scratch: Out[i32]):
    out[0] = clock.cycles()
    out[1] = clock.nanoseconds()
    for i in range(100):
        atomic.store(scratch, 0, i)
    out[2] = clock.cycles()
    out[3] = clock.nanoseconds()


@both_targets
def test_time_passes(run: Run) -> None:
    out = np.zeros(4, np.int64)
    run(readings, 1, 1, out, np.zeros(1, np.int32))
    assert out[2] > out[0] > 0
    assert out[3] >= out[1] > 0


@pytest.mark.skipif(ACTIVE, reason="needs the CPU target: a GPU's nanoseconds are those of its own timer")
def test_nanoseconds_are_those_of_the_host() -> None:
    out = np.zeros(4, np.int64)
    run_on_cpu(readings, 1, 1, out, np.zeros(1, np.int32))
    before = time.monotonic_ns()
    run_on_cpu(readings, 1, 1, out, np.zeros(1, np.int32))
    assert before <= out[1] <= out[3] <= time.monotonic_ns()
