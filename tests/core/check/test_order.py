"""Order of evaluation: every kernel runs as plain Python and compiled, and must give the same."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simt.core import InOut, fault, i32, kernel
from simt.core.errors import DeviceFault
from simt.core.kernel import Kernel
from simt.core.testing.differential import check_same


def bump(counts: InOut[i32]) -> i32:
    counts[0] += 1
    return counts[0]


@kernel
def operands(counts: InOut[i32], out: InOut[i32]):
    out[0] = counts[0] + 10 * bump(counts) + 100 * counts[0]
    out[1] = max(counts[0], bump(counts)) - min(counts[0], bump(counts), counts[0])
    first, second, third = counts[0], bump(counts), counts[0]
    out[2] = first + 10 * second + 100 * third


@kernel
def targets(counts: InOut[i32], out: InOut[i32]):
    out[bump(counts)] = bump(counts)
    out[bump(counts)] += bump(counts)
    out[counts[0]] += bump(counts)
    out[0] = out[1] = out[0] + 1
    i, out[i] = 3, 7
    out[5], out[6] = out[6], out[5]


@kernel
def comparisons(counts: InOut[i32], out: InOut[i32]):
    if counts[0] < bump(counts) < counts[0] + 1 < bump(counts) + 2:
        out[0] = 1
    if counts[0] > 100 and bump(counts) > 0 or bump(counts) > 0:
        out[1] = 1
    if not (counts[0] > 0 or bump(counts) > 0):
        out[2] = 1
    out[3] = counts[0] if bump(counts) > 3 else bump(counts)
    out[4] = counts[0]


@kernel
def closures(counts: InOut[i32], out: InOut[i32]):
    k = 1

    def scaled(value, weight=counts[0]):
        return value * k + 100 * weight

    k = 2
    out[0] = scaled(bump(counts))
    k = 3
    out[1] = scaled(bump(counts), counts[0])


@kernel
def loops(counts: InOut[i32], out: InOut[i32]):
    for i in range(bump(counts), counts[0] + 3):
        counts[0] += 1
        out[i] += counts[0]
    while bump(counts) < 12 and counts[0] > 5:
        out[7] += 1
    span = range(counts[0])
    counts[0] = 0
    for _ in span:
        out[6] += 1


@pytest.mark.parametrize("program", [operands, targets, comparisons, closures, loops], ids=lambda k: k.name)
def test_same_order_as_python(program: Kernel[Any]) -> None:  # Any: kernels of every signature
    check_same(program, 1, 1, [np.zeros(1, np.int32), np.arange(8, dtype=np.int32)])


@kernel
def asserting(counts: InOut[i32], limit: i32):
    assert counts[0] < limit, f"{bump(counts)}"


def test_a_message_is_evaluated_only_where_the_assertion_fails() -> None:
    counts = np.zeros(1, np.int32)
    asserting[1, 1](counts, 1)
    assert counts[0] == 0
    with pytest.raises(DeviceFault, match="1"):
        asserting[1, 1](counts, 0)
    assert counts[0] == 1


@kernel
def printing(counts: InOut[i32]):
    print(counts[0], bump(counts), f"{counts[0]} {bump(counts)}")
    if counts[0] != 2:
        fault("not twice")


def test_printed_values_are_evaluated_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    printing[1, 1](np.zeros(1, np.int32))
    assert capfd.readouterr().out == "0 1 1 2\n"
