"""This machine's processor as a device."""
from __future__ import annotations

import os
import platform
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.current_stream import current_stream
from simt.core.errors import LaunchError
from simt.core.runtime.cpu_array import CpuArray, allocate
from simt.core.runtime.dtypes import as_dtype
from simt.core.runtime.place import HOST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from simt.core.device import Run
    from simt.core.recorded_launch import RecordedLaunch
    from simt.core.runtime.cpu_image import CpuSurface, CpuTexture
    from simt.core.runtime.cpu_stream import CpuStream
    from simt.core.runtime.image import HostImage
    from simt.core.runtime.memory import Located

Shape = int | tuple[int, ...]


class CpuDevice:
    """This machine's processor.

    A launch returns when its grid has ended, and raises its ``DeviceFault`` itself, so ``synchronize`` has nothing
    left to wait for.
    """

    place = HOST

    @property
    def name(self) -> str:
        """``CPU (model, 8 threads)``."""
        return f"CPU ({_processor()}, {available_threads()} threads)"

    def array(self, host: ArrayLike | CpuArray, dtype: object = None) -> CpuArray:
        """New memory with the contents of ``host`` in C order; ``dtype`` defaults to the host array's."""
        source = np.asarray(host)
        target = source.dtype if dtype is None else as_dtype(dtype)
        if target.kind == "O":
            raise LaunchError("an array of Python objects has no device memory; give a dtype")
        memory = allocate(source.shape, target)
        np.copyto(memory, source, casting="same_kind" if dtype is None else "unsafe")
        return CpuArray(memory)

    def empty(self, shape: Shape, dtype: object) -> CpuArray:
        """New memory, uninitialised."""
        return CpuArray(allocate(shape, as_dtype(dtype)))

    def zeros(self, shape: Shape, dtype: object) -> CpuArray:
        """New memory, all bytes zero."""
        return CpuArray(allocate(shape, as_dtype(dtype), zero=True))

    def full(self, shape: Shape, value: object, dtype: object) -> CpuArray:
        """New memory, every element ``value``."""
        memory = allocate(shape, as_dtype(dtype))
        memory[...] = value
        return CpuArray(memory)

    def texture(
        self, source: ArrayLike | CpuArray | CpuSurface, *, filter: str = "point",
        address: str | Sequence[str] = "clamp", normalized: bool = False, read: str = "element",
        border: float | Sequence[float] = 0.0, channels: int | None = None,
    ) -> CpuTexture:
        """A texture with a copy of the elements of ``source``; of a surface, a texture over the same texels.

        Args:
            filter: ``"point"``, or ``"linear"`` between texels.
            address: what lies outside: ``"clamp"``, ``"border"``, ``"wrap"``, ``"mirror"``; one word, or one an axis.
            normalized: whether coordinates run from 0 to 1 along each axis rather than from 0 to its length.
            read: ``"float"`` reads 8- and 16-bit integers as fractions from 0 (or -1) to 1.
            border: what ``address="border"`` gives outside, one number or one a channel.
            channels: 2 or 4 where the last axis of ``source`` holds the channels of a texel.

        Raises:
            LaunchError: no texture is like that; the message says what to write.
        """
        from simt.core.runtime.cpu_image import cpu_texture
        from simt.core.runtime.image import form_of, sampling_of

        form = form_of(source, channels)
        return cpu_texture(form, sampling_of(filter, address, normalized, read, border, form), source)

    def surface(self, shape: Shape, dtype: object, *, channels: int | None = None) -> CpuSurface:
        """A surface, all texels zero. With ``channels``, 2 or 4, the last axis of ``shape`` holds them."""
        from simt.core.runtime.cpu_image import cpu_surface
        from simt.core.runtime.image import texels_of

        return cpu_surface(texels_of(shape, dtype, channels))

    def image(self, image: HostImage) -> HostImage:
        """The image itself."""
        return image

    def stream(self) -> CpuStream:
        """A stream, for programs written for every device: its launches run at once, in the calling thread."""
        from simt.core.runtime.cpu_stream import CpuStream

        return CpuStream()

    def synchronize(self) -> None:
        """Returns at once: launches on this device end before they return, and raise their own faults."""

    def start(self, run: Run, launch: RecordedLaunch, located: tuple[Located, ...]) -> None:
        """Run the grid, and return when it has ended; or keep it where its stream is being captured.

        Raises:
            LaunchError: the configuration names a stream of something else.
        """
        from simt.core.runtime.cpu_stream import CpuStream

        wanted = launch.configuration.stream
        if wanted is not None and not isinstance(wanted, CpuStream):
            raise LaunchError(
                f"stream {wanted!r}: this launch is on the CPU, where only device.stream() makes streams; leave it "
                "out or pass None"
            )
        stream = wanted or current_stream()
        if isinstance(stream, CpuStream) and stream.recording is not None:
            stream.recording.add(launch)
        else:
            run(launch.record)

    def __repr__(self) -> str:
        return "<CpuDevice>"


def available_threads() -> int:
    """Processors this process may use."""
    affinity: Any = getattr(os, "sched_getaffinity", None)  # absent on macOS and Windows
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@cache
def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    except OSError:  # not Linux
        model = ""
    return model or platform.processor() or platform.machine()
