"""The process's thread pool: starts the workers, and survives forks.

The workers are daemon threads that enter ``simt_worker`` and never come back: they hold no GIL and need none, so they
neither slow Python down nor keep the interpreter from exiting.
"""
from __future__ import annotations

import _thread
import ctypes
import os
import platform
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from simt.core.cache import disk_cache, key_of
from simt.core.cpu import jit
from simt.core.cpu.pool import pool_module
from simt.core.cpu.pool_fields import POOL_BYTES, SHARE_BYTES, PoolField
from simt.core.errors import UnavailableError


@dataclass(frozen=True, slots=True)
class NativePool:
    """Addresses of the pool's code. ``code`` keeps it in memory."""

    code: jit.LoadedObject
    launch: int
    release: int
    worker: int
    setup: int
    fault: int
    print: int
    meet: int
    race: int


@dataclass(frozen=True, slots=True)
class Pool:
    """A running pool. ``memory`` holds its state, at ``address``; ``threads`` counts the caller too.

    ``launch(address, template, arguments)`` gives None, or the address of a copy of the record for ``release``; it
    raises what the handler of a signal raises meanwhile.
    """

    memory: ctypes.Array[ctypes.c_char]
    address: int
    threads: int
    launch: Callable[[int, int, bytes], int | None]
    release: Callable[[int], None]


@dataclass(slots=True)
class _Process:
    """What this process has: ``lock`` guards the start of its pool, and the loading of its code."""

    lock: threading.RLock
    pool: Pool | None = None
    native: NativePool | None = None


_PYTHON_FUNCTIONS = {
    PoolField.SAVE_THREAD: ctypes.pythonapi.PyEval_SaveThread,
    PoolField.RESTORE_THREAD: ctypes.pythonapi.PyEval_RestoreThread,
    PoolField.CHECK_SIGNALS: ctypes.pythonapi.PyErr_CheckSignals,
}
"""Where the pool finds each function of Python that it calls."""

_PROCESS = _Process(threading.RLock())


def pool() -> Pool:
    """The pool of this process, started at the first call.

    ``SIMT_CPU_THREADS`` limits its threads, the launching one included; without it there is one a processor that this
    process may use.

    Raises:
        UnavailableError: ``SIMT_CPU_THREADS`` is not a positive number, or the platform has no POSIX threads.
    """
    if _PROCESS.pool is not None:
        return _PROCESS.pool
    with _PROCESS.lock:
        if _PROCESS.pool is None:
            _PROCESS.pool = _start()
        return _PROCESS.pool


def _start() -> Pool:
    native = native_pool()
    threads = _thread_count()
    memory = ctypes.create_string_buffer(POOL_BYTES + SHARE_BYTES * threads + 64)
    address = (ctypes.addressof(memory) + 63) & ~63
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(native.setup)(address, threads - 1)
    for place, function in _PYTHON_FUNCTIONS.items():
        ctypes.c_void_p.from_address(address + place).value = ctypes.cast(function, ctypes.c_void_p).value
    enter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(native.worker)
    for _ in range(threads - 1):
        _thread.start_new_thread(enter, (address,))
    return Pool(
        memory, address, threads,
        # PYFUNCTYPE keeps the GIL, which the launch gives away itself, and raises what a signal's handler has set.
        ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(native.launch),
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(native.release),
    )


def native_pool() -> NativePool:
    """The pool's code, loaded once a process and kept over forks.

    Once, whichever threads ask together: launch records hold its addresses, and a second copy would be freed.

    Raises:
        UnavailableError: the platform has no POSIX threads.
    """
    with _PROCESS.lock:
        if _PROCESS.native is None:
            _PROCESS.native = _load_native()
        return _PROCESS.native


def _load_native() -> NativePool:
    if sys.platform == "win32":
        raise UnavailableError("the CPU target needs POSIX threads: run it on Linux, macOS or in WSL")
    code = jit.load(_pool_object())
    names = (
        "simt_launch", "simt_release", "simt_worker", "simt_setup", "simt_fault", "simt_print", "simt_meet",
        "simt_race",
    )
    return NativePool(code, *(code.address(name) for name in names))


def _pool_object() -> bytes:
    """The pool's object file, from the disk cache where it is."""
    text = pool_module(sys.platform, platform.machine())
    disk, key = disk_cache(), key_of("pool", text, jit.host_description())
    entry = None if disk is None else disk.load(key)
    if entry is not None:
        return entry["object"]
    image = jit.compile_text(text, 0)
    if disk is not None:
        disk.store(key, {"object": image})
    return image


def _thread_count() -> int:
    text = os.environ.get("SIMT_CPU_THREADS")
    if text is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.strip().isdecimal() or int(text) == 0:
        raise UnavailableError(f"SIMT_CPU_THREADS is {text!r}; it must be a whole number of at least 1")
    return int(text)


def _forget() -> None:
    """In a forked child: the workers are gone and a lock may have been held, so the next launch starts a new pool."""
    _PROCESS.lock, _PROCESS.pool = threading.RLock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
