"""Kernels made by one function with other captured values, types or functions never share code by mistake."""
from __future__ import annotations

from typing import TypeVar

import numpy as np

from simt.core import Const, Kernel, Out, f32, f64, i32, kernel

T = TypeVar("T", f32, f64)
SCALE = 2


def make(constant, function, dtype) -> Kernel:
    @kernel
    def made(out: Out[f64]):
        out[0] = function(dtype(constant))

    return made


def doubled(x: T) -> T:
    return x * 2


def squared(x: T) -> T:
    return x * x


@kernel
def choose(mode: Const[i32], n: i32, out: Out[i32]):
    if mode == 0:
        out[0] = n
    else:
        out[0] = n * mode


@kernel
def scaled(out: Out[i32]):
    out[0] = SCALE


def value(made) -> float:
    out = np.zeros(1)
    made[1, 1](out)
    return float(out[0])


def test_captured_values_functions_and_types():
    third = 1 / 3
    assert value(make(3, doubled, f64)) == 6
    assert value(make(3, squared, f64)) == 9
    assert value(make(4, squared, f64)) == 16
    assert value(make(third, doubled, f32)) == float(np.float32(third)) * 2
    assert value(make(third, doubled, f64)) == third * 2
    assert value(make(3, lambda x: x + 1, f64)) == 4
    assert value(make(3, lambda x: x - 1, f64)) == 2


def test_compile_time_values_and_types_of_arguments():
    out = np.zeros(1, np.int32)
    for mode, n, expected in ((0, 5, 5), (3, 5, 15), (0, 7, 7), (2, 7, 14)):
        choose[1, 1](mode, n, out)
        assert out[0] == expected


def test_a_changed_global(monkeypatch):
    out = np.zeros(1, np.int32)
    for scale in (2, 5, 2):
        monkeypatch.setitem(globals(), "SCALE", scale)
        scaled[1, 1](out)
        assert out[0] == scale
