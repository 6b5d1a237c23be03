"""Loops that all threads make together: bit for bit what each thread alone would compute."""
from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from simt.core import D2, In, InOut, Kernel, Out, f32, f64, i32, kernel, local_array
from simt.core.testing.differential import check_same
from simt.cuda_std import math, thread

RNG = np.random.default_rng(5)


@kernel
def forces(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        total = f32(0)
        for j in range(x.size):
            d = x[j] - x[i]
            total += d / math.sqrt(d * d + 0.25)
        out[i] = total


@kernel
def matmul(a: In[f32, D2], b: In[f32, D2], out: Out[f32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        total = f32(0)
        for k in range(b.shape[0]):
            total += a[row, k] * b[k, col]
        out[row, col] = total


@kernel
def two_loops(x: In[f32], rounds: i32, out: InOut[f64]):
    i = thread.index_1d()
    if i < out.size:
        first, count = f32(out[i]), i32(0)
        for j in range(rounds, -1, -1):
            first = first * 0.5 + x[i + j]
            count += j
        second = f64(count)
        for j in range(1, rounds, 2):
            second = second * 0.75 + f64(x[i + j - 1]) + f64(first)
        out[i] = second


@kernel
def own_rounds(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        total = f32(1)
        for j in range(i % 5):
            total = total * 0.5 + x[j]
        out[i] = total


@kernel
def kept_in_an_array(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        kept = local_array(f32, 2)
        kept[0], kept[1] = x[i], f32(0)
        total = f32(0)
        for j in range(4):
            total += kept[0] * x[j]
        kept[1] = total
        out[i] = kept[1] + kept[0]


@kernel
def counter_afterwards(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        total, last = f32(0), i32(-1)
        for j in range(x.size // 2):
            total += x[j]
            last = i32(j)
        out[i] = total + last


def floats(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.random(shape, np.float32)


@pytest.mark.parametrize("size", [1, 32, 55])
@pytest.mark.parametrize("k", [forces, own_rounds, kept_in_an_array, counter_afterwards], ids=lambda k: k.name)
def test_sums_of_each_thread(k: Kernel[...], size: int):
    check_same(k, 5, 12, (floats(max(size, 8)), np.zeros(size, np.float32)))


def test_no_rounds_at_all():
    sums, products, last = np.ones(70, np.float32), np.ones((2, 70), np.float32), np.ones(70)
    forces[2, 40](np.zeros(0, np.float32), sums)
    matmul[(3, 1), (32, 2)](floats(2, 0), floats(0, 70), products)
    two_loops[2, 40](floats(71), -1, last)
    assert not sums.any() and not products.any() and not last.any()


@pytest.mark.parametrize("shape", [(3, 4, 5), (3, 5, 40), (9, 1, 33)])
def test_matmul(shape: tuple[int, int, int]):
    n, k, m = shape
    check_same(matmul, (3, 5), (32, 2), (floats(n, k), floats(k, m), np.zeros((n, m), np.float32)))


@pytest.mark.parametrize("rounds", [1, 6])
def test_loops_one_after_the_other(rounds: int):
    check_same(two_loops, 3, 25, (floats(60), rounds, RNG.random(50)))


def test_rounds_of_a_strip_are_done_together():
    """Both square roots and divisions of the loop work on vectors."""
    text = forces.with_options(checks=False).inspect("llvm", floats(4), floats(4))
    lanes = re.findall(r"alloca \[32 x float\]", text)
    assert len(lanes) == 1, "the sum alone is kept for each thread of a strip"
