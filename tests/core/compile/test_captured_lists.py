"""Captured lists that change in place between launches."""
from __future__ import annotations

import numpy as np

from simt.core import Out, f32, kernel

FACTORS = [1.0, 2.0]
NESTED = ([3.0],)


@kernel
def store(out: Out[f32]):
    out[0] = FACTORS[0]
    out[1] = NESTED[0][0]
    out[2] = len(FACTORS)


def launched() -> list[float]:
    out = np.zeros(3, np.float32)
    store[1, 1](out)
    return out.tolist()


def test_a_changed_list_compiles_again():
    assert launched() == [1.0, 3.0, 2.0]
    FACTORS[0] = 5.0
    assert launched() == [5.0, 3.0, 2.0]
    NESTED[0][0] = 7.0
    assert launched() == [5.0, 7.0, 2.0]
    FACTORS.append(9.0)
    assert launched() == [5.0, 7.0, 3.0]
