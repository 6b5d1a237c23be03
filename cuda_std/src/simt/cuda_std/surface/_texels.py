"""What surface accesses mean, computed from the image's description: the CPU target compiles it, tests run it."""
from __future__ import annotations

from typing import Any

from simt.core.annotations import Ptr
from simt.core.forms import bitcast, fault
from simt.core.image_description import ImageDescription
from simt.core.scalars import i32, i64, u64
from simt.cuda_std.surface._boundary import Boundary


def read(surface: Any, x: i64, y: i64, z: i64, boundary: i32) -> Any:  # Any: a surface, and its texel
    """The texel at whole indices; axes that the surface lacks are 0."""
    described = bitcast(bitcast(surface, u64), Ptr[ImageDescription])
    width, height, depth = described[0].width, described[0].height, described[0].depth
    inside = 0 <= x < width and 0 <= y < height and 0 <= z < depth
    if boundary == Boundary.TRAP and not inside:
        fault(f"the texel ({x}, {y}, {z}) lies outside a surface of {width} x {height} x {depth}")
    column, row, plane = min(max(x, 0), width - 1), min(max(y, 0), height - 1), min(max(z, 0), depth - 1)
    if boundary == Boundary.ZERO and not inside:
        return _zero(surface)
    return _row(surface, row, plane)[column]


def write(surface: Any, x: i64, y: i64, z: i64, value: Any, boundary: i32) -> None:  # Any: as read
    """Store the texel at whole indices; axes that the surface lacks are 0."""
    described = bitcast(bitcast(surface, u64), Ptr[ImageDescription])
    width, height, depth = described[0].width, described[0].height, described[0].depth
    inside = 0 <= x < width and 0 <= y < height and 0 <= z < depth
    if boundary == Boundary.TRAP and not inside:
        fault(f"the texel ({x}, {y}, {z}) lies outside a surface of {width} x {height} x {depth}")
    if boundary == Boundary.CLAMP or inside:
        row, plane = min(max(y, 0), height - 1), min(max(z, 0), depth - 1)
        _row(surface, row, plane)[min(max(x, 0), width - 1)] = value


def _row(surface: Any, y: i64, z: i64) -> Any:  # Any: a pointer to the first texel of a row
    described = bitcast(bitcast(surface, u64), Ptr[ImageDescription])
    start = described[0].data + u64(z * described[0].plane_bytes + y * described[0].row_bytes)
    return bitcast(start, Ptr[surface.dtype])


def _zero(surface: Any) -> Any:  # Any: a texel
    zero = surface.channel_dtype(0)
    if surface.channels == 1:
        return zero
    return surface.dtype(zero, zero) if surface.channels == 2 else surface.dtype(zero, zero, zero, zero)


def width_of(surface: Any) -> i32:
    """Texels along x."""
    return bitcast(bitcast(surface, u64), Ptr[ImageDescription])[0].width


def height_of(surface: Any) -> i32:
    """Texels along y."""
    return bitcast(bitcast(surface, u64), Ptr[ImageDescription])[0].height


def depth_of(surface: Any) -> i32:
    """Texels along z."""
    return bitcast(bitcast(surface, u64), Ptr[ImageDescription])[0].depth
