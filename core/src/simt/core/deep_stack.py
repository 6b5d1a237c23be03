"""``on_deep_stack``: a function run in a thread whose stack lets it recurse a hundred times as deep as Python allows.

The compiler recurses over syntax. Nearly every kernel fits Python's limit of 1000 calls; one that does not is compiled
again here. Python's limit holds for the whole process: while such a function runs, it is raised for every thread.
"""
from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Generic, TypeVar, cast

T = TypeVar("T")

CALLS = 100_000
"""Python calls that may be open at once."""

STACK_BYTES = 512 << 20
"""Address space of the stack; memory is taken as far as it is used. Over 5000 bytes a call, where C code that is
called back from C code needs some 1000."""

_ALONE = threading.Lock()


def on_deep_stack(work: Callable[[], T]) -> T:
    """What ``work()`` gives or raises, called in a new thread. One at a time; ``work`` itself is not to call this.

    Raises:
        RecursionError: ``work`` needs more than ``CALLS`` calls.
        RuntimeError: the system gives no thread with such a stack.
    """
    with _ALONE:
        before = threading.stack_size(STACK_BYTES)
        try:
            thread = _DeepThread(work)
            thread.start()
        finally:
            threading.stack_size(before)
        thread.join()
    if thread.error is not None:
        raise thread.error
    return cast("T", thread.result)


def is_on_deep_stack() -> bool:
    """Whether the caller is inside ``on_deep_stack``."""
    return isinstance(threading.current_thread(), _DeepThread)


class _DeepThread(threading.Thread, Generic[T]):
    """Raises the limit and lowers it again itself, with nothing left on its stack: Python 3.11 ends the process where
    a thread is deeper than the limit, and an interrupt may end the wait for this one.
    """

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(name="simt-compiler", daemon=True)
        self.work = work
        self.context = copy_context()
        self.result: T | None = None
        self.error: BaseException | None = None

    def run(self) -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, CALLS))
        try:
            self.result = self.context.run(self.work)
        except BaseException as error:  # handed to the thread that waits
            self.error = error
        finally:
            sys.setrecursionlimit(limit)
