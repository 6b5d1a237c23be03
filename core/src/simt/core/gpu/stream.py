"""Streams of a GPU: work in order; and events, marks in that order which other streams and the host can wait for."""
from __future__ import annotations

import functools
import os
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any

from simt.core import current_stream
from simt.core.errors import LaunchError
from simt.core.gpu.callback import destroy
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.graph import GpuGraph

LEGACY = 1  # CU_STREAM_LEGACY, the stream that CUDA, torch and CuPy use where none is named


class GpuStream:
    """A queue of work on one GPU. ``device.stream()`` makes one; ``with stream:`` makes launches of this thread use it.

    ``handle`` is the ``CUstream`` as an integer. Foreign streams are adopted with ``device.adopt(stream)``.
    """

    def __init__(self, device: GpuDevice, handle: int, owner: object = None) -> None:
        self.device = device
        self.handle = handle
        self.owner = owner  # what keeps a foreign handle alive
        self.recording: GpuGraph | None = None
        self.bound = driver().CUstream(handle)

    @property
    def priority(self) -> int:
        """Lower numbers run first; ``device.stream_priorities`` has the range."""
        return int(self._cu("cuStreamGetPriority", self.bound))

    def synchronize(self) -> GpuStream:
        """Wait for all work in the stream.

        Raises:
            DeviceFault: a thread of a kernel failed.
            DriverError: the hardware reports a failure; it names the last launches.
        """
        with self.device.explaining_failures():
            self._cu("cuStreamSynchronize", self.bound)
        self.device.raise_faults()
        return self

    def is_done(self) -> bool:
        """Whether all work in the stream has ended, without waiting."""
        make_current(self.device.ordinal)
        (status,) = driver().cuStreamQuery(self.bound)
        if status in (0, driver().CUresult.CUDA_ERROR_NOT_READY):
            return bool(status == 0)
        with self.device.explaining_failures():
            self._cu("cuStreamQuery", self.bound)
        return False

    def record(self, *, timing: bool = True, blocking: bool = False, interprocess: bool = False) -> GpuEvent:
        """An event that happens when all work now in the stream has ended.

        Args:
            timing: whether ``elapsed`` can use it; False makes it cheaper.
            blocking: whether a waiting host thread sleeps rather than spins.
            interprocess: whether other processes may open it; needs ``timing=False``.
        """
        make_current(self.device.ordinal)
        flags = (0 if timing else 2) | (1 if blocking else 0) | (4 if interprocess else 0)
        event = GpuEvent(self.device, cu("cuEventCreate", flags))
        self._cu("cuEventRecord", event.bound, self.bound)
        return event

    def wait(self, other: GpuEvent | GpuStream) -> GpuStream:
        """Make later work of this stream wait for an event, or for all work now in another stream. Returns at once."""
        event = other.record(timing=False) if isinstance(other, GpuStream) else other
        self._cu("cuStreamWaitEvent", self.bound, event.bound, 0)
        return self

    def call(self, function: Callable[[], object]) -> GpuStream:
        """Call a Python function on a thread of the driver's once all work now in the stream has ended.

        It must not call CUDA. What it raises is printed as an unraisable exception.
        """
        from simt.core.gpu.host_function import enqueue

        make_current(self.device.ordinal)
        enqueue(self, function)
        return self

    def capture(self) -> AbstractContextManager[GpuGraph]:
        """``with stream.capture() as graph:`` records the launches inside into ``graph`` instead of running them."""
        from simt.core.gpu.graph import capture

        return capture(self)

    def __enter__(self) -> GpuStream:
        current_stream.enter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        current_stream.leave(self)

    def __cuda_stream__(self) -> tuple[int, int]:
        """The protocol of cuda.core: version and handle."""
        return 0, self.handle

    def __repr__(self) -> str:
        return f"<GpuStream {self.handle:#x} of {self.device.short_name}>"

    def _cu(self, function: str, *arguments: object) -> Any:  # Any: as cu
        make_current(self.device.ordinal)
        return cu(function, *arguments)


def new_stream(device: GpuDevice, priority: int) -> GpuStream:
    """A stream that does not wait for the default stream."""
    make_current(device.ordinal)
    flags = driver().CUstream_flags.CU_STREAM_NON_BLOCKING
    handle = int(cu("cuStreamCreateWithPriority", flags, priority))
    stream = GpuStream(device, handle)
    weakref.finalize(stream, destroy, "cuStreamDestroy", stream.bound, device.ordinal, os.getpid())
    return stream


def adopt(device: GpuDevice, stream: object) -> GpuStream:
    """A stream of another library as one of ours: by ``__cuda_stream__``, or torch's, CuPy's or Numba's attribute.

    Raises:
        LaunchError: not a stream, or one of another device.
    """
    if isinstance(stream, GpuStream):
        found = stream
    else:
        found = GpuStream(device, _foreign_handle(stream), stream)
    if found.handle not in (0, LEGACY, 2):
        make_current(device.ordinal)
        ordinal = _ordinal_of(found)
        if ordinal != device.ordinal:
            raise LaunchError(f"stream {stream!r} belongs to GPU {ordinal}, and this launch is on {device.short_name}")
    return found


def _ordinal_of(stream: GpuStream) -> int:
    context = cu("cuStreamGetCtx", stream.bound)
    cu("cuCtxPushCurrent", context)
    try:
        return int(cu("cuCtxGetDevice"))
    finally:
        cu("cuCtxPopCurrent")


def _foreign_handle(stream: object) -> int:
    protocol: Any = getattr(stream, "__cuda_stream__", None)  # Any: a method of any class
    if protocol is not None:
        return int(protocol()[1])
    for attribute in ("cuda_stream", "ptr", "handle"):
        value = getattr(stream, attribute, None)
        if isinstance(value, int):
            return value
    if isinstance(stream, int) and not isinstance(stream, bool):
        raise LaunchError(f"stream {stream}: a bare handle given; pass the stream's object, which keeps it alive")
    raise LaunchError(
        f"stream {stream!r} is a {type(stream).__name__}; pass device.stream(), or a stream of torch, CuPy or cuda.core"
    )


class GpuEvent:
    """A mark in a stream. ``stream.record()`` makes one. ``bound`` is the driver's handle, which this object owns."""

    def __init__(self, device: GpuDevice, bound: Any) -> None:  # Any: a handle of the bindings
        self.device = device
        self.bound = bound
        weakref.finalize(self, destroy, "cuEventDestroy", self.bound, device.ordinal, os.getpid())

    def is_done(self) -> bool:
        """Whether it has happened, without waiting."""
        make_current(self.device.ordinal)
        (status,) = driver().cuEventQuery(self.bound)
        if status == driver().CUresult.CUDA_ERROR_NOT_READY:
            return False
        with self.device.explaining_failures():
            cu("cuEventQuery", self.bound)
        return True

    def synchronize(self) -> GpuEvent:
        """Wait until it has happened. Raises as ``GpuStream.synchronize``."""
        make_current(self.device.ordinal)
        with self.device.explaining_failures():
            cu("cuEventSynchronize", self.bound)
        self.device.raise_faults()
        return self

    def elapsed(self, later: GpuEvent) -> float:
        """Seconds from this event to ``later``; both must have happened. Resolution about 0.5 microseconds."""
        make_current(self.device.ordinal)
        return float(cu("cuEventElapsedTime", self.bound, later.bound)) / 1000



@functools.cache
def default_stream(device: GpuDevice) -> GpuStream:
    """The legacy default stream of a device."""
    return GpuStream(device, LEGACY)
