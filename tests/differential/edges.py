"""Values of each scalar type where arithmetic goes wrong, and arrays of them."""
from __future__ import annotations

import itertools
import math

import numpy as np

from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, BOOL
from simt.core.values.numpy_types import DTYPES
from simt.core.values.rounding import bits_of_float, float_of_bits, round_float

_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.0, -7.0, 0.1, 255.5, 65504.0, 1e-7, 6e-39, 1e30, -1e30, 2.0**31,
           2.0**63, -(2.0**63), 1.5e308, math.inf, -math.inf, math.nan)


def edge_values(kind: ScalarType) -> list[bool | int | float]:
    """Edge values of a bool, integer or float type, without doubles."""
    if kind == BOOL:
        return [False, True]
    if kind.is_float:
        return list({bits_of_float(value, kind): value for value in (round_float(f, kind) for f in _FLOATS)}.values())
    numbers = {0, 1, 2, 3, 7, 31, 64, -1, -2, -3, -7, kind.minimum, kind.minimum + 1, kind.maximum, kind.maximum - 1,
               1 << kind.bits // 2}
    return sorted(n for n in numbers if kind.minimum <= n <= kind.maximum)


def array_of(values: list[bool | int | float], kind: ScalarType) -> np.ndarray:
    """A NumPy array of the type's dtype."""
    dtype = DTYPES[kind]
    if kind == BF16:
        return np.array([(bits_of_float(float(value), kind),) for value in values], dtype)
    if kind.bits == 128:
        return np.frombuffer(b"".join((int(n) % 2**128).to_bytes(16, "little") for n in values), dtype).copy()
    return np.array(values, dtype)


def values_of(array: np.ndarray, kind: ScalarType) -> list[bool | int | float]:
    """The Python numbers in such an array."""
    flat = array.reshape(-1)
    if kind == BF16:
        return [float_of_bits(int(pattern), kind) for pattern in flat["bf16"]]
    if kind.bits == 128:
        return [int(low) + (int(high) << 64) for low, high in zip(flat["low"], flat["high"], strict=True)]
    return flat.tolist()


def pairs(left: ScalarType, right: ScalarType) -> tuple[list[bool | int | float], list[bool | int | float]]:
    """Every pair of edge values, as two columns."""
    columns = list(zip(*itertools.product(edge_values(left), edge_values(right)), strict=True))
    return list(columns[0]), list(columns[1])
