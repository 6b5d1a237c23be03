"""Surface accesses on the CPU target: what is written is read, what lies outside does as it was asked to."""
from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest

from simt.core import (
    D2,
    D3,
    CpuDevice,
    DeviceFault,
    LaunchError,
    Out,
    Surface,
    Texture,
    f16,
    f32,
    f32x4,
    i16,
    i32,
    i32x2,
    kernel,
    u8,
    u8x4,
)
from simt.core.testing.reference import run_reference
from simt.cuda_std import surface, texture, thread
from tests.cuda_std.targets import both_targets

DEVICE = CpuDevice()
E = TypeVar("E", u8, i16, f16, f32, u8x4, i32x2, f32x4)


@kernel
def turn(source: Surface[E, D2], target: Surface[E, D2], width: i32, height: i32):
    x, y = thread.index_2d()
    if x < width and y < height:
        surface.store(target, y, x, surface.load(source, x, y))


@kernel
def line(s: Surface[f32], wide: Surface[f32]):
    i = thread.index_1d()
    surface.store(s, i, surface.load(s, i) + 1)
    surface.store(wide, i, 2.5, boundary=surface.ZERO)


@kernel
def space(s: Surface[i32x2, D3], x: i32):
    surface.store(s, x, 1, 2, i32x2(7, 8))
    surface.store(s, 0, 0, 0, surface.load(s, x, 1, 2))


@kernel
def outside(s: Surface[i32, D2], x: i32, y: i32, out: Out[i32]):
    out[0] = surface.load(s, x, y, boundary=surface.CLAMP)
    out[1] = surface.load(s, x, y, boundary=surface.ZERO)
    surface.store(s, x, y, 77, boundary=surface.ZERO)
    surface.store(s, x, y, 99, boundary=surface.CLAMP)


@kernel
def trapped(s: Surface[f32, D2], x: i32, out: Out[f32]):
    out[0] = surface.load(s, x, 1)


@kernel
def trapped_store(s: Surface[f32, D2], x: i32):
    surface.store(s, 1, x, 1.0)


@kernel
def reads_written(s: Surface[f32], t: Texture[f32]):
    surface.store(s, 0, texture.fetch(t, 0.5))


@pytest.mark.parametrize("dtype", (u8, i16, f16, f32, u8x4, i32x2, f32x4))
def test_texels_are_moved_whole(dtype: Any) -> None:
    source, target = DEVICE.surface((5, 7), dtype), DEVICE.surface((7, 5), dtype)
    values = np.random.default_rng(1).integers(0, 100, source.shape).astype(source.dtype)
    source.copy_from(values)
    turn[(1, 1), (8, 8)](source, target, 7, 5)
    np.testing.assert_array_equal(target.numpy(), np.swapaxes(values, 0, 1))


@both_targets
def test_one_axis(run: Any) -> None:
    s, wide = DEVICE.surface(4, f32), DEVICE.surface(3, f32)
    run(line, 1, 4, s, wide)
    assert s.numpy().tolist() == [1, 1, 1, 1]
    assert wide.numpy().tolist() == [2.5, 2.5, 2.5]


@both_targets
def test_three_axes(run: Any) -> None:
    s = DEVICE.surface((3, 4, 5), i32x2)
    run(space, 1, 1, s, 3)
    expected = np.zeros((3, 4, 5, 2), np.int32)
    expected[2, 1, 3] = expected[0, 0, 0] = 7, 8
    np.testing.assert_array_equal(s.numpy(), expected)


@pytest.mark.parametrize(("x", "y"), [(-1, 1), (4, 1), (2, -5), (2, 3), (1 << 30, 0), (-(1 << 31), 0)])
def test_what_lies_outside(x: int, y: int) -> None:
    s = DEVICE.surface((3, 4), i32)
    image = np.arange(1, 13, dtype=np.int32).reshape(3, 4)
    s.copy_from(image)
    out = np.zeros(2, np.int32)
    outside[1, 1](s, x, y, out)
    column, row = np.clip(x, 0, 3), np.clip(y, 0, 2)
    assert out.tolist() == [image[row, column], 0]
    image[row, column] = 99
    np.testing.assert_array_equal(s.numpy(), image)


@pytest.mark.parametrize("options", ({}, {"checks": False}))
def test_the_default_is_a_fault_that_says_which_texel(options: dict[str, bool]) -> None:
    s, out = DEVICE.surface((3, 4), f32), np.zeros(1, np.float32)
    with pytest.raises(DeviceFault, match=r"the texel \(4, 1, 0\) lies outside a surface of 4 x 3 x 1"):
        trapped.with_options(**options)[1, 1](s, 4, out)
    with pytest.raises(DeviceFault, match=r"the texel \(1, -1, 0\) lies outside a surface of 4 x 3 x 1"):
        trapped_store.with_options(**options)[1, 1](s, -1)
    with pytest.raises(Exception, match="lies outside"):
        run_reference(trapped, 1, 1, (s, 4, out))


def test_a_texture_of_a_surface_reads_what_was_written() -> None:
    s, copy = DEVICE.surface(4, f32), DEVICE.surface(4, f32)
    view = DEVICE.texture(s, filter="linear")
    s.copy_from(np.float32([3, 5, 7, 9]))
    reads_written[1, 1](copy, view)
    assert copy.numpy()[0] == 3
    with pytest.raises(LaunchError, match="argument s: an output shares memory with argument t"):
        reads_written[1, 1](s, view)


@kernel
def extents(line: Surface[f32], plane: Surface[f32, D2], space: Surface[f32, D3], out: Out[i32]):
    out[0] = surface.width(line)
    out[1] = surface.width(plane)
    out[2] = surface.height(plane)
    out[3] = surface.width(space)
    out[4] = surface.height(space)
    out[5] = surface.depth(space)


@both_targets
def test_extents(run: Any) -> None:
    out = np.zeros(6, np.int32)
    run(extents, 1, 1, *(DEVICE.surface(shape, f32) for shape in ((7,), (5, 6), (2, 3, 4))), out)
    assert out.tolist() == [7, 6, 5, 4, 3, 2]
