"""Keys of compile-time values: equal only where the code would be the same."""
from __future__ import annotations

from types import CellType, FunctionType
from typing import cast

import numpy as np

from simt.core.values.scalar import Scalar


def constant_key(value: object) -> object:
    """A hashable that tells compile-time values apart: by type, floats by bits, functions by code and captures."""
    match value:
        case np.generic():
            return type(cast("object", value)), value.tobytes()
        case Scalar():
            return type(value), constant_key(value.payload)
        case float():
            return float, value.hex()
        case complex():
            return complex, value.real.hex(), value.imag.hex()
        case tuple():
            return tuple, tuple(constant_key(item) for item in cast("tuple[object, ...]", value))
        case FunctionType():
            captured = tuple(_cell_key(cell) for cell in value.__closure__ or ())
            defaults = constant_key(value.__defaults__), constant_key(tuple((value.__kwdefaults__ or {}).items()))
            return FunctionType, value.__code__, _Same(value.__globals__), captured, defaults
        case _:
            return _hashable(value)


def _cell_key(cell: CellType) -> object:
    try:
        return constant_key(cell.cell_contents)
    except ValueError:  # not assigned yet
        return None


class _Same:
    """Equal to itself for one object only, which it keeps alive so that no other takes its identity."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def _hashable(value: object) -> object:
    try:
        hash(value)
    except TypeError:
        return _Same(value)
    return type(value), value
