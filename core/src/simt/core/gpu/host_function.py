"""Python functions called in a stream's order, on a thread of the driver's."""
from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from simt.core.gpu.callback import callback
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.gpu.stream import GpuStream

_waiting: dict[int, Callable[[], object]] = {}  # by number, until called
_next = iter(range(1, sys.maxsize))


def enqueue(stream: GpuStream, function: Callable[[], object]) -> None:
    """Have the driver call ``function`` once the work now in ``stream`` has ended."""
    number = next(_next)
    _waiting[number] = function
    entry = driver().CUhostFn(ctypes.cast(_entry, ctypes.c_void_p).value)
    cu("cuLaunchHostFunc", stream.bound, entry, number)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _entry(number: int) -> None:
    """What the driver calls; ctypes takes the GIL, and prints what the function raises."""
    with callback():
        _waiting.pop(number)()
