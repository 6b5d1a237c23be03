"""Operators and conversions on values that Hypothesis draws: the oracle, the CPU target, and a third answer."""
from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simt.core.testing.differential import assert_close, check_same
from simt.core.testing.programs import kernel_from_text, random_program
from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, F16, F32, F64, I8, I32, I64, I128, U8, U32, U64
from simt.core.values.numpy_types import DTYPES
from simt.core.values.payload import convert
from tests.differential.edges import array_of, edge_values, values_of
from tests.differential.test_arithmetic import (
    COMPARISONS,
    FLOAT_OPERATORS,
    INTEGER_OPERATORS,
    expected_floats,
    expected_integers,
    kernel_text,
    result_type,
)

PAIRS = [(I32, I32), (I64, U32), (U8, I8), (U64, U64), (I128, I64), (F32, F32), (F64, F32), (F16, F16), (BF16, F32),
         (F32, I64)]


@cache
def compiled(left: ScalarType, right: ScalarType):
    return kernel_from_text(kernel_text(left, right), "compute", f"operators of {left} and {right}, random values")


def numbers(kind: ScalarType):
    drawn = st.integers(kind.minimum, kind.maximum) if kind.is_integer else \
        st.floats(width={16: 16, 32: 32, 64: 64}[kind.bits] if kind != BF16 else 32)
    return (st.sampled_from(edge_values(kind)) | drawn).map(lambda value: convert(value, kind))


@pytest.mark.parametrize("left, right", PAIRS, ids=str)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_operators(left: ScalarType, right: ScalarType, data):
    rows = data.draw(st.lists(st.tuples(numbers(left), numbers(right)), min_size=1, max_size=8))
    a, b = (list(column) for column in zip(*rows, strict=True))
    kind = result_type(left, right)
    ops = FLOAT_OPERATORS if kind.is_float else INTEGER_OPERATORS
    out = np.zeros((len(ops), len(a)), DTYPES[kind])
    truth = np.zeros((len(COMPARISONS), len(a)), np.bool_)
    *_, out, _ = check_same(compiled(left, right), 1, len(a), (array_of(a, left), array_of(b, right), out, truth))
    x, y = ([convert(value, kind) for value in column] for column in (a, b))
    for row, op in enumerate(ops):
        third = expected_floats(op, x, y, kind) if kind.is_float else expected_integers(op, x, y, kind)
        if kind.is_float:
            assert_close(out[row], array_of(third, kind), 0, op)
        else:
            assert values_of(out[row], kind) == third


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**63))
def test_programs(seed: int):
    program = random_program(seed)
    check_same(program.load(), 1, 1, program.arguments())
