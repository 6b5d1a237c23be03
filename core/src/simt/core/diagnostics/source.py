"""Lines of user source, for carets: from files, notebooks and importers through ``linecache``, or as remembered here.

Python up to 3.12 keeps no text of a REPL line or of ``-c``, and later versions keep it by code object, not by file
name. What the front end could read that way it remembers here, so that diagnostics can show it.
"""
from __future__ import annotations

import linecache

from simt.core.diagnostics.span import Span

_REMEMBERED: dict[str, list[str]] = {}


def remember_lines(filename: str, lines: list[str]) -> None:
    """Keep the text of a source that ``linecache`` cannot find by name. A later call for the same name replaces it."""
    _REMEMBERED[filename] = lines


def source_line(filename: str, line: int) -> str | None:
    """Line ``line`` (from 1) without its line end, or None where the source or the line cannot be had."""
    text = linecache.getline(filename, line)
    if not text:
        lines = _REMEMBERED.get(filename, [])
        text = lines[line - 1] if 0 < line <= len(lines) else ""
    return text.rstrip("\r\n") if text else None


def source_text(span: Span) -> str | None:
    """What the span covers, lines joined by single spaces, or None where the source cannot be had."""
    pieces: list[str] = []
    for line in range(span.line, span.end_line + 1):
        text = source_line(span.filename, line)
        if text is None:
            return None
        start = span.col if line == span.line else 0
        end = span.end_col if line == span.end_line else None
        pieces.append(text.encode()[start:end].decode(errors="ignore").strip())
    return " ".join(piece for piece in pieces if piece)


def column(span: Span) -> int:
    """The first column of the span in characters, from 1, as editors count."""
    text = source_line(span.filename, span.line)
    return 1 + (span.col if text is None else len(text.encode()[: span.col].decode(errors="ignore")))
