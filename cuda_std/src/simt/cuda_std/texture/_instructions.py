"""The texture instructions, each for one number of axes."""
from __future__ import annotations

from simt.core.annotations import D1, D2, D3, Texture
from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import Body, Expand
from simt.core.scalars import f32, i64
from simt.cuda_std.generics import Texel
from simt.cuda_std.texture import _lowering as lowering
from simt.cuda_std.texture._sampling import sample, texel

SOURCE = "PTX ISA, Texture Instructions: tex"


@intrinsic(gpu=Expand(lowering.fetch), cpu=Body(), ptx=r"tex\.2d\.v4\.[fsu]32\.f32", since=Sm(50), source=SOURCE)
def fetch_1d(texture: Texture[Texel, D1], x: f32) -> Texel:
    """The value at x."""
    return sample(texture, x, 0.0, 0.0)


@intrinsic(gpu=Expand(lowering.fetch), cpu=Body(), ptx=r"tex\.2d\.v4\.[fsu]32\.f32", since=Sm(50), source=SOURCE)
def fetch_2d(texture: Texture[Texel, D2], x: f32, y: f32) -> Texel:
    """The value at (x, y)."""
    return sample(texture, x, y, 0.0)


@intrinsic(gpu=Expand(lowering.fetch), cpu=Body(), ptx=r"tex\.3d\.v4\.[fsu]32\.f32", since=Sm(50), source=SOURCE)
def fetch_3d(texture: Texture[Texel, D3], x: f32, y: f32, z: f32) -> Texel:
    """The value at (x, y, z)."""
    return sample(texture, x, y, z)


@intrinsic(gpu=Expand(lowering.load), cpu=Body(), ptx=r"tex\.2d\.v4\.[fsu]32\.s32", since=Sm(50), source=SOURCE)
def load_1d(texture: Texture[Texel, D1], x: i64) -> Texel:
    """The texel x; zero outside the image."""
    return texel(texture, x, 0, 0)


@intrinsic(gpu=Expand(lowering.load), cpu=Body(), ptx=r"tex\.2d\.v4\.[fsu]32\.s32", since=Sm(50), source=SOURCE)
def load_2d(texture: Texture[Texel, D2], x: i64, y: i64) -> Texel:
    """The texel (x, y); zero outside the image."""
    return texel(texture, x, y, 0)


@intrinsic(gpu=Expand(lowering.load), cpu=Body(), ptx=r"tex\.3d\.v4\.[fsu]32\.s32", since=Sm(50), source=SOURCE)
def load_3d(texture: Texture[Texel, D3], x: i64, y: i64, z: i64) -> Texel:
    """The texel (x, y, z); zero outside the image."""
    return texel(texture, x, y, z)
