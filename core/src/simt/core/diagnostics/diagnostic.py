"""Diagnostics are values; only ``render`` makes text of them."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from simt.core.diagnostics.span import Span


class Severity(StrEnum):
    """An error stops compilation; a warning is reported once and compilation goes on."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A region with a few words about it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One report. ``code`` is a key of ``codes.CODES``; ``help`` is what to write instead."""

    code: str
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    help: str | None = None
    severity: Severity = Severity.ERROR
