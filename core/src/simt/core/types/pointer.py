"""Pointers with an address space."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simt.core.types.address_space import AddressSpace

if TYPE_CHECKING:
    from simt.core.types import Type


@dataclass(frozen=True, slots=True)
class PointerType:
    """Address of ``element`` values in ``space``."""

    element: Type
    space: AddressSpace = AddressSpace.GLOBAL

    def __str__(self) -> str:
        return f"Ptr[{self.element}, {self.space}]"
