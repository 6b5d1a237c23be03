"""Random kernels whose threads meet: the oracle and the CPU target must agree, however the kernel was split."""
from __future__ import annotations

import pytest

from simt.core.testing.cooperative_programs import cooperative_program
from simt.core.testing.differential import check_same


def check(seed: int) -> None:
    program = cooperative_program(seed)
    try:
        check_same(program.load(), 1, program.threads, program.arguments())
    except Exception as error:
        raise AssertionError(f"seed {seed}, {program.threads} threads: {error}\n\n{program.text}") from error


@pytest.mark.parametrize("seed", range(12))
def test_program(seed: int):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1300, 50))
def test_many_programs(first: int):
    for seed in range(first, first + 50):
        check(seed)
