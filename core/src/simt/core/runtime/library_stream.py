"""The stream in which another library works now: launches on its arrays go there too, unless they name one.

Each entry is the documented call of that library; a library is asked only when it is loaded.
"""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def library_stream(array: object, ordinal: int) -> int | None:
    """The handle of the current stream of ``array``'s library on GPU ``ordinal``; None where the library has none."""
    name = type(array).__module__.partition(".")[0]
    ask, module = CURRENT_STREAM.get(name), sys.modules.get(name)
    return None if ask is None or module is None else ask(module, ordinal) or LEGACY


def _torch(torch: Any, ordinal: int) -> int:  # Any: a module that need not be installed
    return torch.cuda.current_stream(ordinal).cuda_stream


def _cupy(cupy: Any, ordinal: int) -> int:  # Any: as above
    return cupy.cuda.get_current_stream(ordinal).ptr


LEGACY = 1  # the legacy default stream, which these libraries call 0
CURRENT_STREAM: dict[str, Callable[[Any, int], int]] = {"torch": _torch, "cupy": _cupy}  # Any: as above
