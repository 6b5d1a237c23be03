"""The record that the host, the pool and a kernel share during one launch: 8-byte fields at fixed offsets.

A kernel reads the upper half and never writes it; the lower half is written by faults, prints and the handing out of
blocks, and stands on cache lines of its own so that reading the upper half stays cheap.
"""
from __future__ import annotations

from enum import IntEnum


class LaunchField(IntEnum):
    """Byte offset of each field of a launch record."""

    KERNEL = 0
    """Code of the kernel: ``void (record, first_block, end_block, arena)``."""
    ARGUMENTS = 8
    """Address of the packed arguments."""
    GRID_X = 16
    GRID_Y = 24
    GRID_Z = 32
    BLOCK_X = 40
    BLOCK_Y = 48
    BLOCK_Z = 56
    SHARED_BYTES = 64
    """Dynamic shared memory of one block."""
    ARENA_BYTES = 72
    """Scratch memory that a worker lends the kernel: shared memory, locals that live across barriers, frames."""
    TOTAL_BLOCKS = 80
    FAULT_FUNCTION = 88
    """``void (record, block, thread, site, threads, value_count, values, other_thread, other_site)`` of the pool."""
    PRINT_FUNCTION = 96
    """``void (record, block, thread, site, value_count, values)`` of the pool."""
    PRINT_BUFFER = 104
    PRINT_CAPACITY = 112
    """Bytes of the print buffer; 0 where the kernel prints nothing."""
    RACE_FUNCTION = 120
    """``simt_race`` of the pool in race mode, else 0. A launch with it runs on its caller alone."""
    MEET_FUNCTION = 128
    """``i64 (state, mask, members, threads, culprits)`` of the pool, for kernels that run as coroutines."""
    IS_LONG = 136
    """1 where the configuration's last launch was worth sharing. The only field that goes back to the template."""

    NEXT_BLOCK = 192
    """First block not yet handed out (atomic), while the caller works alone."""
    STOP_AFTER = 256
    """No block with a larger index starts: the lowest one that failed (atomic)."""
    FAULT_LOCK = 264
    FAULT_COUNT = 272
    """Threads that failed."""
    FAULT_BLOCK = 280
    """Linear index of the block of the first report; NO_BLOCK while there is none."""
    FAULT_THREAD = 288
    FAULT_SITE = 296
    FAULT_OTHER_THREAD = 304
    """Linear index, in the whole grid, of the other thread of a race or deadlock, or -1."""
    FAULT_OTHER_SITE = 312
    FAULT_VALUE_COUNT = 320
    FAULT_VALUES = 328
    """Eight 8-byte values."""
    RACE_ROOT = 400
    """Root of the tree of accessed addresses."""
    RACE_FENCES = 408
    """Fences executed so far."""
    CALLER_STATE = 416
    """The launching thread's state in Python, while it has no GIL."""
    CHUNK_BEGAN = 424
    """When the caller's present chunk of blocks began, in nanoseconds."""
    LOOKED = 432
    """When the caller asked for signals last."""
    INTERRUPTED = 440
    """1 once a signal's handler has raised: the launch then ends with that exception."""
    PRINT_USED = 448
    """Bytes of the print buffer in use, or wanted where that exceeds the capacity (atomic)."""


RECORD_BYTES = 512
MAXIMUM_VALUES = 8
NO_BLOCK = (1 << 63) - 1
