"""What a name stands for where several paths meet: unrolled loops left early, one variable of several loops, swaps."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simt.core import In, Out, f16, f32, f64, i32, i64, kernel, static_range, u8, u32
from simt.core.check.tir import Local
from simt.core.kernel import Kernel
from simt.core.testing.differential import check_same

TABLE = (f32(1.5), f32(2.5), f32(4.5))


@kernel
def left_early(n: i32, out: Out[i32]):
    for i in (1, 2, 3):
        last = 10 * i
        if n == i:
            break
    out[0] = i
    out[1] = last
    for k in static_range(4):
        if n == k:
            continue
        out[2 + k] = k
    out[6] = k


@kernel
def one_variable(n: i32, out: Out[i32]):
    for i in static_range(3):
        out[i] = i32(TABLE[i])
    for i in range(n):
        out[3] = i
    for i in static_range(2):
        for j in range(n):
            out[4] = i * j
    while True:
        found = n
        if n > 0:
            break
    out[5] = found


@kernel
def changed_in_the_body(n: i32, out: Out[i32]):
    total = 0
    for i in range(n):
        i = i * 2
        total += i
    out[0] = total
    a, b = 1, 2
    for _ in range(n):
        a, b = b, a + b
    out[1] = a


@kernel
def parameters(n: i32, m: i32, out: Out[i32]):
    n, m = m, n
    n += 1
    for m in range(2):
        n += m
    out[0] = n


@pytest.mark.parametrize("program", [left_early, one_variable, changed_in_the_body], ids=lambda k: k.name)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_same_as_python(program: Kernel[Any], n: int) -> None:  # Any: kernels of every signature
    check_same(program, 1, 1, [n, np.zeros(8, np.int32)])


def test_parameters_are_names_like_others() -> None:
    check_same(parameters, 1, 1, [3, 5, np.zeros(1, np.int32)])


@kernel
def inferred(h: In[f16], d: In[f64], n: i64, u: u32, b: u8, x: In[f32], out: Out[f64]):
    half, double, count, unsigned, byte, mixed, pair = 0, 0.0, 0, 1, 200, 0, 0
    left, right = 0.0, 0.0
    for i in range(3):
        half += h[i]
        double = double + d[i]
        count += n
        unsigned = unsigned * u
        byte += b
        mixed += 0.5
        left = right + 1.0
        right = left * d[i]
        pair = pair + x[i] if i > 0 else pair
    out[0] = double


def test_types_of_locals_that_start_as_literals() -> None:
    text = inferred.inspect("tir", target="cpu")
    expected = {
        "half": "f16", "double": "f64", "count": "i64", "unsigned": "u32", "byte": "u8", "mixed": "f32", "left": "f64",
        "right": "f64", "pair": "f32",
    }
    for name, kind in expected.items():
        assert f"    {name}: {kind} = " in text, text


def test_locals_print_with_their_number() -> None:
    assert str(Local("x", 0, None)) == "x" and str(Local("x", 2, None)) == "x.2"  # type: ignore[arg-type]
