"""The fake driver in this process: loading it, and what tests ask of it beside the CUDA calls."""
from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable
from enum import IntEnum

from tests.fake_driver.build import library

SIZES = ctypes.c_uint * 6
LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_long, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(SIZES), ctypes.c_uint,
    ctypes.c_void_p, ctypes.c_size_t,
)
Launch = Callable[[int, bytes, int, tuple[int, ...], int, bytes], int]


class Kind(IntEnum):
    """Kinds of handles, in the order of ``enum kind``."""

    STREAM = 0
    EVENT = 1
    MODULE = 2
    FUNCTION = 3
    POOL = 4
    GRAPH = 5
    NODE = 6
    EXECUTION = 7
    ARRAY = 8
    TEXTURE = 9
    SURFACE = 10
    MAPPABLE = 11
    EXTERNAL_MEMORY = 12
    EXTERNAL_SEMAPHORE = 13


class Memory(IntEnum):
    """Kinds of memory, in the order of ``enum memory_kind``."""

    ALL = -1
    DEVICE = 0
    POOL = 1
    MANAGED = 2
    PINNED = 3
    REGISTERED = 4


@functools.cache
def load() -> ctypes.CDLL:
    """The fake driver, loaded. ``libcuda.so.1`` is it from now on, for the whole process.

    Raises:
        RuntimeError: this process has loaded a CUDA driver already, or the fake cannot be built.
    """
    path = library()
    with open("/proc/self/maps") as maps:
        foreign = [line.split()[-1] for line in maps if "libcuda.so" in line and str(path) not in line]
    if foreign:
        raise RuntimeError(f"the fake CUDA driver must be loaded before {foreign[0]}, which this process has already")
    # The loader takes a library that is there for every later request of its soname.
    fake = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    fake.simt_fake_calls.restype = ctypes.c_long
    fake.simt_fake_allocations.restype = ctypes.c_long
    fake.simt_fake_writes_after_free.restype = ctypes.c_long
    fake.simt_fake_global.restype = ctypes.c_void_p
    fake.simt_fake_global.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    fake.simt_fake_image.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    fake.simt_fake_fail.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
    return fake


def calls(function: str) -> int:
    """How often a driver function was called since the start or ``reset_counts``."""
    return int(load().simt_fake_calls(function.encode()))


def reset_counts() -> None:
    """Count calls from zero again."""
    load().simt_fake_reset_counts()


def fail(function: str, result: int, position: int = 1) -> None:
    """Make the call of ``function`` that is number ``position`` from now do nothing and give ``result``."""
    if not load().simt_fake_fail(function.encode(), position, int(result)):
        raise RuntimeError("too many injected failures wait for their calls")


def live(kind: Kind) -> int:
    """Handles of a kind that are not destroyed."""
    return int(load().simt_fake_live(int(kind)))


def allocations(kind: Memory = Memory.ALL) -> int:
    """Allocations that are not freed."""
    return int(load().simt_fake_allocations(int(kind)))


def writes_after_free() -> int:
    """How many allocations were written to after they were freed, since the start. Lets go of all freed memory."""
    return int(load().simt_fake_writes_after_free())


def global_address(module: int, name: str) -> int | None:
    """Where a module's variable lies; None where it has none of that name."""
    address = load().simt_fake_global(module, name.encode())
    return None if address is None else int(address)


_kept: list[object] = []  # the function in use, which C holds


def set_launch(function: Launch | None) -> None:
    """Have every launch call ``function(image, entry, module, grid + block, shared_bytes, record)``.

    ``record`` has the parameters at the image's offsets. What it gives is the status that ends the context, or 0. What
    it raises is printed, and ends the context as CUDA_ERROR_LAUNCH_FAILED. None: launches do nothing.
    """
    _kept[:] = [] if function is None else [LAUNCH(_adapted(function))]
    load().simt_fake_set_launch(_kept[0] if _kept else None)


def _adapted(function: Launch) -> Callable[..., int]:
    def call(
        image: int, entry: bytes, module: int, sizes: ctypes._Pointer[ctypes.Array[ctypes.c_uint]], shared: int,
        record: int, size: int,
    ) -> int:
        try:
            return function(image, entry, module, tuple(sizes.contents), shared, ctypes.string_at(record, size))
        except BaseException:
            sys.excepthook(*sys.exc_info())
            return 719

    return call
