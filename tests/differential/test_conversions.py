"""Explicit conversions between all real scalar types: the oracle, the CPU target, and the rules written again."""
from __future__ import annotations

import math
from fractions import Fraction

import pytest

from simt.core.testing.differential import check_same
from simt.core.testing.program_writer import HEADER
from simt.core.testing.programs import kernel_from_text
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BOOL, FLOATS, INTEGERS
from simt.core.values.rounding import FORMATS
from tests.differential.edges import array_of, edge_values, values_of

TYPES = (BOOL, *INTEGERS, *FLOATS)


def written_again(value: bool | int | float, target: ScalarType) -> bool | int | float:
    """The conversion rules in other words: exact rationals, and counting from the range's minimum."""
    if target == BOOL:
        return value != 0
    if target.is_integer:
        if isinstance(value, float):
            if math.isnan(value):
                return 0
            return int(max(min(value, float(target.maximum)), float(target.minimum))) if abs(value) < 2.0**20 else \
                target.maximum if value >= target.maximum else target.minimum if value <= target.minimum else int(value)
        return (int(value) - target.minimum) % 2**target.bits + target.minimum
    if isinstance(value, float) and not math.isfinite(value):
        return value
    return nearest(Fraction(value), target, math.copysign(1, value) if isinstance(value, float) else 1)


def nearest(exact: Fraction, target: ScalarType, sign: float) -> float:
    """Rounding to nearest even by scaling the exact rational to an integer number of units."""
    form = FORMATS[target]
    if exact == 0:
        return math.copysign(0.0, sign)
    exponent = form.least
    while abs(exact) >= Fraction(2) ** (exponent + form.precision):
        exponent += 1
    units = round(exact / Fraction(2) ** exponent)  # Fraction rounds half to even
    if abs(units * Fraction(2) ** exponent) >= Fraction(2) ** form.limit:
        return math.copysign(math.inf, exact)
    return math.copysign(float(units * Fraction(2) ** exponent), exact)


def kernel_text(source: ScalarType) -> str:
    outputs = ", ".join(f"o_{target}: Out[{target}]" for target in TYPES)
    lines = [f"    o_{target}[i] = {target}(x[i])" for target in TYPES]
    return "\n".join([
        HEADER, "from simt.core import Out, bf16, f16, i128, u128", "from simt.cuda_std import thread", "", "",
        "@kernel", f"def convert(x: In[{source}], {outputs}):", "    i = thread.index_1d()", *lines, "",
    ])


@pytest.mark.parametrize("source", TYPES, ids=str)
def test_to_every_type(source: ScalarType):
    values = edge_values(source)
    convert = kernel_from_text(kernel_text(source), "convert", f"conversions of {source}")
    outputs = [array_of([0] * len(values), target) for target in TYPES]
    _, *found = check_same(convert, 1, len(values), (array_of(values, source), *outputs))
    for target, column in zip(TYPES, found, strict=True):
        for value, got in zip(values, values_of(column, target), strict=True):
            wanted = written_again(value, target)
            same = got == wanted and (got != 0 or math.copysign(1, got) == math.copysign(1, wanted))
            both_nan = got != got and wanted != wanted
            assert same or both_nan, f"{target}({source}({value!r})) is {got!r}, not {wanted!r}"


def test_the_kinds_are_complete():
    assert {kind.kind for kind in TYPES} == {Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT}
