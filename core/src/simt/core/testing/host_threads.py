"""The threads of one block, played on the host one at a time, in a fixed order.

Threads run one after another in a single worker until one waits for others. That one keeps its worker and parks; a
new worker goes on with the threads that have not started. When all have returned or wait, every complete meeting is
resolved and its threads go on. A baton makes sure that only one runs, so runs are deterministic and need no locks.
"""
from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from simt.core.errors import Index3
from simt.core.intrinsics.declare import Behavior
from simt.core.intrinsics.lanes import Lanes
from simt.core.intrinsics.thread_context import ThreadContext, playing
from simt.core.scalars import i32, u32

WARP = 32


class HostDeadlockError(Exception):
    """Threads of a block wait for each other in vain."""


class _Abandoned(BaseException):
    """Unwinds a parked thread after another one failed."""


@dataclass(slots=True)
class Meeting:
    """What a parked thread waits for, and later what it gets."""

    scope: Behavior
    meaning: Callable[..., Any] | None  # Any: each collective has its own types
    members: int
    values: tuple[Any, ...]
    result: Any = None


@dataclass(eq=False, slots=True)
class _Thread:
    index: int
    meeting: Meeting | None = None
    finished: bool = False
    wake: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))


class HostBlock:
    """Plays one block: ``run`` calls ``body`` once a thread, within its ``ThreadContext``."""

    def __init__(self, block_idx: Index3, block_dim: Index3, grid_dim: Index3, body: Callable[[], None]) -> None:
        self._block_idx, self._block_dim, self._grid_dim = block_idx, block_dim, grid_dim
        self._body = body
        self._threads = [_Thread(i) for i in range(block_dim.x * block_dim.y * block_dim.z)]
        self._unstarted = deque(self._threads)
        self._baton = threading.Semaphore(0)
        self._error: BaseException | None = None
        self._workers: list[threading.Thread] = []

    def run(self) -> None:
        """Play all threads to their end.

        Raises:
            HostDeadlockError: threads wait for each other in vain.
            BaseException: what the first failing thread raised.
        """
        try:
            while self._error is None and self._unstarted:
                self._start_worker()
            while self._error is None and any(not thread.finished for thread in self._threads):
                for thread in self._resolve():
                    self._resume(thread)
        finally:
            self._abandon_parked()
        if self._error is not None:
            raise self._error

    def _start_worker(self) -> None:
        worker = threading.Thread(target=self._work, daemon=True)
        self._workers.append(worker)
        worker.start()
        self._baton.acquire()

    def _resume(self, thread: _Thread) -> None:
        if self._error is None:
            thread.wake.release()
            self._baton.acquire()

    def _work(self) -> None:
        try:
            while self._unstarted and self._error is None:
                thread = self._unstarted.popleft()
                with playing(self._context(thread)):
                    self._body()
                thread.finished = True
                if thread.meeting is not None:
                    break  # it parked on the way, so another worker has gone on with the rest
        except _Abandoned:
            pass
        except BaseException as error:  # handed to the thread that called run()
            self._error = error
        self._baton.release()

    def _context(self, thread: _Thread) -> ThreadContext:
        x, y = self._block_dim.x, self._block_dim.y
        position = Index3(thread.index % x, thread.index // x % y, thread.index // (x * y))

        def rendezvous(
            scope: Behavior, meaning: Callable[..., Any] | None, members: int | None, values: tuple[Any, ...], /,
        ) -> Any:
            mask = 0 if members is None else int(members)
            if scope is Behavior.WARP and not mask >> thread.index % WARP & 1:
                raise ValueError(f"lane {thread.index % WARP} is not among the members {mask:#x} that it passes")
            thread.meeting = Meeting(scope, meaning, mask, values)
            self._baton.release()
            thread.wake.acquire()
            if self._error is not None:
                raise _Abandoned
            return thread.meeting.result

        return ThreadContext(
            thread_idx=position, block_idx=self._block_idx, block_dim=self._block_dim, grid_dim=self._grid_dim,
            rendezvous=rendezvous,
        )

    def _resolve(self) -> list[_Thread]:
        """Threads that can go on, in order, with the results of their meetings computed."""
        parked = [thread for thread in self._threads if not thread.finished]
        ready: list[_Thread] = []
        for first in range(0, len(self._threads), WARP):
            ready += self._warp_meetings(self._threads[first : first + WARP])
        if not ready and all(_meets(thread, Behavior.BLOCK) for thread in parked):
            members = Lanes([not thread.finished for thread in self._threads])
            _compute([None if thread.finished else thread for thread in self._threads], members)
            ready = parked
        if not ready:
            waiting = ", ".join(f"{thread.index} ({_describe(thread.meeting)})" for thread in parked)
            raise HostDeadlockError(f"block {self._block_idx}: threads wait in vain: {waiting}")
        return ready

    def _warp_meetings(self, warp: list[_Thread]) -> list[_Thread]:
        """The lanes of a warp whose meeting is complete: every member that is still there waits for the same ones."""
        ready: list[_Thread] = []
        here = [thread for thread in warp if not thread.finished]
        for mask in sorted({_members(thread) for thread in here} - {0}):
            present = [thread for thread in here if mask >> thread.index % WARP & 1]
            if all(_members(thread) == mask for thread in present):
                members = u32(sum(1 << thread.index % WARP for thread in present))  # not lanes that are absent or done
                lanes: list[_Thread | None] = [None] * WARP
                for thread in present:
                    lanes[thread.index % WARP] = thread
                _compute(lanes, members)
                ready += present
        return ready

    def _abandon_parked(self) -> None:
        if any(not thread.finished for thread in self._threads) and self._error is None:
            self._error = _Abandoned()
        for thread in self._threads:
            if thread.meeting is not None and not thread.finished:
                thread.wake.release()
        for worker in self._workers:
            worker.join()
        if isinstance(self._error, _Abandoned):
            self._error = None


def _compute(lanes: list[_Thread | None], members: object) -> None:
    """Give every thread of a meeting its result; ``lanes`` are all threads of the scope, None where one is absent."""
    meetings = [None if thread is None else thread.meeting for thread in lanes]
    present = [meeting for meeting in meetings if meeting is not None]
    if len({id(meeting.meaning) for meeting in present}) > 1:
        raise HostDeadlockError("threads meet in different operations: every thread must reach the same one")
    meaning = present[0].meaning
    if meaning is None:
        return
    rows = [None if meeting is None else meeting.values for meeting in meetings]
    columns = [Lanes([None if row is None else row[i] for row in rows]) for i in range(len(present[0].values))]
    for lane, meeting in enumerate(meetings):
        if meeting is not None:
            meeting.result = meaning(i32(lane), members, *columns)


def _meets(thread: _Thread, scope: Behavior) -> bool:
    return thread.meeting is not None and thread.meeting.scope is scope


def _members(thread: _Thread) -> int:
    """The mask of lanes that a thread waits for, or 0 where it does not wait for its warp."""
    return thread.meeting.members if thread.meeting is not None and _meets(thread, Behavior.WARP) else 0


def _describe(meeting: Meeting | None) -> str:
    if meeting is None:
        return "not started"
    return "the block's barrier" if meeting.scope is Behavior.BLOCK else f"members {meeting.members:#x} of its warp"
