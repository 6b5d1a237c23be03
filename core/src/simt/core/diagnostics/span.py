"""A region of user source."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A region of a source file; columns are 0-based UTF-8 byte offsets, lines 1-based, as ``ast`` counts them.

    ``call_site`` is the place of the call through which an inlined device function was reached.
    """

    filename: str
    line: int
    col: int
    end_line: int
    end_col: int
    call_site: Span | None = None
