"""Array views: a pointer with a shape and, where declared, strides."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from simt.core.types.address_space import AddressSpace

if TYPE_CHECKING:
    from simt.core.types import Type


class Access(StrEnum):
    """What a kernel may do with the elements, and what it promises."""

    IN = "In"
    OUT = "Out"
    INOUT = "InOut"
    DISJOINT_OUT = "DisjointOut"

    @property
    def writable(self) -> bool:
        return self is not Access.IN


@dataclass(frozen=True, slots=True)
class ArrayType:
    """A view of ``element`` values.

    ``shape`` has one entry an axis: an extent known at compile time, or None where it is a run-time value (i64).
    C-contiguous unless ``strided``; then one run-time stride (elements, i64, may be negative) an axis follows.
    """

    element: Type
    shape: tuple[int | None, ...]
    access: Access
    space: AddressSpace = AddressSpace.GLOBAL
    strided: bool = False

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __str__(self) -> str:
        shape = ", ".join(":" if extent is None else str(extent) for extent in self.shape)
        marks = ", strided" if self.strided else ""
        where = "" if self.space is AddressSpace.GLOBAL else f", {self.space}"
        return f"{self.access}[{self.element}, ({shape}){marks}{where}]"
