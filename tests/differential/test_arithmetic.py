"""Every operator on edge values of type pairs: the oracle, the CPU target, and Python integers or NumPy."""
from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np
import pytest

from simt.core.testing.differential import check_same
from simt.core.testing.program_writer import HEADER
from simt.core.testing.programs import kernel_from_text
from simt.core.types import Kind, ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import (
    BF16,
    BOOL,
    F16,
    F32,
    F64,
    FLOATS,
    I8,
    I16,
    I32,
    I64,
    I128,
    INTEGERS,
    U8,
    U16,
    U32,
    U64,
    U128,
)
from simt.core.values.numpy_types import DTYPES
from simt.core.values.rounding import round_float
from tests.differential.edges import array_of, edge_values, pairs, values_of

IMPORTS = "from simt.core import D2, Out, bf16, f16, i128, u128\nfrom simt.cuda_std import thread\n\n"
INTEGER_OPERATORS = ("+", "-", "*", "//", "%", "&", "|", "^", "min", "max")
FLOAT_OPERATORS = ("+", "-", "*", "/", "//", "%", "min", "max")
COMPARISONS = ("<", "<=", "==", "!=", ">=", ">")
PYTHON: dict[str, Callable] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor, "min": min, "max": max,
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}
NUMPY: dict[str, Callable] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "//": np.floor_divide, "%": np.remainder,
    "min": lambda a, b: np.where(b < a, b, a), "max": lambda a, b: np.where(b > a, b, a),
}
EVERY = (BOOL, *INTEGERS, *FLOATS)
COMMON = [
    (I32, I32), (I64, I64), (U8, U8), (U32, U32), (U64, U64), (I8, I8), (I128, I128), (U128, U128), (F32, F32),
    (F64, F64), (F16, F16), (BF16, BF16), (I32, U32), (U8, I16), (I64, I32), (U16, U32), (F32, F64), (F16, BF16),
    (F16, F32), (I32, F32), (F32, I64), (U64, F64), (BOOL, I8), (BOOL, F32), (BOOL, BOOL), (U64, I128),
]
OTHERS = [(a, b) for a in EVERY for b in EVERY if arithmetic_type(a, b) is not None and (a, b) not in COMMON]


def result_type(left: ScalarType, right: ScalarType) -> ScalarType:
    kind = arithmetic_type(left, right)
    assert kind is not None
    return I32 if kind == BOOL else kind


def kernel_text(left: ScalarType, right: ScalarType) -> str:
    kind = result_type(left, right)
    lines: list[str] = []
    for row, op in enumerate(FLOAT_OPERATORS if kind.is_float else INTEGER_OPERATORS):
        text = f"{op}(a, b)" if op in ("min", "max") else f"a {op} b"
        if kind.is_integer and op in ("//", "%"):
            lines.append("    if b != 0:")
            text = f"{text}"
            lines.append(f"        out[{row}, i] = {text}")
        else:
            lines.append(f"    out[{row}, i] = {text}")
    lines += [f"    truth[{row}, i] = a {op} b" for row, op in enumerate(COMPARISONS)]
    return "\n".join([
        HEADER, IMPORTS, "@kernel",
        f"def compute(x: In[{left}], y: In[{right}], out: Out[{kind}, D2], truth: Out[bool, D2]):",
        "    i = thread.index_1d()", "    a, b = x[i], y[i]", *lines, "",
    ])


def check_pair(left: ScalarType, right: ScalarType) -> None:
    kind = result_type(left, right)
    compute = kernel_from_text(kernel_text(left, right), "compute", f"operators of {left} and {right}")
    a, b = pairs(left, right)
    ops = FLOAT_OPERATORS if kind.is_float else INTEGER_OPERATORS
    out = np.zeros((len(ops), len(a)), DTYPES[kind])
    truth = np.zeros((len(COMPARISONS), len(a)), np.bool_)
    *_, out, truth = check_same(compute, len(a), 1, (array_of(a, left), array_of(b, right), out, truth))
    x, y = ([convert(value, kind) for value in column] for column in (a, b))
    for row, op in enumerate(ops):
        expected = expected_floats(op, x, y, kind) if kind.is_float else expected_integers(op, x, y, kind)
        for p, q, got, wanted in zip(x, y, values_of(out[row], kind), expected, strict=True):
            assert same(got, wanted), f"{left}({p!r}) {op} {right}({q!r}) is {got!r}, not {wanted!r}"
    for row, op in enumerate(COMPARISONS):
        assert truth[row].tolist() == [PYTHON[op](p, q) for p, q in zip(x, y, strict=True)], op


def convert(value: bool | int | float, kind: ScalarType) -> int | float:
    return round_float(float(value), kind) if kind.is_float else int(value)


def expected_integers(op: str, x: list, y: list, kind: ScalarType) -> list[int]:
    def one(p: int, q: int) -> int:
        exact = 0 if op in ("//", "%") and q == 0 else PYTHON[op](p, q)
        return (exact - kind.minimum) % 2**kind.bits + kind.minimum

    return [one(p, q) for p, q in zip(x, y, strict=True)]


def expected_floats(op: str, x: list, y: list, kind: ScalarType) -> list[float]:
    dtype = np.dtype(np.float32) if kind == BF16 else DTYPES[kind]
    with np.errstate(all="ignore"):
        result = NUMPY[op](np.array(x, dtype), np.array(y, dtype)).astype(np.float64).tolist()
    return [round_float(value, kind) for value in result]


def same(got: float, wanted: float) -> bool:
    if wanted != wanted:
        return got != got
    return got == wanted and (got != 0 or math.copysign(1, got) == math.copysign(1, wanted))


@pytest.mark.parametrize("left, right", COMMON, ids=lambda kind: str(kind))
def test_common_pairs(left: ScalarType, right: ScalarType):
    check_pair(left, right)


@pytest.mark.slow
@pytest.mark.parametrize("left, right", OTHERS, ids=lambda kind: str(kind))
def test_other_pairs(left: ScalarType, right: ScalarType):
    check_pair(left, right)


UNARY = """
@kernel
def unary(x: In[{kind}], out: Out[{kind}, D2], truth: Out[bool, D2]):
    i = thread.index_1d()
    a = x[i]
    out[0, i] = -a
    out[1, i] = abs(a)
    out[2, i] = a ** 3
    out[3, i] = +a
    {invert}
    truth[0, i] = not a
    truth[1, i] = bool(a)
"""


@pytest.mark.parametrize("kind", (*INTEGERS, *FLOATS), ids=str)
def test_unary(kind: ScalarType):
    text = HEADER + IMPORTS + UNARY.format(kind=kind, invert="" if kind.is_float else "out[4, i] = ~a")
    values = edge_values(kind)
    out = np.zeros((5, len(values)), DTYPES[kind])
    unary = kernel_from_text(text, "unary", f"unary operators of {kind}")
    truth = np.zeros((2, len(values)), np.bool_)
    _, out, truth = check_same(unary, len(values), 1, (array_of(values, kind), out, truth))
    assert truth[1].tolist() == [bool(value) for value in values]
    assert truth[0].tolist() == [not value for value in values]
    if kind.is_integer:
        wrap = lambda n: (n - kind.minimum) % 2**kind.bits + kind.minimum
        exact = [operator.neg, abs, lambda n: n**3, operator.pos, operator.invert]
        for row, function in enumerate(exact):
            assert values_of(out[row], kind) == [wrap(function(value)) for value in values]
    else:
        for row, function in enumerate((operator.neg, abs)):
            assert all(map(same, values_of(out[row], kind), map(function, values)))


SHIFTS = """
@kernel
def shifts(x: In[{left}], y: In[{right}], out: Out[{left}, D2]):
    i = thread.index_1d()
    out[0, i] = x[i] << y[i]
    out[1, i] = x[i] >> y[i]
    out[2, i] = x[i] << 3
    out[3, i] = x[i] >> 200
    out[4, i] = 1 << x[i]
"""


@pytest.mark.parametrize("left, right", [
    (I8, I8), (U8, I32), (I16, U8), (I32, I32), (U32, I64), (I64, I32), (U64, U64), (I128, U32), (U128, I128),
    (I32, U64),
], ids=str)
def test_shifts(left: ScalarType, right: ScalarType):
    text = HEADER + IMPORTS + SHIFTS.format(left=left, right=right)
    a, b = pairs(left, right)
    shifts = kernel_from_text(text, "shifts", f"shifts of {left} by {right}")
    *_, out = check_same(
        shifts, len(a), 1, (array_of(a, left), array_of(b, right), np.zeros((5, len(a)), DTYPES[left])),
    )

    def shifted(value: int, count: int) -> tuple[int, int]:
        gone = -1 if value < 0 else 0
        if not 0 <= count < left.bits:
            return 0, gone
        return (value << count) & (2**left.bits - 1), value >> count

    for row, counts in enumerate((b, b, [3] * len(a), [200] * len(a))):
        for value, count, got in zip(a, counts, values_of(out[row], left), strict=True):
            wanted = shifted(value, count)[row % 2]
            assert got % 2**left.bits == wanted % 2**left.bits, (value, count)
    for count, got in zip(a, values_of(out[4], left), strict=True):
        assert got % 2**left.bits == shifted(1, count)[0]


def test_kinds_are_covered():
    assert {kind.kind for pair in COMMON for kind in pair} == {Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT}
