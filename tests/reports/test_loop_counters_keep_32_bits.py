"""A loop over i32 bounds counts in i32, and so does arithmetic of 32-bit indices with literals."""
from __future__ import annotations

import re

import numpy as np

from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import thread


@kernel
def polynomial(n: i32, x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    total = f32(0)
    for k in range(n):
        total = total * 0.5 + k * x[i]
    out[i] = total


def test_the_counter_is_an_i32():
    tir = polynomial.inspect("tir", signature=(i32, In[f32], Out[f32]))
    assert re.search(r"k: i32 in range", tir), tir


def test_no_64_bit_counter_in_ptx():
    ptx = polynomial.compile(signature=(i32, In[f32], Out[f32]), target="sm_80").ptx
    assert ptx is not None
    loop = ptx[ptx.index("BB") :]
    assert not re.search(r"add\.s64[^\n]*, 1;", loop)
    assert not re.search(r"setp\.\w+\.[su]64", loop)


def test_result():
    x, out = np.ones(8, np.float32), np.zeros(8, np.float32)
    polynomial[1, 8](5, x, out)
    expected = np.float32(0)
    for k in range(5):
        expected = expected * np.float32(0.5) + np.float32(k)
    assert (out == expected).all()
