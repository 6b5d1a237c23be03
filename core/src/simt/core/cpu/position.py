"""Which thread the code at hand runs for, as LLVM operands."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.llvm.builder import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockPosition:
    """What all threads of a block share. ``grid`` and ``index`` and ``dimension`` are i32 triples.

    ``linear`` (i64) numbers the blocks of the grid; ``threads`` (i64) counts the threads of the block. ``width`` (i32):
    how many threads stand side by side along x; more than ``dimension`` says in a run of blocks (``runs``).
    """

    record: Value
    grid: tuple[Value, Value, Value]
    dimension: tuple[Value, Value, Value]
    index: tuple[Value, Value, Value]
    linear: Value
    threads: Value
    width: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPosition:
    """One thread: its coordinates (i32), and its linear number in the block (i64)."""

    index: tuple[Value, Value, Value]
    linear: Value
