"""Giving back what the driver made: not from inside a function that the driver calls, and not after the process's end.

The garbage collector may find an array in any piece of Python, a callback of the driver's among them, from which the
driver must not be called: such work waits.
"""
from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu

Work = Callable[[], object]


class _Depth(threading.local):
    depth = 0


_here = _Depth()
_waiting: list[Work] = []


@contextmanager
def callback() -> Generator[None]:
    """Inside, the driver is calling."""
    _here.depth += 1
    try:
        yield
    finally:
        _here.depth -= 1


def when_allowed(process: int, work: Work) -> None:
    """Do ``work`` now, or at the next ``catch_up`` if the driver is calling. CUDA frees all by itself when the process
    that made it, ``process``, ends."""
    if sys.is_finalizing() or process != os.getpid():
        return
    if _here.depth:
        _waiting.append(work)
    else:
        work()


def catch_up() -> None:
    """Do the work that waits."""
    while _waiting:
        _waiting.pop()()


def destroy(function: str, bound: object, ordinal: int, process: int) -> None:
    """Call a destroying function of the driver when it is allowed."""
    def work() -> None:
        make_current(ordinal)
        cu(function, bound)

    when_allowed(process, work)
