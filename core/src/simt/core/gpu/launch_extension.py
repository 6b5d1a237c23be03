"""The compiled launch path, if it was built: ``extension`` is its module, or None with ``reason`` saying why.

Without it launches take the same checks in Python, a few microseconds more each. ``build_extension.py`` builds it.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

reason = ""
try:
    extension: Any = importlib.import_module("simt.core.gpu._launch")  # Any: a compiled module
except ImportError as error:
    extension, reason = None, str(error)

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

else:
    Life = extension.Life
    DescribedArray = extension.DescribedArray
