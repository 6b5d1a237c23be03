"""Unrolled loops: the loop's own variable, any start and step, ``break`` and ``continue``, and the right trip count."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import InOut, Out, i32, kernel, static_range
from simt.core.testing.differential import check_same

i = 100  # a global of the same name as the loop variable below


@kernel
def own_variable(out: Out[i32]):
    for i in static_range(4):
        out[i] = i * 10


@kernel
def global_after(out: Out[i32]):
    out[0] = i


@kernel
def start_and_continue(out: InOut[i32]):
    for k in static_range(2, 9):
        if k == 4:
            continue
        if k == 7:
            break
        out[k] += k


@kernel
def steps(counts: InOut[i32]):
    for k in static_range(0, 10, 3):
        counts[0] += 1
        counts[1] = k
    for k in static_range(10, 0, -4):
        counts[2] += 1
        counts[3] = k
    for _ in static_range(5, 5):
        counts[4] += 1
    for k in range(0, 10, 3):
        counts[5] += 1
        counts[6] = k
    for k in range(10, 0, -4):
        counts[7] += 1
        counts[8] = k


@kernel
def run_time_break(limit: i32, out: InOut[i32]):
    for k in static_range(6):
        if k == limit:
            break
        if k == 1:
            continue
        out[k] = 1


def test_the_loop_variable_is_the_loops_own():
    (out,) = check_same(own_variable, 1, 1, (np.zeros(4, np.int32),))
    assert out.tolist() == [0, 10, 20, 30]
    (out,) = check_same(global_after, 1, 1, (np.zeros(1, np.int32),))
    assert out[0] == 100


def test_start_continue_break():
    (out,) = check_same(start_and_continue, 1, 1, (np.zeros(9, np.int32),))
    assert out.tolist() == [0, 0, 2, 3, 0, 5, 6, 0, 0]


def test_trip_counts_where_the_step_does_not_divide():
    (counts,) = check_same(steps, 1, 1, (np.zeros(9, np.int32),))
    assert counts.tolist() == [4, 9, 3, 2, 0, 4, 9, 3, 2]


@pytest.mark.parametrize("limit", [0, 1, 3, 9])
def test_break_on_a_run_time_condition(limit: int):
    *_, out = check_same(run_time_break, 1, 1, (limit, np.zeros(6, np.int32)))
    assert out.tolist() == [int(k < limit and k != 1) for k in range(6)]
