"""Devices: where arrays live and kernels run. One small protocol, which the CPU and every GPU meet."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from simt.core.errors import UnavailableError
from simt.core.runtime.cpu_device import CpuDevice
from simt.core.runtime.place import HOST

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from simt.core.recorded_launch import RecordedLaunch
    from simt.core.runtime.image import HostImage
    from simt.core.runtime.memory import Located

Shape = int | tuple[int, ...]
Run = Callable[..., object]  # of a packed record; a GPU's gives the stream it used


class DeviceArray(Protocol):
    """What programs use of an array, wherever it lies."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...  # Any: of every element type
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def numpy(self) -> np.ndarray[Any, Any]: ...  # Any: of every shape and dtype
    def copy_from(self, source: Any) -> None: ...  # Any: an array of this kind, or what NumPy makes an array of
    def reshape(self, *shape: int) -> DeviceArray: ...
    def __getitem__(self, index: Any, /) -> Any: ...  # Any: basic indexing; a view, or an element
    def __setitem__(self, index: Any, value: Any, /) -> None: ...  # Any: as NumPy assignment
    def __len__(self) -> int: ...
    def __dlpack__(self, **arguments: Any) -> Any: ...  # Any: the protocol's own types
    def __dlpack_device__(self) -> tuple[int, int]: ...


class DeviceTexture(Protocol):
    """What programs use of a texture, wherever it lies."""

    @property
    def filter(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...  # Any: of every element type
    def numpy(self) -> np.ndarray[Any, Any]: ...  # Any: of every shape and dtype
    def copy_from(self, source: Any) -> None: ...  # Any: what NumPy makes an array of, or an array of this device


class DeviceSurface(Protocol):
    """What programs use of a surface, wherever it lies."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...  # Any: as DeviceTexture
    @property
    def channels(self) -> int: ...
    def numpy(self) -> np.ndarray[Any, Any]: ...  # Any: as DeviceTexture
    def copy_from(self, source: Any) -> None: ...  # Any: as DeviceTexture


class GraphRun(Protocol):
    """An instantiated graph."""

    def launch(self, stream: Any = None) -> Stream:  # Any: a stream of the graph's device
        """Run all its launches in order, in ``stream`` or the current one; gives the stream."""
        ...

    def update(self, kernel: object, /, **arguments: object) -> GraphRun:
        """Replace arguments in every launch of ``kernel``, by parameter name; checked as a launch would be."""
        ...


class Graph(Protocol):
    """Launches that were captured."""

    def instantiate(self) -> GraphRun:
        """The graph, ready to run."""
        ...


class Event(Protocol):
    """A mark in a stream."""

    def is_done(self) -> bool:
        """Whether it has happened, without waiting."""
        ...

    def synchronize(self) -> Event:
        """Wait until it has happened; raise what the work before it failed with."""
        ...

    def elapsed(self, later: Any) -> float:  # Any: an event of the same device
        """Seconds from this event to ``later``, which both must have happened."""
        ...


class Stream(Protocol):
    """A queue of work. ``with stream:`` makes copies and launches of this thread use it."""

    def is_done(self) -> bool:
        """Whether all work in it has ended, without waiting."""
        ...

    def record(self, *, timing: bool = True) -> Event:
        """An event that happens when all work now in the stream has ended. ``timing``: for ``elapsed``."""
        ...

    def wait(self, other: Any) -> Stream:  # Any: an event or stream of the same device
        """Make later work wait for an event, or for all work now in another stream. Returns at once."""
        ...

    def call(self, function: Callable[[], object]) -> Stream:
        """Call a Python function, which must not use the device, once all work now in the stream has ended."""
        ...

    def __enter__(self) -> Stream: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def synchronize(self) -> Stream:
        """Wait for all work in it; raise what it failed with."""
        ...

    def capture(self) -> AbstractContextManager[Graph]:
        """``with stream.capture() as graph:`` records the launches inside into ``graph`` instead of running them."""
        ...


class Device(Protocol):
    """What programs use of a device, whichever it is. ``dtype`` is a scalar or struct of the language, or NumPy's."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    @property
    def place(self) -> int:
        """Its number among places, see ``runtime.place``."""
        ...

    def array(self, host: ArrayLike | Any, dtype: object = None) -> DeviceArray:  # Any: a device array
        """New device memory with the contents of ``host``, C-contiguous."""
        ...

    def empty(self, shape: Shape, dtype: object) -> DeviceArray:
        """New device memory, uninitialised."""
        ...

    def zeros(self, shape: Shape, dtype: object) -> DeviceArray:
        """New device memory, all bytes zero."""
        ...

    def full(self, shape: Shape, value: object, dtype: object) -> DeviceArray:
        """New device memory, every element ``value``."""
        ...

    def texture(
        self, source: ArrayLike | Any, *, filter: str = "point", address: str | Sequence[str] = "clamp",
        normalized: bool = False, read: str = "element", border: float | Sequence[float] = 0.0,
        channels: int | None = None,
    ) -> DeviceTexture:  # Any: a device array or surface
        """A texture with a copy of the elements of ``source``; of a surface, a texture over the same texels."""
        ...

    def surface(self, shape: Shape, dtype: object, *, channels: int | None = None) -> DeviceSurface:
        """A surface, all texels zero."""
        ...

    def image(self, image: HostImage) -> HostImage:
        """An image of the CPU device as one of this device, its texels copied; others as they are."""
        ...

    def stream(self) -> Stream:
        """A new queue of work."""
        ...

    def synchronize(self) -> None:
        """Wait for all launches; raise what they failed with."""
        ...

    def start(self, run: Run, launch: RecordedLaunch, located: tuple[Located, ...]) -> None:
        """Start a prepared launch in its stream, or keep it where that stream is being captured.

        Raises:
            LaunchError: the configuration names a stream of something else.
        """
        ...


@cache
def default_device() -> Device:
    """The device for arrays of programs that name none: a GPU if one can be used, else the CPU.

    SIMT_DEVICE chooses: ``cpu``, ``gpu``, or ``gpu:1`` for the GPU numbered 1.

    Raises:
        UnavailableError: SIMT_DEVICE asks for a GPU, and none can be used.
        ValueError: SIMT_DEVICE is neither.
    """
    wanted = os.environ.get("SIMT_DEVICE", "").strip().lower()
    kind, _, number = wanted.partition(":")
    match kind:
        case "cpu" if not number:
            return CpuDevice()
        case "":
            return _first_usable()
        case "gpu" | "cuda" if number.isdecimal() or not number:
            from simt.core.gpu.device import gpu

            try:
                return gpu(int(number or 0))
            except UnavailableError as error:
                raise UnavailableError(f"SIMT_DEVICE={wanted}: {error}") from error
        case _:
            raise ValueError(f"SIMT_DEVICE={wanted} names no device; write cpu, gpu or gpu:1")


def device_at(place: int | None) -> Device:
    """The device of a place; the default device for launches without arrays."""
    if place is None:
        return default_device()
    if place == HOST:
        return _CPU
    from simt.core.gpu.device import gpu

    return gpu(place)


_CPU = CpuDevice()


def _first_usable() -> Device:
    from simt.core.runtime.cuda_driver import is_usable

    if not is_usable():
        return _CPU
    from simt.core.gpu.device import gpu

    return gpu(0)
