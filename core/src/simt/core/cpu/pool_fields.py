"""The pool's memory: fields at fixed offsets, those that different threads write on different cache lines."""
from __future__ import annotations

from enum import IntEnum

POOL_BYTES = 1024
"""Without the shares."""
SHARE_BYTES = 64
"""Of one hand's share, from ``SHARES`` on: the first block not yet taken (atomic), and the end."""
OPEN = 1 << 32
"""``STATE`` while workers may join; the low bits count the workers inside."""
PROBE_NANOSECONDS = 4_000
"""How long a launch runs on its caller alone before others are asked to help: about what waking one costs. A launch
that was longer does not wait the next time."""
SPIN_ROUNDS = 2_000
"""How long an idle worker spins before it sleeps: tens of microseconds, to catch the next launch of a loop."""
ARENA_ALIGNMENT = 128
SLICE_NANOSECONDS = 20_000_000
"""How long the chunks of blocks are, at most about, that a caller runs between two looks at the clock."""
LOOK_NANOSECONDS = 50_000_000
"""How long a caller runs or waits before it takes the GIL for a moment and asks for signals."""


class PoolField(IntEnum):
    """Byte offset of each field of the pool."""

    MUTEX = 0
    WAKE = 128
    """Condition: a launch was opened."""
    DONE = 256
    """Condition: the last worker left a closed launch."""
    STATE = 384
    RECORD = 392
    CHUNK = 400
    GENERATION = 448
    """Counts launches; sleeping workers wait for it to change."""
    SLEEPERS = 512
    WORKERS = 520
    STARTED = 528
    """Workers that have begun: each takes its number from here (atomic)."""
    BUSY = 576
    """1 while a caller owns the pool."""
    ARENA = 640
    """Two words: the owning caller's scratch memory and its size."""
    SAVE_THREAD = 704
    """``PyEval_SaveThread``, by which a caller gives the GIL away, and the two below: addresses."""
    RESTORE_THREAD = 712
    CHECK_SIGNALS = 720
    """``PyErr_CheckSignals``: runs the handlers of signals that have come, on the main thread."""
    SHARES = 1024
    """``SHARE_BYTES`` for each hand, the caller first."""
