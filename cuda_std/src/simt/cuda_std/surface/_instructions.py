"""The surface instructions, each for one number of axes."""
from __future__ import annotations

from typing import Any

from simt.core.annotations import D1, D2, D3, Const, Surface
from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.recipe import Body, Expand, InlinePtx
from simt.core.scalars import i32, i64
from simt.cuda_std.generics import SurfaceTexel
from simt.cuda_std.surface import _lowering as lowering
from simt.cuda_std.surface._texels import depth_of, height_of, read, width_of, write

QUERIES = "PTX ISA, Surface Instructions: suq"
LOADS = "PTX ISA, Surface Instructions: suld"
STORES = "PTX ISA, Surface Instructions: sust"


@intrinsic(
    gpu=Expand(lowering.load), cpu=Body(), ptx=r"suld\.b\.2d\.(v\d\.)?b\d+\.trap", since=Sm(50), source=LOADS,
    behavior=Behavior.OBSERVE, uniformity=Uniformity.LANE,
)
def load_1d(surface: Surface[SurfaceTexel, D1], x: i64, boundary: Const[i32]) -> SurfaceTexel:
    """The texel x."""
    return read(surface, x, 0, 0, boundary)


@intrinsic(
    gpu=Expand(lowering.load), cpu=Body(), ptx=r"suld\.b\.2d\.(v\d\.)?b\d+\.trap", since=Sm(50), source=LOADS,
    behavior=Behavior.OBSERVE, uniformity=Uniformity.LANE,
)
def load_2d(surface: Surface[SurfaceTexel, D2], x: i64, y: i64, boundary: Const[i32]) -> SurfaceTexel:
    """The texel (x, y)."""
    return read(surface, x, y, 0, boundary)


@intrinsic(
    gpu=Expand(lowering.load), cpu=Body(), ptx=r"suld\.b\.3d\.(v\d\.)?b\d+\.trap", since=Sm(50), source=LOADS,
    behavior=Behavior.OBSERVE, uniformity=Uniformity.LANE,
)
def load_3d(surface: Surface[SurfaceTexel, D3], x: i64, y: i64, z: i64, boundary: Const[i32]) -> SurfaceTexel:
    """The texel (x, y, z)."""
    return read(surface, x, y, z, boundary)


@intrinsic(
    gpu=Expand(lowering.store), cpu=Body(), ptx=r"sust\.b\.2d\.(v\d\.)?b\d+\.trap", since=Sm(50), source=STORES,
    behavior=Behavior.EFFECT,
)
def store_1d(surface: Surface[SurfaceTexel, D1], x: i64, value: SurfaceTexel, boundary: Const[i32]) -> None:
    """Write the texel x."""
    write(surface, x, 0, 0, value, boundary)


@intrinsic(
    gpu=Expand(lowering.store), cpu=Body(), ptx=r"sust\.b\.2d\.(v\d\.)?b\d+\.trap", since=Sm(50), source=STORES,
    behavior=Behavior.EFFECT,
)
def store_2d(surface: Surface[SurfaceTexel, D2], x: i64, y: i64, value: SurfaceTexel, boundary: Const[i32]) -> None:
    """Write the texel (x, y)."""
    write(surface, x, y, 0, value, boundary)


@intrinsic(
    gpu=Expand(lowering.store), cpu=Body(), ptx=r"sust\.b\.3d\.(v\d\.)?b\d+\.trap", since=Sm(50), source=STORES,
    behavior=Behavior.EFFECT,
)
def store_3d(
    surface: Surface[SurfaceTexel, D3], x: i64, y: i64, z: i64, value: SurfaceTexel, boundary: Const[i32]
) -> None:
    """Write the texel (x, y, z)."""
    write(surface, x, y, z, value, boundary)


@intrinsic(
    gpu=InlinePtx("suq.width.b32 $0, [$1];", "=r,l", effects=False), cpu=Body(), ptx=r"suq\.width\.b32", since=Sm(50),
    source=QUERIES,
)
def width(surface: Surface[SurfaceTexel, Any]) -> i32:
    """Texels along x."""
    return width_of(surface)


@intrinsic(
    gpu=InlinePtx("suq.height.b32 $0, [$1];", "=r,l", effects=False), cpu=Body(), ptx=r"suq\.height\.b32", since=Sm(50),
    source=QUERIES,
)
def height(surface: Surface[SurfaceTexel, Any]) -> i32:
    """Texels along y, of a surface of two or three axes."""
    return height_of(surface)


@intrinsic(
    gpu=InlinePtx("suq.depth.b32 $0, [$1];", "=r,l", effects=False), cpu=Body(), ptx=r"suq\.depth\.b32", since=Sm(50),
    source=QUERIES,
)
def depth(surface: Surface[SurfaceTexel, D3]) -> i32:
    """Texels along z."""
    return depth_of(surface)
