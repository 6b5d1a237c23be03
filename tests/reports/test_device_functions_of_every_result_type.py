"""Device functions that return other types than they take compile, assemble and link for a GPU."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, Out, f16, f32, f64, i8, i32, i64, kernel, struct, u8, u64
from simt.core.testing.differential import check_same
from simt.cuda_std import thread


@struct
class Pair:
    first: i8
    second: f64


def narrow(x: f32) -> i8:
    return i8(x)


def half(x: i64) -> f16:
    return f16(x)


def flag(x: f32) -> bool:
    return x > 1


def both(x: f32) -> tuple[u8, u64]:
    return u8(x), u64(x) << 40


def pair(x: f32) -> Pair:
    return Pair(narrow(x), f64(x) / 3)


@kernel
def mixed(x: In[f32], whole: Out[i64], real: Out[f64]):
    i = thread.index_1d()
    low, high = both(x[i])
    made = pair(x[i])
    whole[i] = narrow(x[i]) + i64(high) + low + i32(flag(x[i])) + made.first
    real[i] = half(i) + made.second


def test_results():
    x = np.array([0.5, 1.5, 2.0, 100.0], np.float32)
    check_same(mixed, 1, 4, (x, np.zeros(4, np.int64), np.zeros(4)))


@pytest.mark.parametrize("target", ["sm_75", "sm_90"])
def test_assembles(target: str):
    compiled = mixed.compile(signature=(In[f32], Out[i64], Out[f64]), target=target)
    assert compiled.cubin is not None and compiled.cubin[:4] == b"\x7fELF"
