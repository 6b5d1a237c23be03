"""Kinds of numbers that the operator sweeps leave out: complex, vectors, bits, literals meeting types."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import (
    In,
    InOut,
    Out,
    bf16,
    bitcast,
    c64,
    c128,
    f16,
    f32,
    f32x2,
    f32x4,
    f64,
    i8,
    i32,
    i32x4,
    i64,
    i128,
    kernel,
    local_array,
    u8,
    u16,
    u32,
    u64,
)
from simt.core.testing.differential import check_same
from simt.cuda_std import math, thread


@kernel
def complex_numbers(x: In[c64], y: In[c64], out: Out[c64], wide: Out[c128], parts: Out[f32], equal: Out[bool]):
    i = thread.index_1d()
    a, b = x[i], y[i]
    out[6 * i] = a + b
    out[6 * i + 1] = a - b * 2
    out[6 * i + 2] = a * b
    out[6 * i + 3] = a / b
    out[6 * i + 4] = -a.conjugate() + 1j
    out[6 * i + 5] = c64(b.imag, a.real) * 2.5
    wide[i] = c128(a) * 1j + f64(i)
    parts[i] = a.real - b.imag + abs(a.real)
    equal[i] = a == b or a != a


@kernel
def vectors(x: In[f32x4], out: Out[f32x4], flat: Out[f32], whole: Out[i32x4]):
    i = thread.index_1d()
    v = x[i]
    w = v * 2 + f32x4(1, 2, 3, 4) - v.yxxx if False else v * 2 + f32x4(1, 2, 3, 4)
    w.x = v.w
    w[2] = v[i] if i < 4 else f32(0)
    out[i] = -w / f32x4(2)
    pair = f32x2(w.x, w.y)
    flat[2 * i] = pair.x
    flat[2 * i + 1] = pair.y
    total = i32x4(0)
    for k in range(4):
        total[k] = i32(k) * i32(i)
    whole[i] = total // i32x4(1, 2, 3, 4)


@kernel
def bits(x: In[f32], wide: In[f64], half: In[f16], out: Out[u32], out64: Out[i64], back: Out[f32], short: Out[u16]):
    i = thread.index_1d()
    pattern = bitcast(x[i], u32)
    out[i] = pattern ^ 0x80000000
    back[i] = bitcast(pattern & 0x7FFFFFFF, f32)
    out64[i] = bitcast(wide[i], i64)
    short[i] = bitcast(half[i], u16)


@kernel
def narrow(x: In[f16], y: In[bf16], out: Out[f16], out2: Out[bf16], out3: Out[f32]):
    i = thread.index_1d()
    total = f16(0)
    for k in range(4):
        total = total * 0.5 + x[i] - k
    out[i] = total
    other = y[i]
    other += 1
    other /= 3
    out2[i] = other if other > y[i] else -other
    out3[i] = x[i] * y[i] + f32(i32(x[i]) % 7)


@kernel
def wide(x: In[i64], out: Out[i128], out64: Out[i64]):
    i = thread.index_1d()
    product = i128(x[i]) * x[0]
    out[i] = product * 3 - (i128(1) << 100)
    out64[i] = i64(product >> 64) + i64(product // 1000003) % 17


@kernel
def local_memory(seed: i32, out: InOut[i32]):
    table = local_array(i32, (4, 3))
    for row in range(4):
        for col in range(3):
            table[row, col] = seed + row * 10 + col
    for k in range(4):
        line = table[3 - k]
        line[k % 3] += 100
        out[k] = line[0] + line[1] * 2 + line[2] * 4
    out[4] = i32(table.size) + i32(len(table)) + i32(table[0].size)


@kernel
def tuples(n: i32, out: Out[f64]):
    numbers = (n, 2.5, i8(3), n > 2)
    a, (b, c) = numbers[0], (numbers[1], numbers[2])
    out[0] = a + b * c
    same = (n, n + 1, n + 2)
    out[1] = same[n % 3]
    out[2] = f64(numbers[3])
    total = 0
    for k, value in enumerate(same):
        total += k * value
    out[3] = total
    for left, right in zip(same, (4, 5, 6), strict=False):
        out[4] = left * right
    out[5] = max(same) - min(2, n, 7) + sum(same)
    q, r = divmod(-n, 3)
    out[6] = q * 10 + r


@kernel
def bools(x: In[bool], y: In[i32], out: Out[i32], small: Out[u8]):
    i = thread.index_1d()
    a, b = x[i], y[i] > 0
    out[i] = a + b * 2 + (a & b) + i32(a ^ b) * 8 + (a | b) * 16 - a
    small[i] = u8(a) + (u8(7) if a == b else u8(1)) + u8(a < b) + u8(not a) + u8(bool(y[i]))


def numbers(n: int, dtype) -> np.ndarray:
    return (np.random.default_rng(n).random(n) * 20 - 10).astype(dtype)


def test_complex():
    x, y = (numbers(8, np.float32).view(np.complex64), numbers(9, np.float32)[1:].view(np.complex64).copy())
    x[1] = y[1]
    check_same(complex_numbers, 1, 4, (x, y, np.zeros(24, np.complex64), np.zeros(4, np.complex128),
                                       np.zeros(4, np.float32), np.zeros(4, bool)))


def test_vectors():
    x = numbers(20, np.float32).view(np.dtype([(name, np.float32) for name in "xyzw"]))
    out = np.zeros(5, x.dtype)
    whole = np.zeros(5, np.dtype([(name, np.int32) for name in "xyzw"]))
    check_same(vectors, 1, 5, (x, out, np.zeros(10, np.float32), whole))


def test_bits():
    x = np.array([0.0, -0.0, 1.5, np.inf, -3e-40], np.float32)
    outputs = [np.zeros(5, dtype) for dtype in (np.uint32, np.int64, np.float32, np.uint16)]
    check_same(bits, 1, 5, (x, x.astype(np.float64), x.astype(np.float16), *outputs))


def test_16_bit_floats():
    x = numbers(30, np.float16)
    y = np.array([(n,) for n in np.random.default_rng(1).integers(0x3000, 0x4400, 30)], bf16.numpy_dtype)
    check_same(narrow, 1, 30, (x, y, np.zeros_like(x), np.zeros_like(y), np.zeros(30, np.float32)))


def test_128_bits():
    x = np.array([3, -7, 2**62 + 5, -(2**63), 2**63 - 1, 0], np.int64)
    check_same(wide, 1, 6, (x, np.zeros(6, i128.numpy_dtype), np.zeros(6, np.int64)))


def test_local_arrays():
    check_same(local_memory, 1, 1, (5, np.zeros(5, np.int32)))


@pytest.mark.parametrize("n", [0, 1, 5])
def test_tuples(n: int):
    check_same(tuples, 1, 1, (n, np.zeros(7)))


def test_bools():
    x = np.array([0, 0, 1, 1, 1], bool)
    check_same(bools, 1, 5, (x, np.array([0, 5, 0, 5, -3], np.int32), np.zeros(5, np.int32), np.zeros(5, np.uint8)))


def test_unused_types_are_listed():
    assert u64(1) + i128(1) == 2


@kernel
def powers(x: In[f32], y: In[f64], n: i32, out: Out[f32], wide: Out[f64], whole: Out[i32]):
    i = thread.index_1d()
    out[4 * i] = x[i] ** 0.5 + math.sqrt(x[i])
    out[4 * i + 1] = x[i] ** n
    out[4 * i + 2] = 2 ** x[i]
    out[4 * i + 3] = x[i] ** 5
    wide[i] = y[i] ** x[i]
    whole[i] = n ** 3 - n ** 0


def test_powers():
    x = np.abs(numbers(6, np.float32))
    y = np.abs(numbers(7, np.float64))[1:].copy()
    outputs = (np.zeros(24, np.float32), np.zeros(6), np.zeros(6, np.int32))
    check_same(powers, 1, 6, (x, y, -3, *outputs), ulp=2)
