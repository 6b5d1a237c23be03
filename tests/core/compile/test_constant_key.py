"""Keys of compile-time values are equal exactly where the code is."""
from __future__ import annotations

from enum import IntEnum
from itertools import combinations

import numpy as np
import pytest

from simt.core.constant_key import constant_key
from simt.core.scalars import f32, f64, i32


class Mode(IntEnum):
    ONE = 1
    TWO = 2


def add(step, scale=1):
    return lambda x, *, by=scale: x + step * by


DISTINCT = [
    1, 1.0, True, 2, 0.0, -0.0, float("nan"), 1j, 1 + 0j, complex(1, -0.0), Mode.ONE, Mode.TWO, f32(1), f64(1), i32(1),
    np.float64(1), np.float32(1), np.int64(1), np.bool_(True), (1, 2), (1.0, 2), (1,), ((1,),), None, "1", f32, i32,
    add(1), add(1.0), add(2), add(1, 2), add(f32(1)), add(np.float64(1)), add((1, 2)), len, [1], [1],
]


def test_different_values_have_different_keys():
    for first, second in combinations(DISTINCT, 2):
        assert constant_key(first) != constant_key(second), (first, second)


@pytest.mark.parametrize(("first", "second"), [
    (float("nan"), float("nan")), (np.float32("nan"), np.float32("nan")), (add(1), add(1)), (add(1.5, 2), add(1.5, 2)),
    (add(float("nan")), add(float("nan"))), ((1, add(2)), (1, add(2))), (f32(0.1), f32(0.1)), (10**30, 10**30),
], ids=str)
def test_equal_values_have_equal_keys(first, second):
    assert constant_key(first) == constant_key(second)
    assert hash(constant_key(first)) == hash(constant_key(second))


def test_the_identity_of_an_unhashable_value_is_not_passed_on():
    keys = {constant_key([number]) for number in range(100)}  # each list is freed at once but for its key
    assert len(keys) == 100


def test_a_cell_without_a_value_has_a_key():
    def outer():
        def inner():
            return later

        key = constant_key(inner)
        later = 1
        return key, constant_key(inner)

    empty, filled = outer()
    assert empty != filled
