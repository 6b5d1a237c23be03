"""From a fault to the exception that tells what happened: words, place, values, count."""
from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import assert_never

from simt.core.diagnostics.codes_faults import FAULT_CODES
from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.render import render, source_line
from simt.core.errors import DeviceFault, Index3
from simt.core.llvm.faults import FaultKind, Piece, Site
from simt.core.types import ScalarType
from simt.core.types.scalar import BOOL, F64, U64

Number = int | float | bool


@dataclass(frozen=True, slots=True)
class Fault:
    """What a failing thread recorded: a position in the kernel's table of sites, where it was, 64-bit values, and how
    many threads failed. ``other``: the other side of a race or deadlock."""

    site: int
    block: Index3
    thread: Index3
    values: tuple[int, ...]
    count: int
    other: Other | None = None


@dataclass(frozen=True, slots=True)
class Other:
    """The second thread of a race or deadlock, and its site."""

    site: int
    block: Index3
    thread: Index3


def report(kernel: str, sites: tuple[Site, ...], fault: Fault) -> DeviceFault:
    """The exception for a fault of ``kernel``."""
    site = sites[fault.site]
    values = tuple(_number(value.type, fault.values[place]) for place, value in enumerate(site.values))
    other = () if fault.other is None else (
        Label(span=sites[fault.other.site].span, text=f"block {fault.other.block}, thread {fault.other.thread}"),
    )
    words = render(Diagnostic(
        code=site.kind.value, message=f"kernel `{kernel}`, block {fault.block}, thread {fault.thread}: {_title(site)}",
        primary=Label(span=site.span, text=_explain(site, values)), secondary=other,
        help=_help(site),
    ))
    line = source_line(site.span.filename, site.span.line)
    return DeviceFault(
        f"{words}\n  = {fault.count} thread{'' if fault.count == 1 else 's'} failed before the grid stopped",
        kernel=kernel, block=fault.block, thread=fault.thread, span=site.span,
        source_line="" if line is None else line.strip(),
        values={value.name: number for value, number in zip(site.values, values, strict=True)}, count=fault.count,
    )


def _title(site: Site) -> str:
    match site.kind:
        case FaultKind.ASSERTION:
            return "the assertion does not hold"
        case FaultKind.OUT_OF_BOUNDS:
            return f"`{site.expression}` is out of bounds"
        case FaultKind.MISALIGNED:
            return f"`{site.expression}` is at a misaligned address"
        case FaultKind.UNINITIALISED_READ:
            return f"`{site.expression}` reads shared memory that no thread of the block has written"
        case FaultKind.DIVISION_BY_ZERO:
            return f"`{site.expression}` divides by zero"
        case FaultKind.DIVERGENT_BARRIER:
            return "threads that must meet are at different places"
        case FaultKind.DEADLOCK:
            return "threads wait for others that never come"
        case FaultKind.RACE:
            return f"`{site.expression}` races with another thread's access"
        case FaultKind.ZERO_STEP:
            return "the step of a range is zero"
        case _:
            assert_never(site.kind)


def _explain(site: Site, values: tuple[Number, ...]) -> str:
    """The words behind the caret, with the values."""
    named = {value.name: number for value, number in zip(site.values, values, strict=True)}
    if site.kind is FaultKind.ASSERTION:
        message = "".join(part if isinstance(part, str) else _piece(part, values) for part in site.message)
        return message or ", ".join(f"{name} = {number}" for name, number in named.items())
    if site.kind is FaultKind.OUT_OF_BOUNDS:
        (index, value), (extent, size) = list(named.items())[:2]
        shown = index if index == str(value) else f"{index} = {value}"
        return f"index {shown} is outside {extent} {size}"
    if site.kind is FaultKind.MISALIGNED:
        return f"address {named['address']:#x} is not a multiple of {named['alignment']}"
    if site.kind is FaultKind.DIVISION_BY_ZERO:
        return f"`{list(named)[-1]}` is 0"
    if site.kind is FaultKind.DIVERGENT_BARRIER and "members" in named:
        return f"lane {named['lane']} calls this but is not among the members {named['members']:#x}"
    return ", ".join(f"{name} = {number}" for name, number in named.items())


def _help(site: Site) -> str | None:
    """What to write instead: the kind's own words, with the names that the kernel's text has for what failed."""
    text = FAULT_CODES[site.kind.value].help
    names = [value.name for value in site.values]
    match site.kind, names:
        case FaultKind.OUT_OF_BOUNDS, [index, extent, *_]:
            array = site.expression.partition("[")[0]
            return text and text.format(index=index, extent=f"{array}.{extent}")
        case FaultKind.DIVISION_BY_ZERO, [*_, divisor]:
            return text and text.format(divisor=divisor)
        case FaultKind.ZERO_STEP, [step, *_]:
            return text and text.format(step=step)
        case _:
            return text


def _piece(piece: Piece, values: tuple[Number, ...]) -> str:
    """A value of an assertion's message, in its format; "..." where the record had no room for it."""
    end = piece.value + (2 if piece.is_complex else 1)
    if end > len(values):
        return "..."
    if piece.is_complex:
        return format(complex(values[piece.value], values[piece.value + 1]), piece.format)
    return format(values[piece.value], piece.format)


def _number(t: ScalarType, word: int) -> Number:
    """A recorded word as its type reads it."""
    if t == F64:
        return struct.unpack("<d", struct.pack("<q", word))[0]
    if t == BOOL:
        return bool(word & 1)
    return word & ((1 << 64) - 1) if t == U64 else word
