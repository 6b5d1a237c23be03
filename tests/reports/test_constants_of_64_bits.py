"""64-bit constants keep sign and digits; an augmented assignment evaluates its right side once; 64-bit atomics add."""
from __future__ import annotations

import numpy as np

from simt.core import InOut, Out, f64, i64, kernel, u64
from simt.core.testing.differential import check_same
from simt.cuda_std import atomic


@kernel
def constants(factor: i64, out: Out[i64], wide: Out[u64], real: Out[f64]):
    out[0] = -factor * 6364136223846793005
    out[1] = -(factor * 1442695040888963407)
    out[2] = 9223372036854775807
    out[3] = -9223372036854775808
    out[4] = factor + 0x7FFF_FFFF_FFFF_FFF0
    wide[0] = 18446744073709551615
    wide[1] = u64(factor) * 0x9E3779B97F4A7C15
    real[0] = 0.1
    real[1] = 1.7976931348623157e308
    real[2] = f64(0.1) * 3.141592653589793


def advance(state: InOut[i64]) -> i64:
    state[0] += 1
    return state[0]


@kernel
def once(state: InOut[i64], out: InOut[i64]):
    out[0] += advance(state)
    out[advance(state)] += 10


@kernel
def add(total: InOut[i64], step: i64):
    atomic.add(total, 0, step)
    atomic.add(total, 1, -step)


def test_digits():
    out, wide, real = check_same(constants, 1, 1, (7, np.zeros(5, np.int64), np.zeros(2, np.uint64), np.zeros(3)))
    wrap = lambda n: (n + 2**63) % 2**64 - 2**63
    assert out.tolist() == [wrap(-7 * 6364136223846793005), wrap(-7 * 1442695040888963407), 2**63 - 1, -(2**63),
                            wrap(7 + 0x7FFFFFFFFFFFFFF0)]
    assert wide.tolist() == [2**64 - 1, 7 * 0x9E3779B97F4A7C15 % 2**64]
    assert real.tolist() == [0.1, 1.7976931348623157e308, 0.1 * 3.141592653589793]


def test_the_right_side_is_evaluated_once():
    state, out = check_same(once, 1, 1, (np.zeros(1, np.int64), np.zeros(4, np.int64)))
    assert state[0] == 2 and out.tolist() == [1, 0, 10, 0]


def test_64_bit_atomics():
    total = np.zeros(2, np.int64)
    add[10, 100](total, 2**40 + 1)
    assert total.tolist() == [1000 * (2**40 + 1), -1000 * (2**40 + 1)]
