"""Types made of several values: structs with C layout, tuples, and small vectors."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simt.core.types.scalar import ScalarType

if TYPE_CHECKING:
    from simt.core.types import Type


@dataclass(frozen=True, slots=True)
class Field:
    """One member of a struct."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class StructType:
    """A decorated class. ``qualname`` tells apart two structs of the same name; ``python_class`` is not compared."""

    name: str
    qualname: str
    fields: tuple[Field, ...]

    def __str__(self) -> str:
        return self.name

    def index_of(self, name: str) -> int | None:
        """Position of the field called ``name``, or None."""
        return next((i for i, field in enumerate(self.fields) if field.name == name), None)


@dataclass(frozen=True, slots=True)
class TupleType:
    """A tuple of known length; element types may differ."""

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.elements))}]"


@dataclass(frozen=True, slots=True)
class VectorType:
    """2, 3 or 4 scalars that load and store as one access where aligned (``f32x4``)."""

    element: ScalarType
    lanes: int

    def __str__(self) -> str:
        return f"{self.element}x{self.lanes}"
