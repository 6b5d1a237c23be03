"""Ranges and marks on the timelines of NVIDIA's profilers, through the C library of NVTX.

The library is looked for at the first use; without it a call is refused, since a mark that nobody records would look
like one that was recorded. Without a profiler attached a call costs some ten nanoseconds. Source: NVTX 3, C API.
"""
from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from simt.core.errors import UnavailableError

NAMES = ("libnvtx3interop.so.1", "libnvToolsExt.so.1")  # of NVTX 3, and of CUDA 12.8 and earlier
EXTRA = "pip install nvidia-nvtx (or nvidia-nvtx-cu12)"


@contextmanager
def annotate(message: str) -> Generator[None]:
    """``with annotate("step"):`` is a range on this thread's row; ranges nest.

    Raises:
        UnavailableError: the library of NVTX is not installed.
    """
    push(message)
    try:
        yield
    finally:
        pop()


def push(message: str) -> None:
    """Begin a range on this thread. Raises as ``annotate``."""
    library().nvtxRangePushA(message.encode())


def pop() -> None:
    """End this thread's innermost range. Raises as ``annotate``."""
    library().nvtxRangePop()


def start(message: str) -> int:
    """Begin a range that any thread may end; gives what ``end`` takes. Raises as ``annotate``."""
    return int(library().nvtxRangeStartA(message.encode()))


def end(identity: int) -> None:
    """End a range that ``start`` began. Raises as ``annotate``."""
    library().nvtxRangeEnd(identity)


def mark(message: str) -> None:
    """One moment on this thread's row. Raises as ``annotate``."""
    library().nvtxMarkA(message.encode())


@functools.cache
def library() -> ctypes.CDLL:
    """The C library, loaded.

    Raises:
        UnavailableError: it is not installed; says what to install.
    """
    for candidate in (*NAMES, *_in_wheels()):
        try:
            return _typed(ctypes.CDLL(str(candidate)))
        except OSError:
            continue
    raise UnavailableError(f"ranges and marks need the library of NVTX, {' or '.join(NAMES)}: {EXTRA}")


def library_path() -> str:
    """Where the library was found. Raises as ``library``."""
    return library()._name


def _in_wheels() -> list[Path]:
    """Where NVIDIA's wheels put it: ``nvidia/nvtx/lib`` for CUDA 12, ``nvidia/cu13/lib`` from 13 on."""
    return [path for folder in sys.path for name in NAMES for path in sorted(Path(folder).glob(f"nvidia/*/lib/{name}"))]


def _typed(library: ctypes.CDLL) -> ctypes.CDLL:
    for name in ("nvtxRangePushA", "nvtxMarkA", "nvtxRangeStartA"):
        getattr(library, name).argtypes = [ctypes.c_char_p]
    library.nvtxMarkA.restype = None
    library.nvtxRangeStartA.restype = ctypes.c_uint64
    library.nvtxRangeEnd.argtypes = [ctypes.c_uint64]
    library.nvtxRangeEnd.restype = None
    return library
