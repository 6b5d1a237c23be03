"""Floating-point and complex arithmetic and conversions, against the host's scalars, NumPy and exact fractions."""
from __future__ import annotations

import math
import random
import struct
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from simt.core.types import Kind, ScalarType
from simt.core.types.conversion import SIGNIFICAND_BITS
from simt.core.types.scalar import BF16, BOOL, C64, C128, COMPLEXES, F16, F32, F64, FLOATS, I64, I128, INTEGERS
from simt.core.values.float_arithmetic import complex_binary, float_binary
from tests.core.llvm import build
from tests.core.llvm.elementwise import decode, elementwise, run

HIGHEST = {F16: 15, BF16: 127, F32: 127, F64: 1023}


def nearest(value: Fraction | float, t: ScalarType) -> float:
    """The value of ``t`` nearest to an exact number, ties to even: from the definition, in rationals."""
    if isinstance(value, float) and (not math.isfinite(value) or value == 0):
        return value
    exact, precision = Fraction(value), SIGNIFICAND_BITS[t]
    if exact == 0:
        return 0.0
    exponent = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
    exponent += (Fraction(2) ** (exponent + 1) <= abs(exact)) - (Fraction(2) ** exponent > abs(exact))
    quantum = Fraction(2) ** (max(exponent, 1 - HIGHEST[t]) - precision + 1)
    rounded = round(exact / quantum) * quantum
    if abs(rounded) >= Fraction(2) ** (HIGHEST[t] + 1):
        return math.inf if exact > 0 else -math.inf
    return math.copysign(float(rounded), exact)


def edges(t: ScalarType) -> list[float]:
    precision, top = SIGNIFICAND_BITS[t], HIGHEST[t]
    largest = (2.0 - 2.0 ** (1 - precision)) * 2.0**top
    tiny, normal = 2.0 ** (2 - precision - top), 2.0 ** (1 - top)
    after_one = 1 + 2.0 ** (1 - precision)
    positive = [0.0, tiny, normal, 0.1, 0.5, 1.0, after_one, 1.5, 2.5, 3.0, 7.0, 100.0, largest, math.inf]
    return [nearest(sign * value, t) for value in positive for sign in (1.0, -1.0)] + [math.nan]


def drawn(t: ScalarType, count: int, seed: int) -> list[float]:
    """Random bit patterns."""
    source = random.Random(seed)
    return [decode(source.getrandbits(t.bits).to_bytes(t.bits // 8, "little"), t) for _ in range(count)]


def same(a: object, b: object) -> bool:
    """Equal with the sign of zero; NaN is NaN."""
    if isinstance(a, complex) and isinstance(b, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    assert isinstance(a, float) and isinstance(b, float)
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


def check(got: list[object], want: list[object], inputs: list[object]) -> None:
    wrong = [(i, g, w) for i, g, w in zip(inputs, got, want, strict=True) if not same(g, w)]
    assert not wrong, f"{len(wrong)} of {len(got)} differ (inputs, got, expected): {wrong[:5]}"


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "//", "%", "min", "max"])
@pytest.mark.parametrize("t", FLOATS, ids=str)
def test_binary(op: str, t: ScalarType) -> None:
    pairs = list(product(edges(t), repeat=2)) + list(zip(drawn(t, 300, 1), drawn(t, 300, 2), strict=True))
    code = elementwise(lambda a, b: build.binary(op, a, b), (t, t), t)
    got = run(code, [(t, [a for a, _ in pairs]), (t, [b for _, b in pairs])], t)
    if op == "min":
        want = [b if b < a else a for a, b in pairs]
    elif op == "max":
        want = [b if b > a else a for a, b in pairs]
    else:
        want = [float_binary(op, a, b, t) for a, b in pairs]
    check(got, want, pairs)


@pytest.mark.parametrize("op", ["+", "-", "*", "/"])
@pytest.mark.parametrize("t", FLOATS, ids=str)
def test_finite_results_are_the_exact_ones_rounded_once(op: str, t: ScalarType) -> None:
    finite = [x for x in edges(t) + drawn(t, 60, 3) if math.isfinite(x)]
    pairs = [(a, b) for a, b in zip(finite, reversed(finite), strict=True) if not (op == "/" and b == 0)]
    code = elementwise(lambda a, b: build.binary(op, a, b), (t, t), t)
    got = run(code, [(t, [a for a, _ in pairs]), (t, [b for _, b in pairs])], t)
    exact = {"+": Fraction.__add__, "-": Fraction.__sub__, "*": Fraction.__mul__, "/": Fraction.__truediv__}[op]
    assert [g + 0.0 for g in got] == [nearest(exact(Fraction(a), Fraction(b)), t) + 0.0 for a, b in pairs]


def test_floor_division_is_pythons() -> None:
    pairs = [(a, b) for a, b in product(edges(F64), repeat=2) if b != 0 and not math.isnan(b)]
    for op, meaning in {"//": float.__floordiv__, "%": float.__mod__}.items():
        code = elementwise(lambda a, b, op=op: build.binary(op, a, b), (F64, F64), F64)
        check(run(code, [(F64, [a for a, _ in pairs]), (F64, [b for _, b in pairs])], F64),
              [meaning(a, b) for a, b in pairs], pairs)


@pytest.mark.parametrize("t", FLOATS, ids=str)
def test_comparisons_and_truth(t: ScalarType) -> None:
    pairs = list(product(edges(t), repeat=2))
    columns = [(t, [a for a, _ in pairs]), (t, [b for _, b in pairs])]
    for op in ("==", "!=", "<", "<=", ">", ">="):
        code = elementwise(lambda a, b, op=op: build.compare(op, a, b), (t, t), BOOL)
        assert run(code, columns, BOOL) == [eval(f"a {op} b", {"a": a, "b": b}) for a, b in pairs]
    code = elementwise(lambda a: build.convert(a, BOOL), (t,), BOOL)
    assert run(code, [(t, edges(t))], BOOL) == [bool(a) for a in edges(t)]
    code = elementwise(lambda a: build.unary("-", a), (t,), t)
    check(run(code, [(t, edges(t))], t), [-a for a in edges(t)], edges(t))


@pytest.mark.parametrize("source", FLOATS, ids=str)
@pytest.mark.parametrize("target", FLOATS, ids=str)
def test_float_to_float_rounds_once(source: ScalarType, target: ScalarType) -> None:
    values = edges(source) + drawn(source, 300, 4)
    if source.bits > target.bits:  # ties of the target, and values next to them
        ties = [m + 0.5 for m in range(2 ** (SIGNIFICAND_BITS[target] - 1), 2 ** (SIGNIFICAND_BITS[target] - 1) + 4)]
        values += [nearest(m * (1 + d), source) for m in ties for d in (0, 2.0**-50, -(2.0**-50), 2.0**-20)]
    code = elementwise(lambda a: build.convert(a, target), (source,), target)
    check(run(code, [(source, values)], target), [nearest(x, target) for x in values], values)


@pytest.mark.parametrize("source", INTEGERS, ids=str)
@pytest.mark.parametrize("target", FLOATS, ids=str)
def test_integer_to_float_rounds_once(source: ScalarType, target: ScalarType) -> None:
    precision = SIGNIFICAND_BITS[target]
    values = {source.minimum, source.maximum, 0, 1, 5}
    for shift in range(max(0, source.bits - precision)):
        for near in (-1, 0, 1):  # ties at every exponent
            values |= {sign * ((((1 << precision) + 1) << shift) + near) for sign in (1, -1)}
    kept = sorted(value for value in values if source.minimum <= value <= source.maximum)
    code = elementwise(lambda a: build.convert(a, target), (source,), target)
    check(run(code, [(source, kept)], target), [nearest(Fraction(x), target) for x in kept], kept)


@pytest.mark.parametrize("source", FLOATS, ids=str)
@pytest.mark.parametrize("target", INTEGERS, ids=str)
def test_float_to_integer_saturates(source: ScalarType, target: ScalarType) -> None:
    half = 2.0 ** (target.bits - 1)
    limits = [float(target.maximum) if target.bits < 128 else 2.0**126, half, -half]
    values = edges(source) + drawn(source, 200, 5) + [nearest(x * s, source) for x in limits for s in (1, 0.999, 1.001)]
    code = elementwise(lambda a: build.convert(a, target), (source,), target)

    def saturated(x: float) -> int:
        if math.isnan(x):
            return 0
        if math.isinf(x):
            return target.maximum if x > 0 else target.minimum
        return min(max(int(x), target.minimum), target.maximum)

    assert run(code, [(source, values)], target) == [saturated(x) for x in values]


@pytest.mark.parametrize("op", ["+", "-", "*", "/"])
@pytest.mark.parametrize("t", COMPLEXES, ids=str)
def test_complex(op: str, t: ScalarType) -> None:
    parts = [nearest(x, t.component) for x in (0.0, -0.0, 1.0, -2.5, 1e30, 3e-30, math.inf, math.nan)]
    numbers = [complex(a, b) for a, b in product(parts, repeat=2)]
    pairs = list(product(numbers, repeat=2))
    code = elementwise(lambda a, b: build.binary(op, a, b), (t, t), t)
    got = run(code, [(t, [a for a, _ in pairs]), (t, [b for _, b in pairs])], t)
    check(got, [complex_binary(op, a, b, t) for a, b in pairs], pairs)


def test_complex_division_is_pythons() -> None:
    numbers = [complex(a, b) for a, b in product((1.0, -2.5, 1e300, 3e-300, 7.25), repeat=2)]
    pairs = list(product(numbers, repeat=2))
    code = elementwise(lambda a, b: build.binary("/", a, b), (C128, C128), C128)
    got = run(code, [(C128, [a for a, _ in pairs]), (C128, [b for _, b in pairs])], C128)
    check(got, [a / b for a, b in pairs], pairs)


@pytest.mark.parametrize("source", [F32, F64, I64, BOOL, C64], ids=str)
def test_real_to_complex(source: ScalarType) -> None:
    values = {Kind.BOOL: [True, False], Kind.COMPLEX: [1 + 2j, -0.5j]}.get(source.kind, [1, -3, 0])
    code = elementwise(lambda a: build.convert(a, C128), (source,), C128)
    assert run(code, [(source, values)], C128) == [complex(x) for x in values]


def test_constants_are_rounded_once() -> None:
    for t, literal in product(FLOATS, (0.1, 1 / 3, 1e300, -1e-300, 16777217, 2**53 + 1, 65520, math.inf)):
        code = elementwise(lambda a, t=t, x=literal: build.const(t, x), (t,), t)
        exact = Fraction(literal) if math.isfinite(literal) else literal
        check(run(code, [(t, [0.0])], t), [nearest(exact, t)], [literal])


def test_bits_as_another_type() -> None:
    from simt.core.check import tir

    values = edges(F32)
    u32 = ScalarType("u32", Kind.UNSIGNED, 32)
    code = elementwise(lambda a: tir.Bitcast(span=build.HERE, type=u32, value=a), (F32,), u32)
    assert run(code, [(F32, values)], u32) == [struct.unpack("<I", struct.pack("<f", x))[0] for x in values]
    code = elementwise(lambda a: tir.Bitcast(span=build.HERE, type=I128, value=a), (C128,), I128)
    want = [int.from_bytes(np.array([1 + 2j]).tobytes(), "little")]
    assert run(code, [(C128, [1 + 2j])], I128) == want
