"""Which thread the host is playing, while a kernel's own Python runs there as the reference.

A device operation's Python body asks here for coordinates and meets its fellow threads here. Whoever runs the kernel
on the host (``simt.core.testing``) enters a ``ThreadContext`` in each thread it plays.
"""
from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from simt.core.errors import Index3
from simt.core.intrinsics.declare import Behavior

R = TypeVar("R")


class Rendezvous(Protocol):
    """How the threads of a warp or block meet on the host."""

    def __call__(
        self, scope: Behavior, meaning: Callable[..., Any] | None, members: int | None, values: tuple[Any, ...], /,
    ) -> Any:  # Any: each collective has its own types; `collective` below restores them
        """Wait for the threads of ``scope`` (WARP: those in ``members``), then compute this thread's result.

        The result is ``meaning(lane, members, *values)`` with one ``Lanes`` for each of ``values``; None where
        ``meaning`` is None, a pure barrier. ``lane`` and ``members`` are an i32 and a u32 for a warp; for a block
        (``members`` given as None) the linear thread index and ``Lanes[bool]``, False for threads that have returned.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadContext:
    """One thread of a launch, as on the device."""

    thread_idx: Index3
    block_idx: Index3
    block_dim: Index3
    grid_dim: Index3
    rendezvous: Rendezvous


_CURRENT: ContextVar[ThreadContext] = ContextVar("simt_thread_context")


def current_thread() -> ThreadContext:
    """The thread being played.

    Raises:
        TypeError: none is, so the operation has no meaning here.
    """
    try:
        return _CURRENT.get()
    except LookupError:
        raise TypeError("this operation has a meaning only in a thread of a kernel") from None


@contextmanager
def playing(context: ThreadContext) -> Generator[None]:
    """Play the thread ``context`` within the ``with`` block."""
    token = _CURRENT.set(context)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def warp_collective(meaning: Callable[..., R], members: int, *values: Any) -> R:
    """What ``meaning`` gives this thread once the warp's ``members`` have met."""
    return current_thread().rendezvous(Behavior.WARP, meaning, members, values)


def block_collective(meaning: Callable[..., R], *values: Any) -> R:
    """What ``meaning`` gives this thread once all threads of the block have met."""
    return current_thread().rendezvous(Behavior.BLOCK, meaning, None, values)


def warp_barrier(members: int) -> None:
    """Wait for the warp's ``members``."""
    current_thread().rendezvous(Behavior.WARP, None, members, ())


def block_barrier() -> None:
    """Wait for all threads of the block."""
    current_thread().rendezvous(Behavior.BLOCK, None, None, ())
