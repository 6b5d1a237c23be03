"""What an index outside a surface does."""
from __future__ import annotations

from enum import IntEnum


class Boundary(IntEnum):
    """The clamp modes of ``suld`` and ``sust``."""

    TRAP = 0
    CLAMP = 1
    ZERO = 2
