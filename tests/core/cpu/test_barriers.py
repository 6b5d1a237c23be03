"""Barriers against the kernel's own Python: loops, branches, early returns, shapes of blocks."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, InOut, Out, i32, kernel
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread

SHAPES = [(1, 1, 1), (20, 1, 1), (33, 1, 1), (64, 1, 1), (8, 5, 1), (3, 4, 5)]


@kernel
def rotate(x: In[i32], out: Out[i32], rounds: i32):
    s = shared.array(i32, 64)
    t = thread.index_in_block()
    mine = x[t]
    for k in range(rounds):
        s[t] = mine + k
        block.sync()
        mine = s[(t + 1) % block.size()]
        block.sync()
    out[t + thread.block_idx.x * block.size()] = mine


@pytest.mark.parametrize("shape", SHAPES)
def test_rotation_in_every_shape(shape: tuple[int, int, int]):
    size = shape[0] * shape[1] * shape[2]
    check_same(rotate, 2, shape, (np.arange(size, dtype=np.int32), np.zeros(2 * size, np.int32), 5))


@kernel
def nested(out: InOut[i32], flag: i32):
    t = thread.thread_idx.x
    count = 0
    for _ in range(3):
        for _ in range(2):
            if flag > 0:
                block.sync()
            count += 1
            if flag > 1:
                block.sync()
        count += 10
    block.sync()
    out[t] = count


@pytest.mark.parametrize("flag", [0, 1, 2])
def test_conditional_barriers_in_nested_loops(flag: int):
    (out,) = check_same(nested, 1, 40, (np.zeros(40, np.int32), flag))
    assert (out == 36).all()


@kernel
def leaving(x: In[i32], out: InOut[i32], n: i32):
    s = shared.array(i32, 32)
    t = thread.thread_idx.x
    s[t] = x[t]
    block.sync()
    if t >= n:
        return
    left = 0
    while True:
        if x[t] + left > 6:
            return
        block.sync()
        s[t] = s[t] + 1
        left += 1
        out[t] = s[t]


@pytest.mark.parametrize("n", [0, 5, 32])
def test_returns_between_barriers(n: int):
    x = np.arange(32, dtype=np.int32) % 7
    check_same(leaving, 1, 32, (x, np.zeros(32, np.int32), n))


@kernel
def votes(x: In[i32], out: Out[i32], n: i32):
    t = thread.thread_idx.x
    if t >= n:
        return
    count = block.sync_count(x[t] > 0)
    if block.sync_or(x[t] > 8):
        count += 100
    if block.sync_and(x[t] >= 0):
        count += 1000
    out[t] = count


@pytest.mark.parametrize("n", [1, 37, 50])
def test_votes_of_the_threads_at_work(n: int):
    x = np.random.default_rng(n).integers(-1, 10, 50).astype(np.int32)
    _, out = check_same(votes, 1, 50, (x, np.zeros(50, np.int32), n))
    live = x[:n]
    assert out[0] == (live > 0).sum() + 100 * (live > 8).any() + 1000 * (live >= 0).all()


@kernel
def carried(x: In[i32], out: Out[i32]):
    t = thread.thread_idx.x
    last = x[t]
    for k in range(4):
        block.sync()
        last = last + k
        if k == 3:
            out[t] = last


def test_a_value_carried_around_a_loop():
    check_same(carried, 1, 16, (np.arange(16, dtype=np.int32), np.zeros(16, np.int32)))


@kernel
def changed_parameter(x: In[i32], out: Out[i32], bias: i32):
    t = thread.thread_idx.x
    bias += t
    block.sync()
    out[t] = x[t] + bias
    block.sync()


def test_a_parameter_that_changes():
    check_same(changed_parameter, 3, 40, (np.arange(40, dtype=np.int32), np.zeros(40, np.int32), 7))
