"""Memory that the threads of a block share, for as long as the block runs.

``array(dtype, shape)`` has a compile-time shape. ``dynamic(dtype, count)`` takes the next part of the bytes that the
launch configuration asks for, so slices never overlap. Both are uninitialised, and a read needs a ``block.sync()``
after the write by another thread.
"""
from __future__ import annotations

from simt.core.forms import dynamic_shared as dynamic
from simt.core.forms import shared_array as array

__all__ = ["array", "dynamic"]
