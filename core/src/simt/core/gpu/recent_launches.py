"""The last launches of this process, which the report of a hardware fault names."""
from __future__ import annotations

from collections import deque

from simt.core.gpu.launch_extension import extension

REMEMBERED = 8
_names: deque[str] = deque(maxlen=REMEMBERED)  # where the compiled launch path, which keeps its own, was not built


def remember(name: str) -> None:
    """Add a launch."""
    if extension is None:
        _names.append(name)
    else:
        extension.remember(name)


def recent() -> list[str]:
    """Names of the last launches, latest last."""
    return list(_names) if extension is None else extension.recent()
