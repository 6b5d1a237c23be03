"""The shape of schedules: what is split, what stays one loop over threads."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, InOut, i32, kernel
from simt.core.cpu.regions import NotUniform, build_schedule
from simt.core.cpu.schedule import show
from simt.core.kernel import Kernel
from simt.cuda_std import block, shared, thread, warp
from tests.core.cpu.checked import checked

X = np.zeros(64, np.int32)


@kernel
def plain(x: In[i32], out: InOut[i32]):
    i = thread.index_1d()
    while out[i] < x[i]:
        out[i] += 1


@kernel
def tree(x: In[i32], out: InOut[i32]):
    s = shared.array(i32, 64)
    t = thread.thread_idx.x
    s[t] = x[t]
    offset = 32
    while offset > 0:
        block.sync()
        if t < offset:
            s[t] += s[t + offset]
        offset //= 2
    out[t] = s[0]


@kernel
def first_warp(x: In[i32], out: InOut[i32]):
    t = thread.thread_idx.x
    value = x[t]
    if warp.warp_id() == 0:
        value += warp.shuffle_down(value, 1)
    out[t] = value


@kernel
def continues(x: In[i32], out: InOut[i32]):
    t = thread.thread_idx.x
    for k in range(3):
        block.sync()
        if t > 5:
            continue
        out[t] = x[t] + k


@kernel
def apart(x: In[i32], out: InOut[i32]):
    t = thread.thread_idx.x
    if x[t] > 0:
        block.sync()
    out[t] = 1


def schedule_of(kernel: Kernel[...]) -> str:
    regions = build_schedule(checked(kernel, X, X.copy()))
    assert not isinstance(regions, NotUniform)
    return show(regions.schedule)


def test_no_collective_is_one_loop():
    assert schedule_of(plain).startswith("threads: ") and "\n" not in schedule_of(plain)


def test_a_uniform_loop_around_a_barrier():
    lines = [line.strip().partition(":")[0] for line in schedule_of(tree).splitlines()]
    assert lines == ["threads", "once", "while while.0", "do", "meet", "threads", "once", "threads"]


def test_a_condition_on_the_warp():
    lines = schedule_of(first_warp).splitlines()
    assert lines[0] == "warps:" and "    if" in lines and any("shuffle_down" in line for line in lines)


def test_threads_that_skip_the_rest_of_a_round():
    lines = [line.strip() for line in schedule_of(continues).splitlines()]
    assert any(line.startswith("meet") for line in lines) and lines[-1].startswith("threads: If, ")


@pytest.mark.parametrize("kernel", [apart])
def test_divergent_control_is_named(kernel: Kernel[...]):
    found = build_schedule(checked(kernel, X, X.copy()))
    assert isinstance(found, NotUniform)
    assert found.statement.span.line == apart.declaration.function.__code__.co_firstlineno + 4
