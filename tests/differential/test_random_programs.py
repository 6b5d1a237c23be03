"""Random structured programs: the oracle and the CPU target must agree on every element."""
from __future__ import annotations

import pytest

from simt.core.testing.differential import check_same
from simt.core.testing.programs import random_program


def check(seed: int) -> None:
    program = random_program(seed)
    try:
        check_same(program.load(), 1, 1, program.arguments())
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n\n{program.text}") from error


@pytest.mark.parametrize("seed", range(100))
def test_program(seed: int):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1600, 100))
def test_many_programs(first: int):
    for seed in range(first, first + 100):
        check(seed)


def test_the_same_seed_writes_the_same_program():
    assert random_program(7).text == random_program(7).text
    assert random_program(7).text != random_program(8).text
