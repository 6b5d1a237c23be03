"""The stream that launches of this thread use where they name none: the innermost ``with stream:``, or none.

A stream under capture records launches instead of running them; while any thread captures, launches take the general
path, which asks.
"""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt.core.device import Stream


class _Stacks(threading.local):
    def __init__(self) -> None:
        self.streams: list[Stream] = []


_stacks = _Stacks()
entered: list[object] = []  # the streams of all threads' ``with`` blocks; compiled launches look whether there are some
captures: list[object] = []  # those under way in any thread; a launch looks only at whether there are some


def current_stream() -> Stream | None:
    """The stream of the innermost ``with stream:`` of this thread."""
    return _stacks.streams[-1] if _stacks.streams else None


def enter(stream: Stream) -> None:
    """Make ``stream`` the current one."""
    _stacks.streams.append(stream)
    entered.append(stream)


def leave(stream: Stream) -> None:
    """Go back to the one before.

    Raises:
        RuntimeError: ``stream`` is not the innermost one.
    """
    if not _stacks.streams or _stacks.streams[-1] is not stream:
        raise RuntimeError(f"{stream!r} is not this thread's current stream; leave streams in the order of entering")
    _stacks.streams.pop()
    entered.remove(stream)
