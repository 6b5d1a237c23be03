"""Annotations as strings, annotated assignments and return annotations mean what they say."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import CompileError, Out, f32, f64, i8, i32, i64, kernel
from simt.core.testing.differential import check_same


def narrowed(x: f64) -> f32:
    return f32(x)


def widened(x: i32) -> i64:
    return x


def wrong(x: f64) -> f32:
    return x


@kernel
def annotated(out: Out[f64], whole: Out[i64]):
    third: f32 = 1 / 3
    out[0] = third
    out[1] = narrowed(f64(1) / 3)
    small: i8 = 100
    whole[0] = small + small
    total: i64 = 0
    for k in range(5):
        total += i64(k) << 40
    whole[1] = total
    whole[2] = widened(2**31 - 1) + 1


@kernel
def refused(out: Out[f64]):
    value: i8 = 300
    out[0] = value


@kernel
def refused_result(out: Out[f64]):
    out[0] = wrong(f64(1))


def test_values():
    out, whole = check_same(annotated, 1, 1, (np.zeros(2), np.zeros(3, np.int64)))


def test_types_of_annotations_count():
    out, whole = np.zeros(2), np.zeros(3, np.int64)
    annotated[1, 1](out, whole)
    assert out.tolist() == [float(np.float32(1 / 3))] * 2
    assert whole.tolist() == [-56, 10 << 40, 2**31]


def test_a_literal_that_does_not_fit_is_refused():
    with pytest.raises(CompileError, match="i8"):
        refused[1, 1](np.zeros(1))


def test_a_result_that_does_not_fit_is_refused():
    with pytest.raises(CompileError, match="f32"):
        refused_result[1, 1](np.zeros(1))
