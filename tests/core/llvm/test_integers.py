"""Integer arithmetic against Python's own integers, over edge values and drawn ones."""
from __future__ import annotations

import functools
import operator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BOOL, INTEGERS
from tests.core.llvm import build
from tests.core.llvm.elementwise import elementwise, run, wrap


def _shift_left(a: int, count: int, t: ScalarType) -> int:
    return wrap(a << count, t) if 0 <= count < t.bits else 0


def _shift_right(a: int, count: int, t: ScalarType) -> int:
    if 0 <= count < t.bits:
        return a >> count
    return -1 if a < 0 else 0


PLAIN = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "min": min, "max": max,
}
COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}


def edges(t: ScalarType) -> list[int]:
    around = [t.minimum, t.maximum, 0, 1 << (t.bits - 2), t.bits]
    nearby = {value + delta for value in around for delta in (-2, -1, 0, 1, 2)} | {7, -7, 100, -100}
    return sorted(value for value in nearby if t.minimum <= value <= t.maximum)


def expected(op: str, a: int, b: int, t: ScalarType) -> int:
    if op == "<<":
        return _shift_left(a, b, t)
    return _shift_right(a, b, t) if op == ">>" else wrap(PLAIN[op](a, b), t)


@functools.cache
def compiled(op: str, t: ScalarType):
    return elementwise(lambda a, b: build.binary(op, a, b), (t, t), t)


def check(op: str, t: ScalarType, pairs: list[tuple[int, int]]) -> None:
    if op in ("//", "%"):
        pairs = [(a, b) for a, b in pairs if b]
    got = run(compiled(op, t), [(t, [a for a, _ in pairs]), (t, [b for _, b in pairs])], t)
    assert got == [expected(op, a, b, t) for a, b in pairs]


@pytest.mark.parametrize("op", [*PLAIN, "<<", ">>"])
@pytest.mark.parametrize("t", INTEGERS, ids=str)
def test_binary_at_the_edges(op: str, t: ScalarType) -> None:
    check(op, t, list(product(edges(t), repeat=2)))


@pytest.mark.parametrize("op", ["//", "%", "*", "<<", ">>"])
@pytest.mark.parametrize("t", [t for t in INTEGERS if t.bits >= 64], ids=str)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_binary_on_drawn_values(op: str, t: ScalarType, data: st.DataObject) -> None:
    # A draw of bits, then of how many to keep, so that all magnitudes appear.
    value = st.builds(
        lambda bits, keep: wrap(bits >> keep, t), st.integers(0, (1 << t.bits) - 1), st.integers(0, t.bits - 1)
    )
    signed = st.builds(lambda v, minus: wrap(-v, t) if minus else v, value, st.booleans())
    check(op, t, data.draw(st.lists(st.tuples(signed, signed), min_size=200, max_size=200)))


@pytest.mark.parametrize("t", INTEGERS, ids=str)
@pytest.mark.parametrize("divisor", [1, 2, 3, 7, 16, 64, -1, -2, -3, -64])
def test_constant_divisors(t: ScalarType, divisor: int) -> None:
    if divisor < t.minimum:
        return
    for op in ("//", "%"):
        code = elementwise(lambda a, op=op: build.binary(op, a, build.const(t, divisor)), (t,), t)
        values = edges(t)
        assert run(code, [(t, values)], t) == [expected(op, a, divisor, t) for a in values]


@pytest.mark.parametrize("t", (BOOL, *INTEGERS), ids=str)
@pytest.mark.parametrize("op", COMPARISONS)
def test_comparisons(op: str, t: ScalarType) -> None:
    values = [False, True] if t == BOOL else edges(t)
    pairs = list(product(values, repeat=2))
    code = elementwise(lambda a, b: build.compare(op, a, b), (t, t), BOOL)
    got = run(code, [(t, [a for a, _ in pairs]), (t, [b for _, b in pairs])], BOOL)
    assert got == [COMPARISONS[op](a, b) for a, b in pairs]


@pytest.mark.parametrize("t", INTEGERS, ids=str)
def test_unary(t: ScalarType) -> None:
    values = edges(t)
    for op, meaning in {"-": operator.neg, "~": operator.invert}.items():
        code = elementwise(lambda a, op=op: build.unary(op, a), (t,), t)
        assert run(code, [(t, values)], t) == [wrap(meaning(a), t) for a in values]
    code = elementwise(lambda a: build.unary("not", a), (t,), BOOL)
    assert run(code, [(t, values)], BOOL) == [not a for a in values]


@pytest.mark.parametrize("source", (BOOL, *INTEGERS), ids=str)
@pytest.mark.parametrize("target", (BOOL, *INTEGERS), ids=str)
def test_conversions_wrap(source: ScalarType, target: ScalarType) -> None:
    values = [False, True] if source == BOOL else edges(source)
    code = elementwise(lambda a: build.convert(a, target), (source,), target)
    want = [bool(a) if target.kind is Kind.BOOL else wrap(int(a), target) for a in values]
    assert run(code, [(source, values)], target) == want
