"""Captured tuples of numbers: with a constant index a literal, with a run-time index a value of their common type."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simt.core.types import ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.values.literal import default_type, fit
from simt.core.values.operators import holding, operand_of
from simt.core.values.payload import convert
from simt.core.values.scalar import Scalar


class HostTable(tuple[Any, ...]):
    """A tuple that a scalar value indexes as a kernel does: bounds are checked, and the element is typed."""

    kind: ScalarType

    def __getitem__(self, index: Any, /) -> Any:  # Any: numbers of any type
        value = super().__getitem__(index)
        if not isinstance(index, Scalar):
            return value
        if index < 0:
            raise IndexError(f"index {index} is outside a tuple of {len(self)}")
        operand = operand_of(value)
        assert operand is not None
        payload = fit(operand.payload, self.kind) if operand.type is None else convert(operand.payload, self.kind)
        return holding(payload, self.kind)


def host_table(values: Iterable[object]) -> HostTable | None:
    """The table of these numbers, or None where they have no common type."""
    table = HostTable(values)
    common: ScalarType | None = None
    for value in table:
        operand = operand_of(value)
        if operand is None:
            return None
        kind = operand.type or default_type(operand.payload)
        met = kind if common is None else arithmetic_type(common, kind)
        if met is None:
            return None
        common = met
    if common is None:
        return None
    table.kind = common
    return table
