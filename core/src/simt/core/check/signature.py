"""What a kernel is specialised for."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.types import Type


@dataclass(frozen=True, slots=True)
class Constant:
    """The value of a compile-time argument: a number, bool, enum member, type, function or tuple of those."""

    value: object

    def __str__(self) -> str:
        return f"{self.value!r}"


@dataclass(frozen=True, slots=True)
class Signature:
    """One entry a Python parameter, in order, defaults filled in.

    ``small``: every array has fewer than 2**30 elements and the grid fewer than 2**30 threads, so that index
    arithmetic may be done in 32 bits where its value is an index.
    """

    arguments: tuple[Type | Constant, ...]
    small: bool = True

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.arguments))})"
