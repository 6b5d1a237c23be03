"""Device functions: one body for several types in one kernel, returns in loops, functions of functions, generics."""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from simt.core import In, InOut, Out, f16, f32, f64, fault, i32, i64, kernel, static_range, struct
from simt.core.errors import CompileError, DeviceFault
from simt.core.testing.differential import check_same

T = TypeVar("T", f32, f64)


def accumulate(values, step):
    total = 0
    for i in range(4):
        total += step(values[i], i)
    return total


def find(values: In[i32], wanted: i32) -> i32:
    for i in range(8):
        if values[i] == wanted:
            return i
        for j in range(i):
            if values[j] + values[i] == wanted:
                return 10 * i + j
    return -1


def clamp(x: T, low: T, high: T) -> T:
    return min(max(x, low), high)


@kernel
def several_types(a: In[f32], b: In[i32], c: In[f64], out: Out[f64]):
    weight = 2

    def weighted(value, index):
        scaled = 0
        scaled += value * weight
        return scaled

    out[0] = accumulate(a, weighted)
    out[1] = accumulate(b, weighted)
    out[2] = accumulate(c, weighted)
    out[3] = accumulate(b, lambda value, index: value if index > 1 else 0)
    out[4] = clamp(0, c[1], 1) + clamp(2.5, 0.5, 1)


def test_one_function_for_several_types() -> None:
    rng = np.random.default_rng(1)
    args = [rng.random(4, np.float32), rng.integers(-9, 9, 4, np.int32), rng.random(4), np.zeros(5)]
    check_same(several_types, 1, 1, args)


@kernel
def searching(values: In[i32], out: Out[i32]):
    for wanted in range(20):
        out[wanted] = find(values, wanted)


def test_returns_from_loops() -> None:
    check_same(searching, 1, 1, [np.array([9, 3, 1, 7, 2, 4, 8, 5], np.int32), np.zeros(20, np.int32)])


def root_or_fault(n: i32) -> i32:
    for root in range(4):
        if root * root == n:
            return root
    fault(f"{n} is no small square")


@kernel
def roots(squares: In[i32], out: Out[i32]):
    for i in range(squares.size):
        out[i] = root_or_fault(squares[i])


def test_a_function_may_end_in_a_fault() -> None:
    out = np.zeros(3, np.int32)
    roots[1, 1](np.array([9, 0, 4], np.int32), out)
    assert out.tolist() == [3, 0, 2]
    with pytest.raises(DeviceFault, match="7 is no small square"):
        roots[1, 1](np.array([9, 7, 4], np.int32), out)


def apply_all(functions, x: f32) -> f32:
    for f in functions:
        x = f(x)
    return x


def chosen(n):
    result = f32(0) if n == 1 else i32(0)
    result += 1
    return result


@kernel
def functions_as_values(x: In[f32], h: In[f16], out: Out[f32], integers: Out[i32]):
    out[0] = apply_all((abs, lambda v: v + 1, lambda v: v * v), x[0])
    add: Callable[[f32], f32] = lambda v, by=x[1]: v + by
    out[1] = add(x[2])
    out[2] = chosen(1)
    integers[0] = chosen(2)
    for k in static_range(2):
        scale = lambda v: v * k  # noqa: B023 - called in the same round
        out[3 + k] = scale(x[3])


def test_functions_in_tuples_and_defaults() -> None:
    check_same(functions_as_values, 1, 1, [
        np.array([-1.5, 2, 3, 4], np.float32), np.ones(1, np.float16), np.zeros(5, np.float32), np.zeros(1, np.int32),
    ])


def relu(x):
    if x > 0:
        return x
    return 0


def half_or_none(x):
    if x > 0:
        return 0
    return 0.5


@kernel
def literal_results(a: In[f32], b: In[f16], n: i32, out: Out[f32], halves: Out[f16], integers: Out[i32]):
    out[0] = relu(a[0]) + half_or_none(a[1])
    halves[0] = relu(b[0])
    integers[0] = relu(n)


def test_a_returned_literal_takes_the_type_of_the_other_results() -> None:
    check_same(literal_results, 1, 1, [
        np.array([1.5, -1], np.float32), np.array([0.1], np.float16), -3, np.zeros(1, np.float32),
        np.zeros(1, np.float16), np.ones(1, np.int32),
    ])


@struct
class Node:
    value: i64
    weight: f32

    def grow(self, by: i64):
        self.value += by
        return self

    def __eq__(self, other):
        return self.value == other.value

    def __iadd__(self, other):
        self.value += other.value
        return self


@kernel
def references(nodes: InOut[Node], out: Out[i64]):
    nodes[0].grow(3).grow(4)
    mine = nodes[1].copy()
    mine.grow(100)
    mine += nodes[0]
    out[0] = mine.value + nodes[1].value
    out[1] = 1 if mine == nodes[1] else 0
    other = nodes[2]
    other.value = 5
    nodes[3] = other
    nodes[2], nodes[1] = nodes[1], nodes[2]


def test_structs_change_where_they_are() -> None:
    nodes = np.zeros(4, Node.numpy_dtype)
    nodes["value"] = [1, 2, 3, 4]
    references[1, 1](nodes, out := np.zeros(2, np.int64))
    assert nodes["value"].tolist() == [8, 3, 2, 5] and out.tolist() == [112, 0]


def test_a_function_that_calls_itself_through_another_is_refused() -> None:
    def ping(n: i32) -> i32:
        return pong(n - 1)

    def pong(n: i32) -> i32:
        return ping(n - 1)

    @kernel
    def game(out: Out[i32]):
        out[0] = ping(3)

    with pytest.raises(CompileError) as caught:
        game.compile()
    assert [d.code for d in caught.value.diagnostics] == ["recursion"]
