"""Fault sites: what the compiled code knows about each place that can fail, kept with the compiled object.

At run time a failing thread writes the number of its site and up to ``MAXIMUM_VALUES`` values of 64 bits; the host
finds everything else in the table of sites.
"""
from __future__ import annotations

import linecache
from dataclasses import dataclass, field
from enum import StrEnum

from simt.core.diagnostics.span import Span
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BOOL, F64, I64, U64

MAXIMUM_VALUES = 8


class FaultKind(StrEnum):
    """What went wrong."""

    ASSERTION = "assertion"
    OUT_OF_BOUNDS = "out-of-bounds"
    MISALIGNED = "misaligned"
    UNINITIALISED_READ = "uninitialised-shared-read"
    DIVISION_BY_ZERO = "division-by-zero"
    DIVERGENT_BARRIER = "divergent-barrier"
    DEADLOCK = "deadlock"
    RACE = "race"
    ZERO_STEP = "zero-step"


@dataclass(frozen=True, slots=True)
class SiteValue:
    """One recorded value. ``type`` (i64, u64, f64 or bool) says how to read its 64 bits."""

    name: str
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Piece:
    """A recorded value inside an assertion's message: its position among the values, and its format specification.

    A complex number takes two positions, ``value`` and the next. Positions past the recorded values were not kept.
    """

    value: int
    format: str
    is_complex: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place that can fail. ``expression`` is its text, such as ``x[i]``; ``message`` an assertion's own words."""

    kind: FaultKind
    span: Span
    expression: str
    values: tuple[SiteValue, ...] = ()
    message: tuple[str | Piece, ...] = ()


@dataclass(slots=True)
class SiteTable:
    """The sites of one kernel; a site's number is its position. Equal sites share a number."""

    sites: list[Site] = field(default_factory=list[Site])
    numbers: dict[Site, int] = field(default_factory=dict[Site, int], init=False)

    def number_of(self, site: Site) -> int:
        """The number of ``site``, which is added if new."""
        number = self.numbers.setdefault(site, len(self.sites))
        if number == len(self.sites):
            self.sites.append(site)
        return number


def recorded_type(t: ScalarType) -> ScalarType:
    """The type as which a value of ``t`` is recorded: integers keep their low 64 bits."""
    match t.kind:
        case Kind.BOOL:
            return BOOL
        case Kind.UNSIGNED:
            return U64
        case Kind.SIGNED:
            return I64
        case Kind.FLOAT | Kind.COMPLEX:
            return F64


def source_text(span: Span, otherwise: str) -> str:
    """The user's text at ``span`` on one line, or ``otherwise`` where the source cannot be read."""
    lines = [line.encode() for line in linecache.getlines(span.filename)[span.line - 1 : span.end_line]]
    if len(lines) != span.end_line - span.line + 1:
        return otherwise
    lines[-1] = lines[-1][: span.end_col]
    lines[0] = lines[0][span.col :]
    return " ".join(line.decode(errors="replace").strip() for line in lines) or otherwise
