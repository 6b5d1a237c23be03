"""Textures and surfaces of a GPU: contents, what they are made from, and how long they live."""
from __future__ import annotations

import gc
from typing import TypeVar

import numpy as np
import pytest

from simt.core import D2, CpuDevice, LaunchError, Out, Surface, Texture, f32, f32x2, kernel, u8, u8x4
from simt.core.gpu.texture import GpuSurface, GpuTexture
from simt.cuda_std import surface, texture, thread
from tests.core.gpu.conftest import FAKE

T = TypeVar("T", f32, u8x4)


@kernel
def read(t: Texture[T, D2], out: Out[T, D2]):
    x, y = thread.index_2d()
    if x < out.shape[1] and y < out.shape[0]:
        out[y, x] = texture.fetch(t, f32(x) + 0.5, f32(y) + 0.5)


@kernel
def add_one(s: Surface[f32, D2]):
    x, y = thread.index_2d()
    surface.store(s, x, y, surface.load(s, x, y) + 1)


@kernel
def both(s: Surface[f32, D2], t: Texture[f32, D2]):
    surface.store(s, 0, 0, texture.fetch(t, 0.5, 0.5))


@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4)])
@pytest.mark.parametrize(("dtype", "channels"), [(np.float32, 1), (np.uint8, 4), (np.int16, 2), (np.float16, 1)])
def test_contents_come_back(device, shape, dtype, channels):
    full = shape if channels == 1 else (*shape, channels)
    host = np.arange(int(np.prod(full))).reshape(full).astype(dtype)
    made = device.texture(host, channels=channels)
    assert (made.shape, made.ndim, made.channels, made.dtype) == (full, len(shape), channels, host.dtype)
    np.testing.assert_array_equal(made.numpy(), host)
    drawn = device.surface(full, dtype, channels=channels)
    assert not drawn.numpy().any()
    drawn.copy_from(host)
    np.testing.assert_array_equal(drawn.numpy(), host)


def test_textures_of_device_arrays_are_copied_there(device):
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    made = device.texture(device.array(host))
    np.testing.assert_array_equal(made.numpy(), host)
    made.copy_from(device.array(host + 1))
    np.testing.assert_array_equal(made.numpy(), host + 1)
    with pytest.raises(ValueError, match=r"cannot copy float32 of shape \(2,\) into float32 of shape \(3, 4\)"):
        made.copy_from(device.zeros(2, f32))
    with pytest.raises(LaunchError, match="not C-contiguous"):
        made.copy_from(device.array(np.zeros((4, 3), np.float32))[::2])
    with pytest.raises(LaunchError, match="the source lies on a GPU"):
        CpuDevice().texture(device.array(host))


@pytest.mark.parametrize("repeat", (1, 3))
def test_kernels_read_textures_and_write_surfaces(device, repeat):
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    made, out = device.texture(host), device.zeros((3, 4), f32)
    drawn = device.surface((3, 4), f32)
    for _ in range(repeat):
        read[(1, 1), (4, 3)](made, out)
        add_one[(1, 1), (4, 3)](drawn)
    np.testing.assert_array_equal(out.numpy(), host)
    assert (drawn.numpy() == repeat).all()
    over = device.texture(drawn)
    read[(1, 1), (4, 3)](over, out)
    assert (out.numpy() == repeat).all()


def test_a_texture_over_a_surface_sees_what_is_written(device):
    drawn, other = device.surface((2, 2), f32), device.surface((2, 2), f32)
    over = device.texture(drawn, filter="linear")
    drawn.copy_from(np.full((2, 2), 5, np.float32))
    both[1, 1](other, over)
    assert other.numpy()[0, 0] == 5
    for _ in range(2):
        with pytest.raises(LaunchError, match="argument s: an output shares memory with argument t"):
            both[1, 1](drawn, over)


def test_launches_run_where_the_images_lie(device):
    made, host = device.texture(np.ones((2, 2), np.float32)), np.zeros((2, 2), np.float32)
    with pytest.raises(LaunchError, match="argument t, GpuTexture, lies on GPU 0"):
        read[1, (2, 2)](made, host)
    copy = CpuDevice().texture(np.full((2, 2), 3, np.float32))
    read[1, (2, 2)].on(device)(copy, host)
    assert (host == 3).all()
    drawn = CpuDevice().surface((2, 2), f32)
    add_one[1, (2, 2)].on(device)(drawn)
    assert (drawn.numpy() == 1).all()
    read[1, (2, 2)](copy, host)


def test_what_a_prepared_launch_refuses(device):
    made, out = device.texture(np.ones((2, 2), np.float32)), device.zeros((2, 2), f32)
    launch = read[1, (2, 2)]
    for _ in range(2):
        launch(made, out)
    with pytest.raises(LaunchError, match="argument t: GpuArray given; a texture expected"):
        launch(out, out)
    with pytest.raises(LaunchError, match=r"argument t: Texture\[u8, D2\] given, Texture\[f32, D2\] expected|u8"):
        launch(device.texture(np.ones((2, 2), np.uint8)), out)
    with pytest.raises(LaunchError, match="CpuTexture"):
        launch(CpuDevice().texture(np.ones((2, 2), np.float32)), out)
    launch(device.texture(np.full((2, 2), 2, np.float32)), out)
    assert (out.numpy() == 2).all()


def test_nothing_is_freed_while_a_launch_uses_it(device):
    stream = device.stream()
    drawn = device.surface((3, 4), f32)
    gc.collect()
    before = len(device.live_allocations())
    out = device.zeros((3, 4), f32)
    with stream:
        for value in range(20):
            made = device.texture(np.full((3, 4), value, np.float32))
            read[(1, 1), (4, 3), 0, stream](made, out)
            del made
        stream.synchronize()
    assert (out.numpy() == 19).all()
    del out
    gc.collect()
    assert len(device.live_allocations()) == before
    assert any(item.kind == "CUDA array" and item.nbytes == drawn.numpy().nbytes for item in device.live_allocations())


@pytest.mark.skipif(not FAKE, reason="only the fake driver counts its objects")
def test_objects_and_arrays_are_destroyed(device):
    from tests.fake_driver import fake

    def counts():
        return [fake.live(kind) for kind in (fake.Kind.ARRAY, fake.Kind.TEXTURE, fake.Kind.SURFACE)]

    gc.collect()
    before = counts()
    drawn = device.surface((2, 2), f32x2)
    over = device.texture(drawn)
    assert counts() == [before[0] + 1, before[1] + 1, before[2] + 1]
    del drawn
    gc.collect()
    assert counts() == [before[0] + 1, before[1] + 1, before[2]]
    assert over.numpy().shape == (2, 2, 2)
    del over
    gc.collect()
    assert counts() == before


def test_an_image_that_is_too_large_says_what_fits(device):
    if FAKE:
        pytest.skip("needs an NVIDIA GPU: the fake driver takes images of any size")
    with pytest.raises(LaunchError, match=r"an image of 2 axes on .* has at most \(\d+, \d+\) texels along them"):
        device.surface((1, 1 << 20), u8)


def test_classes_name_themselves(device):
    made = device.texture(np.zeros((2, 3, 4), np.uint8), channels=4)
    assert isinstance(made, GpuTexture) and isinstance(device.surface(4, f32), GpuSurface)
    assert repr(made) == "<GpuTexture Texture[u8x4, D2] of shape (2, 3, 4), dtype uint8>"
