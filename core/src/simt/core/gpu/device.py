"""A GPU as programs see it: memory, streams, waiting, and what it can do."""
from __future__ import annotations

import functools
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.core.architecture import Architecture, best_for
from simt.core.current_stream import current_stream
from simt.core.errors import DriverError, LaunchError, UnavailableError
from simt.core.gpu import allocation as memory
from simt.core.gpu import device_facts
from simt.core.gpu.allocation import Allocation, LiveAllocation
from simt.core.gpu.array import GpuArray, empty_array
from simt.core.gpu.callback import catch_up
from simt.core.gpu.context import make_current, primary_context
from simt.core.gpu.copies import copy_from, zero
from simt.core.gpu.pool import MemoryPool
from simt.core.gpu.recent_launches import recent
from simt.core.gpu.stream import LEGACY, GpuStream, adopt, default_stream, new_stream
from simt.core.gpu.texture import GpuImage, GpuSurface, GpuTexture, gpu_image, gpu_surface, gpu_texture
from simt.core.runtime.cuda_driver import LOST_CONTEXT, cu, driver, newest
from simt.core.runtime.dtypes import as_dtype
from simt.core.runtime.image import HostImage, form_of, sampling_of, texels_of
from simt.core.target import Gpu

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from simt.core.device import Run
    from simt.core.gpu.executable import GpuExecutable
    from simt.core.recorded_launch import RecordedLaunch
    from simt.core.runtime.memory import Located

Shape = int | tuple[int, ...]


class GpuDevice:
    """One NVIDIA GPU, by its number in CUDA_VISIBLE_DEVICES' order. ``gpu(0)`` gives the same object each time.

    Launches return at once; ``synchronize`` waits for them and raises what they failed with.
    """

    def __init__(self, ordinal: int) -> None:
        count = cu("cuDeviceGetCount")
        if not 0 <= ordinal < count:
            raise UnavailableError(f"GPU {ordinal} asked for, and there are {count}, numbered from 0")
        self.ordinal = ordinal
        self.bound = cu("cuDeviceGet", ordinal)
        self.live: dict[int, LiveAllocation] = {}
        self.may_have_failed: dict[int, GpuExecutable] = {}

    @functools.cached_property
    def context(self) -> Any:  # Any: a handle of the bindings
        """The primary context."""
        return primary_context(self.ordinal)

    @functools.cached_property
    def pool(self) -> MemoryPool:
        """Where arrays get their memory."""
        return MemoryPool(self.ordinal)

    @property
    def name(self) -> str:
        """``NVIDIA H200 (GPU 0)``."""
        return f"{self.short_name} (GPU {self.ordinal})"

    @functools.cached_property
    def short_name(self) -> str:
        """What the driver calls it."""
        return cu("cuDeviceGetName", 128, self.bound).split(b"\0")[0].decode()

    @functools.cached_property
    def compute_capability(self) -> tuple[int, int]:
        """Major and minor version."""
        return self.attribute("COMPUTE_CAPABILITY_MAJOR"), self.attribute("COMPUTE_CAPABILITY_MINOR")

    @functools.cached_property
    def target(self) -> Gpu:
        """What kernels are compiled for: the most specific architecture that this GPU runs and the compiler knows."""
        major, minor = self.compute_capability
        return Gpu(best_for(10 * major + minor))

    @property
    def architecture(self) -> Architecture:
        """The same, as an architecture."""
        return self.target.architecture

    def attribute(self, name: str) -> int:
        """A device attribute by its name in the driver API, without the prefix: ``"MULTIPROCESSOR_COUNT"``.

        Raises:
            ValueError: no attribute has that name.
        """
        found = getattr(driver().CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name.upper()}", None)
        if found is None:
            raise ValueError(f"{name!r} is no device attribute; names are those of CUdevice_attribute without prefix")
        return int(cu("cuDeviceGetAttribute", found, self.bound))

    def attributes(self) -> dict[str, int]:
        """Every attribute that the driver knows, by name."""
        return device_facts.attributes(self)

    def limit(self, name: str) -> int:
        """A limit of the context: ``"stack_size"`` (bytes a thread), ``"printf_fifo_size"``, ``"malloc_heap_size"``.

        Raises:
            ValueError: no limit has that name; the message lists them.
        """
        return device_facts.limit(self, name)

    def set_limit(self, name: str, value: int) -> int:
        """Set a limit for later launches; gives the value in effect, which the driver may round. Raises likewise."""
        return device_facts.set_limit(self, name, value)

    @property
    def total_memory(self) -> int:
        """Bytes of device memory."""
        return int(cu("cuDeviceTotalMem", self.bound))

    @property
    def free_memory(self) -> int:
        """Bytes that the driver could still give to somebody; the pool's unused memory is not among them."""
        make_current(self.ordinal)
        return int(cu("cuMemGetInfo")[0])

    @property
    def uuid(self) -> str:
        """The GPU's identity, as nvidia-smi prints it."""
        raw = bytes(cu(newest("cuDeviceGetUuid"), self.bound).bytes).hex()
        return "GPU-" + "-".join((raw[:8], raw[8:12], raw[12:16], raw[16:20], raw[20:]))

    # ---- memory

    def array(self, host: ArrayLike | GpuArray, dtype: object = None) -> GpuArray:
        """New memory with the contents of ``host`` in C order; ``dtype`` defaults to the host array's."""
        if isinstance(host, GpuArray) and (dtype is None or as_dtype(dtype) == host.dtype):
            made = self.empty(host.shape, host.dtype)
            copy_from(made, host)
            return made
        source = host.numpy() if isinstance(host, GpuArray) else np.asarray(host)
        target = source.dtype if dtype is None else as_dtype(dtype)
        if target.kind == "O":
            raise LaunchError("an array of Python objects has no device memory; give a dtype")
        made = self.empty(source.shape, target)
        copy_from(made, np.ascontiguousarray(source, target).reshape(source.shape))
        return made

    def empty(self, shape: Shape, dtype: object) -> GpuArray:
        """New memory, uninitialised."""
        return self._made(shape, dtype, memory.allocate)

    def zeros(self, shape: Shape, dtype: object) -> GpuArray:
        """New memory, all bytes zero."""
        made = self.empty(shape, dtype)
        zero(made)
        return made

    def full(self, shape: Shape, value: object, dtype: object) -> GpuArray:
        """New memory, every element ``value``."""
        made = self.empty(shape, dtype)
        made.fill(value)
        return made

    def pinned(self, shape: Shape, dtype: object) -> GpuArray:
        """Page-locked host memory, which kernels address and which copies at full speed; see ``host_view``."""
        return self._made(shape, dtype, memory.allocate_pinned)

    def managed(self, shape: Shape, dtype: object) -> GpuArray:
        """Memory that moves between host and GPU on demand; see ``host_view`` and ``simt.core.gpu.managed``."""
        return self._made(shape, dtype, memory.allocate_managed)

    def pitched(self, shape: tuple[int, ...], dtype: object) -> GpuArray:
        """Memory whose rows each start at an address that suits the hardware; declare parameters ``Strided``."""
        kind, extents = as_dtype(dtype), _extents(shape)
        if len(extents) < 2:
            raise LaunchError(f"pitched memory has 2 or 3 axes; {extents} given")
        rows = int(np.prod(extents[:-1], dtype=np.int64))
        access = min(16, max(4, kind.itemsize & -kind.itemsize))
        made, pitch = memory.allocate_pitched(self, extents[-1] * kind.itemsize, rows, access, self.stream_in_use())
        strides = [kind.itemsize, pitch]
        for extent in reversed(extents[1:-1]):
            strides.append(strides[-1] * extent)
        return empty_array(made, kind, extents, tuple(reversed(strides)))

    def texture(
        self, source: ArrayLike | GpuArray | GpuSurface, *, filter: str = "point",
        address: str | Sequence[str] = "clamp", normalized: bool = False, read: str = "element",
        border: float | Sequence[float] = 0.0, channels: int | None = None,
    ) -> GpuTexture:
        """A texture, as ``CpuDevice.texture``; texels are copied into a CUDA array in the current stream's order."""
        form = form_of(source, channels)
        return gpu_texture(self, form, sampling_of(filter, address, normalized, read, border, form), source)

    def surface(self, shape: Shape, dtype: object, *, channels: int | None = None) -> GpuSurface:
        """A surface over a CUDA array, all texels zero. With ``channels``, 2 or 4, the last axis holds them."""
        return gpu_surface(self, texels_of(shape, dtype, channels))

    def image(self, image: HostImage) -> HostImage:
        """An image of the CPU device as one of this GPU, its texels copied; others as they are."""
        return gpu_image(self, image)

    def live_allocations(self) -> list[LiveAllocation]:
        """Memory that arrays of this process hold, oldest first. SIMT_TRACK_MEMORY=1 adds who asked for it."""
        return list(self.live.values())

    def _made(self, shape: Shape, dtype: object, allocate: Any) -> GpuArray:  # Any: one of the functions of memory
        kind, extents, stream = as_dtype(dtype), _extents(shape), self.stream_in_use()
        if stream.recording is not None:
            raise LaunchError("a graph cannot allocate memory: allocate before the capture")
        nbytes = kind.itemsize
        for extent in extents:
            nbytes *= extent
        made: Allocation = allocate(self, nbytes, stream)
        return empty_array(made, kind, extents)

    # ---- launches

    @property
    def place(self) -> int:
        """Its number among places, see ``runtime.place``."""
        return self.ordinal

    def start(self, run: Run, launch: RecordedLaunch, located: tuple[Located, ...]) -> None:
        """Start a launch after what other libraries have queued on its arrays, and return at once; or keep it where its
        stream is being captured.

        Raises:
            LaunchError: the configuration names no stream of this device.
        """
        stream = self._stream_of(launch.configuration.stream, located)
        if stream.recording is not None:
            stream.recording.add(launch, stream)
            return
        for _, item in located:
            if item.stream not in (None, stream.handle):
                stream.wait(GpuStream(self, item.stream or LEGACY, item.owner))
        run(launch.record, stream)
        for _, item in located:
            if isinstance(item.owner, GpuArray | GpuImage):
                item.owner.allocation.used_on(stream)

    def _stream_of(self, wanted: object, located: tuple[Located, ...]) -> GpuStream:
        """``wanted``, or this thread's stream, or the one in which the arrays' library works, or the default one."""
        if wanted is not None:
            return adopt(self, wanted)
        current = current_stream()
        if isinstance(current, GpuStream) and current.device is self:
            return current
        for _, item in located:
            if item.stream not in (None, LEGACY):
                return GpuStream(self, item.stream or LEGACY, item.owner)
        return default_stream(self)

    # ---- streams and waiting

    def stream(self, *, priority: int = 0) -> GpuStream:
        """A new stream; it does not wait for the default stream. ``priority`` as in ``stream_priorities``."""
        low, high = self.stream_priorities
        if not high <= priority <= low:
            raise LaunchError(f"priority {priority}: this device has {high} (runs first) to {low}")
        return new_stream(self, priority)

    @property
    def stream_priorities(self) -> tuple[int, int]:
        """The lowest and the highest priority, as numbers: the higher priority is the smaller number."""
        make_current(self.ordinal)
        low, high = cu("cuCtxGetStreamPriorityRange")
        return int(low), int(high)

    @property
    def default_stream(self) -> GpuStream:
        """The stream that is used where none is named: CUDA's legacy default stream, which torch and CuPy use too."""
        return default_stream(self)

    def adopt(self, stream: object) -> GpuStream:
        """A stream of torch, CuPy, cuda.core or Numba as one of ours."""
        return adopt(self, stream)

    def foreign_stream(self, handle: int) -> GpuStream:
        """A stream known by its handle alone, whose owner keeps it alive."""
        return default_stream(self) if handle == LEGACY else GpuStream(self, handle)

    def stream_in_use(self) -> GpuStream:
        """This thread's current stream if it is this device's, else the default stream."""
        current = current_stream()
        return current if isinstance(current, GpuStream) and current.device is self else default_stream(self)

    def synchronize(self) -> None:
        """Wait for all work on the device.

        Raises:
            DeviceFault: a thread of a kernel failed; the device goes on working.
            DriverError: the hardware reports a failure, after which this process cannot use the GPU any more.
        """
        catch_up()
        make_current(self.ordinal)
        noted, self.may_have_failed = self.may_have_failed, {}  # what is launched from here on is not waited for
        with self.explaining_failures():
            cu("cuCtxSynchronize")
        while noted:
            _, executable = noted.popitem()
            fault = executable.take_fault()
            if fault is not None:
                self.may_have_failed.update(noted)
                raise fault

    def raise_faults(self) -> None:
        """Raise a fault that a kernel has had in any stream. Others may still run, so every kernel stays noted.

        Raises:
            DeviceFault: once all work on the device has ended, so that the failed grid counts and reports once.
        """
        if any(executable.has_failed() for executable in tuple(self.may_have_failed.values())):
            self.synchronize()

    @contextmanager
    def explaining_failures(self) -> Generator[None]:
        """Add the last launches to the error that lost the context."""
        try:
            yield
        except DriverError as error:
            if error.result not in LOST_CONTEXT:
                raise
            launches = ", ".join(recent()) or "none"
            raise DriverError(
                f"{error}\nThe GPU's context is lost, so this process must end. Last launches: {launches} "
                f"(latest last). To find the line, run again with SIMT_CHECKS=1, or under compute-sanitizer",
                result=error.result, call=error.call,
            ) from None

    def __repr__(self) -> str:
        return f"<GpuDevice {self.ordinal}: {self.short_name}>"


def gpu(ordinal: int = 0) -> GpuDevice:
    """The GPU with a number; the same object each time.

    Raises:
        UnavailableError: no GPU can be used, or not so many; the message says what was found and what to install.
    """
    return _device(ordinal)


_device = functools.cache(GpuDevice)


def _extents(shape: Shape) -> tuple[int, ...]:
    extents = shape if isinstance(shape, tuple) else (shape,)
    for extent in extents:
        if isinstance(extent, bool) or not hasattr(extent, "__index__") or extent < 0:
            raise LaunchError(f"shape {shape!r}: {extent!r} is no non-negative integer")
    return tuple(map(int, extents))
