"""Streams, events and graphs of the CPU device: the same words as a GPU's, for work that runs when it is asked for."""
from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING

from simt.core import current_stream
from simt.core.errors import LaunchError

if TYPE_CHECKING:
    from simt.core.recorded_launch import RecordedLaunch


class CpuStream:
    """A stream whose work has always ended already."""

    def __init__(self) -> None:
        self.recording: CpuGraph | None = None

    def synchronize(self) -> CpuStream:
        """Returns at once: launches end before they return, and raise their own faults."""
        return self

    def is_done(self) -> bool:
        """True."""
        return True

    def record(self, *, timing: bool = True) -> CpuEvent:
        """An event that has happened now."""
        return CpuEvent(time.perf_counter())

    def wait(self, other: CpuEvent | CpuStream) -> CpuStream:
        """Returns at once."""
        return self

    def call(self, function: Callable[[], object]) -> CpuStream:
        """Call a Python function now."""
        function()
        return self

    @contextmanager
    def capture(self) -> Generator[CpuGraph]:
        """``with stream.capture() as graph:`` records the launches inside into ``graph`` instead of running them."""
        if self.recording is not None:
            raise LaunchError("this stream is being captured already")
        graph = self.recording = CpuGraph()
        current_stream.captures.append(graph)
        try:
            with self:
                yield graph
        finally:
            current_stream.captures.remove(graph)
            self.recording = None

    def __enter__(self) -> CpuStream:
        current_stream.enter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        current_stream.leave(self)

    def __repr__(self) -> str:
        return f"<CpuStream {id(self):#x}>"


@dataclass(frozen=True, slots=True)
class CpuEvent:
    """A moment, in seconds of ``time.perf_counter``."""

    moment: float

    def is_done(self) -> bool:
        """True."""
        return True

    def synchronize(self) -> CpuEvent:
        """Returns at once."""
        return self

    def elapsed(self, later: CpuEvent) -> float:
        """Seconds from this event to ``later``."""
        return later.moment - self.moment


@dataclass(slots=True, eq=False)
class CpuGraph:
    """Launches in the order of their capture."""

    launches: list[RecordedLaunch] = field(default_factory=list["RecordedLaunch"])

    def add(self, launch: RecordedLaunch) -> None:
        """Keep a launch."""
        self.launches.append(launch)

    def instantiate(self) -> CpuGraphRun:
        """The graph, ready to run."""
        return CpuGraphRun(list(self.launches))


@dataclass(slots=True, eq=False)
class CpuGraphRun:
    """A graph that can run."""

    launches: list[RecordedLaunch]

    def launch(self, stream: CpuStream | None = None) -> CpuStream:
        """Run the launches in order; returns when the last has ended."""
        for launch in self.launches:
            launch.specialisation.executable.prepare(launch.configuration)(launch.record)
        return stream or CpuStream()

    def update(self, kernel: object, /, **arguments: object) -> CpuGraphRun:
        """Replace arguments in every launch of ``kernel``, by parameter name; checked as a launch would be.

        Raises:
            LaunchError: the graph does not launch that kernel, or a value does not fit; nothing is changed then.
        """
        self.launches = updated(self.launches, kernel, arguments)
        return self


def updated(launches: list[RecordedLaunch], kernel: object, arguments: dict[str, object]) -> list[RecordedLaunch]:
    """The launches, those of ``kernel`` with other arguments.

    Raises:
        LaunchError: as ``CpuGraphRun.update``.
    """
    result = [launch.replaced(arguments) if launch.kernel is kernel else launch for launch in launches]
    if all(launch.kernel is not kernel for launch in launches):
        names = sorted({launch.kernel.declaration.name for launch in launches})
        raise LaunchError(f"the graph does not launch {kernel!r}; it launches {', '.join(names) or 'nothing'}")
    return result
