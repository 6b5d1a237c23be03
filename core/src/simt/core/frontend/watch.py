"""Whether the values that a compiled kernel was made from are still the same, cheap enough for every launch."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import is_not
from types import CellType, FunctionType
from typing import Any, Final

import numpy as np


class Missing:
    """The type of ``MISSING``."""


MISSING: Final = Missing()
"""Stands for a name that had no value: kernels see a change when it gets one."""

Array = np.ndarray[Any, np.dtype[Any]]  # Any: captured arrays have any shape and dtype
Lookup = tuple[Mapping[str, object], str, object]
Cell = tuple[CellType, object]
Function = tuple[FunctionType, object, object, object]
Attribute = tuple[object, str, object]
Items = tuple[object, ...]


@dataclass(slots=True, repr=False)
class Watch:
    """Places and what they held. Compared by identity, but for what may change in place, which has its content kept.

    ``lookups``: a namespace, a name, its value or ``MISSING``. ``cells``: closure cells. ``functions``: with their
    code and defaults, which tools that reload modules replace. ``attributes``: of objects that compute them, compared
    as text where they are new objects each time. ``arrays``: writable arrays. ``lists``: with the items they had.
    """

    lookups: list[Lookup] = field(default_factory=list[Lookup])
    cells: list[Cell] = field(default_factory=list[Cell])
    functions: list[Function] = field(default_factory=list[Function])
    attributes: list[Attribute] = field(default_factory=list[Attribute])
    arrays: list[tuple[Array, bytes]] = field(default_factory=list[tuple[Array, bytes]])
    lists: list[tuple[list[object], Items]] = field(default_factory=list[tuple[list[object], Items]])

    def changed(self) -> bool:
        """Whether anything is no longer what it was."""
        for namespace, name, value in self.lookups:
            if namespace.get(name, MISSING) is not value:
                return True
        for cell, value in self.cells:
            if cell_value(cell) is not value:
                return True
        for function, code, defaults, keyword_defaults in self.functions:
            if (
                function.__code__ is not code or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not keyword_defaults
            ):
                return True
        for owner, name, value in self.attributes:
            found = getattr(owner, name, MISSING)
            if found is not value and (type(found) is not type(value) or repr(found) != repr(value)):
                return True
        for found_list, items in self.lists:
            if len(found_list) != len(items) or any(map(is_not, found_list, items)):
                return True
        for array, content in self.arrays:
            if array.tobytes() != content:
                return True
        return False


def cell_value(cell: CellType) -> object:
    """What a closure cell holds, or ``MISSING`` where the enclosing function has not assigned the name yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING
