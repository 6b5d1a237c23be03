"""The compiled launch path, if it was built: ``extension`` is its module, or None with ``reason`` saying why.

Without it launches take the same checks in Python, a few microseconds more each. ``build_extension.py`` builds it.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from simt.core.gpu.native_sources import sources_digest


def _load() -> tuple[Any, str]:  # Any: a compiled module
    try:
        module: Any = importlib.import_module("simt.core.gpu._launch")  # Any: as above
    except ImportError as error:
        return None, f"{error}; python -m simt.core.gpu.build_extension builds it"
    if getattr(module, "SOURCES", None) != sources_digest():
        return None, "it was built from other sources; python -m simt.core.gpu.build_extension builds it anew"
    return module, ""


extension, reason = _load()

if TYPE_CHECKING or extension is None:

    class Life:
        """Base of ``Allocation``: whether its memory may be used."""

        __slots__ = ()

        def set_life(self, alive: bool, home: int, /) -> None:
            """Whether the memory may be used, and its home stream's handle: the compiled path reads both."""

    class DescribedArray:
        """Base of ``GpuArray``: what a launch reads of it."""

        __slots__ = ()

        def describe(
            self, address: int, size: int, dtype: object, shape: tuple[int, ...], strides: tuple[int, ...],
            contiguous: bool, ordinal: int, life: Life, /,
        ) -> None:
            """Keep what the compiled path reads."""

    class CallableLaunch:
        """Base of ``Launch``: the compiled path calls a described launcher itself."""

        def use_launcher(self, launcher: object, captures: list[object], /) -> None:
            """Let calls go to a launcher of the compiled path, while nothing is captured."""

else:
    CallableLaunch = extension.CallableLaunch
    Life = extension.Life
    DescribedArray = extension.DescribedArray
