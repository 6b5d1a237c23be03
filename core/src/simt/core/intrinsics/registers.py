"""What the hardware promises of special registers: the smallest and largest value of each.

Source: CUDA C++ Programming Guide, Compute Capabilities, table "Technical Specifications per Compute Capability".
"""
from __future__ import annotations

_LARGEST_GRID = (2**31 - 1, 65535, 65535)
_LARGEST_BLOCK = (1024, 1024, 64)
_AXES = "xyz"

REGISTER_RANGES: dict[str, tuple[int, int]] = {
    **{f"tid.{axis}": (0, size - 1) for axis, size in zip(_AXES, _LARGEST_BLOCK, strict=True)},
    **{f"ntid.{axis}": (1, size) for axis, size in zip(_AXES, _LARGEST_BLOCK, strict=True)},
    **{f"ctaid.{axis}": (0, size - 1) for axis, size in zip(_AXES, _LARGEST_GRID, strict=True)},
    **{f"nctaid.{axis}": (1, size) for axis, size in zip(_AXES, _LARGEST_GRID, strict=True)},
    "laneid": (0, 31),
}
