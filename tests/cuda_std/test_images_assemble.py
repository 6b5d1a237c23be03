"""The assembler takes every form of the texture and surface instructions, for each family of architectures."""
from __future__ import annotations

from typing import Any

import pytest

from simt.core import (
    D2,
    D3,
    Out,
    Surface,
    Texture,
    f16,
    f16x2,
    f16x4,
    f32,
    f32x2,
    f32x4,
    i8,
    i16,
    i16x2,
    i16x4,
    i32,
    i32x2,
    kernel,
    u8,
    u8x2,
    u8x4,
    u32,
    u32x4,
)
from simt.cuda_std import surface, texture
from simt.cuda_std.generics import SurfaceTexel, Texel

pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")
pytest.importorskip("cuda.bindings.nvjitlink", reason="nvJitLink is not installed (extra cu12 or cu13)")

TARGETS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_103f", "sm_120")


@kernel
def reads(line: Texture[Texel], plane: Texture[Texel, D2], space: Texture[Texel, D3], out: Out[Texel], i: i32, x: f32):
    out[0] = texture.load(line, i)
    out[1] = texture.load(plane, i, i)
    out[2] = texture.load(space, i, i, i)
    out[3] = texture.fetch(line, x)
    out[4] = texture.fetch(plane, x, x)
    out[5] = texture.fetch(space, x, x, x)


@kernel
def accesses(line: Surface[SurfaceTexel], plane: Surface[SurfaceTexel, D2], space: Surface[SurfaceTexel, D3], i: i32):
    surface.store(line, i, surface.load(line, 0))
    surface.store(line, i, surface.load(line, 1, boundary=surface.ZERO), boundary=surface.CLAMP)
    surface.store(line, i, surface.load(line, 1, boundary=surface.CLAMP), boundary=surface.ZERO)
    surface.store(plane, i, i, surface.load(plane, 0, i))
    surface.store(plane, i, i, surface.load(plane, 1, i, boundary=surface.ZERO), boundary=surface.CLAMP)
    surface.store(plane, i, i, surface.load(plane, 1, i, boundary=surface.CLAMP), boundary=surface.ZERO)
    surface.store(space, i, i, i, surface.load(space, 0, i, i))
    surface.store(space, i, i, i, surface.load(space, 1, i, i, boundary=surface.ZERO), boundary=surface.CLAMP)
    surface.store(space, i, i, i, surface.load(space, 1, i, i, boundary=surface.CLAMP), boundary=surface.ZERO)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("texel", (u8, i32, f32, i16x2, f32x2, u8x4, u32x4, f32x4))
def test_texture_reads(texel: Any, target: str) -> None:
    signature = (Texture[texel], Texture[texel, D2], Texture[texel, D3], Out[texel], i32, f32)
    assert reads.compile(target=target, signature=signature).cubin


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("texel", (i8, u8x2, u8x4, i16, f16, f16x2, i16x4, f16x4, u32, f32, i32x2, f32x2, u32x4, f32x4))
def test_surface_accesses(texel: Any, target: str) -> None:
    signature = (Surface[texel], Surface[texel, D2], Surface[texel, D3], i32)
    assert accesses.compile(target=target, signature=signature).cubin
