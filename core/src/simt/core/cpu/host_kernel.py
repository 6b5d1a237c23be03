"""What is kept with a compiled kernel of the CPU target: everything its launches and its reports need."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.diagnostics.span import Span
from simt.core.llvm.faults import Site
from simt.core.types import ScalarType


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """A value in a printed line: its type, the first of its 8-byte words, and its Python format specification."""

    type: ScalarType
    word: int
    format: str


@dataclass(frozen=True, slots=True)
class PrintSite:
    """One ``print`` of a kernel."""

    span: Span
    parts: tuple[str | PrintedValue, ...]
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """How much scratch memory a worker needs: ``fixed`` bytes, ``per_thread`` bytes for each thread of a block
    (rounded up to a multiple of ``THREAD_GRANULE``), and ``dynamic`` times the launch's dynamic shared memory
    (rounded up to a multiple of ``ARENA_ALIGNMENT``)."""

    fixed: int
    per_thread: int
    dynamic: int


THREAD_GRANULE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class HostKernel:
    """A kernel's description: plain data, stored beside its object file."""

    name: str
    symbol: str
    sites: tuple[Site, ...]
    prints: tuple[PrintSite, ...]
    arena: Arena
    shared_bytes: int
    max_threads: int | None
    finds_races: bool = False


@dataclass(frozen=True, slots=True)
class HostModule:
    """LLVM IR text with the description of the kernel in it."""

    text: str
    kernel: HostKernel
