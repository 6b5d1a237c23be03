"""What the texture hardware gives is what the CPU target gives: every filter, address mode, type and number of axes."""
from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest

from simt.core import (
    D2,
    D3,
    CpuDevice,
    DeviceFault,
    In,
    Out,
    Surface,
    Texture,
    f16,
    f32,
    f32x2,
    f32x4,
    i8,
    i16x2,
    i32,
    kernel,
    u8,
    u8x4,
    u16,
    u32,
    u32x4,
)
from simt.cuda_std import surface, texture, thread

pytestmark = pytest.mark.gpu

E = TypeVar("E", f32, f32x2, f32x4)
I = TypeVar("I", u8, i8, u16, u32, i32, u8x4, i16x2, u32x4)
S = TypeVar("S", u8, f16, f32, u8x4, f32x2, u32x4)
COUNT = 4096
SHAPES = {1: (61,), 2: (13, 61), 3: (5, 13, 61)}
CPU = CpuDevice()


@kernel
def along(t: Texture[E], x: In[f32], out: Out[E]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = texture.fetch(t, x[i])


@kernel
def across(t: Texture[E, D2], x: In[f32], y: In[f32], out: Out[E]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = texture.fetch(t, x[i], y[i])


@kernel
def through(t: Texture[E, D3], x: In[f32], y: In[f32], z: In[f32], out: Out[E]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = texture.fetch(t, x[i], y[i], z[i])


@kernel
def loads(line: Texture[I], plane: Texture[I, D2], space: Texture[I, D3], x: In[i32], y: In[i32], out: Out[I, D2]):
    i = thread.index_1d()
    if i < x.size:
        out[0, i] = texture.load(line, x[i])
        out[1, i] = texture.load(plane, x[i], y[i])
        out[2, i] = texture.load(space, x[i], y[i], y[i] - 2)
        out[3, i] = texture.fetch(plane, f32(x[i]) + 0.5, f32(y[i]) + 0.5)


@kernel
def moves(source: Surface[S, D2], target: Surface[S, D2], x: In[i32], y: In[i32], out: Out[S, D2]):
    i = thread.index_1d()
    if i < x.size:
        out[0, i] = surface.load(source, x[i], y[i], boundary=surface.ZERO)
        out[1, i] = surface.load(source, x[i], y[i], boundary=surface.CLAMP)
    if i < surface.width(source) * surface.height(source):
        column, row = i % surface.width(source), i // surface.width(source)
        surface.store(target, column, row, surface.load(source, column, row))


@kernel
def beyond(s: Surface[f32, D3], x: i32):
    surface.store(s, x, 1, 1, 1.0)


FETCH: dict[int, Any] = {1: along, 2: across, 3: through}


def places(shape: tuple[int, ...], normalized: bool, seed: int = 1) -> list[np.ndarray]:
    """Coordinates inside and up to two lengths outside, none within 1/64 texel of where a texel begins or a weight
    changes: there one rounding decides."""
    random = np.random.default_rng(seed)
    found = []
    for extent in reversed(shape):
        texels = (random.integers(-512 * extent, 768 * extent, COUNT) + random.uniform(-0.3, 0.3, COUNT)) / 256
        whole = np.abs(texels - np.round(texels)) < 1 / 64
        texels[whole] += 1 / 32
        found.append((texels / extent if normalized else texels).astype(np.float32))
    return found


def fetched(device: Any, image: np.ndarray, at: list[np.ndarray], channels: int, **settings: Any) -> np.ndarray:
    made = device.texture(image, channels=channels, **settings)
    dtype = {1: f32, 2: f32x2, 4: f32x4}[channels]
    out = device.zeros(COUNT, dtype)
    FETCH[len(at)].for_elements(COUNT)(made, *map(device.array, at), out)
    device.synchronize()
    return out.numpy().view(np.float32).reshape(COUNT, channels)


CASES = [("clamp", False), ("border", False), *((mode, True) for mode in ("clamp", "border", "wrap", "mirror"))]


@pytest.mark.parametrize("ndim", (1, 2, 3))
@pytest.mark.parametrize(("address", "normalized"), CASES)
@pytest.mark.parametrize("filter", ("point", "linear"))
@pytest.mark.parametrize("channels", (1, 4))
def test_fetches(device, ndim, address, normalized, filter, channels):
    shape = SHAPES[ndim] if channels == 1 else (*SHAPES[ndim], channels)
    image = np.random.default_rng(3).uniform(-1, 1, shape).astype(np.float32)
    at = places(SHAPES[ndim], normalized)
    settings = {"filter": filter, "address": address, "normalized": normalized, "border": (0.5, -0.5, 0.25, 1.0)}
    found, expected = (fetched(where, image, at, channels, **settings) for where in (device, CPU))
    np.testing.assert_allclose(found, expected, rtol=0, atol=0 if filter == "point" else 1e-6)


@pytest.mark.parametrize("dtype", (np.uint8, np.int8, np.uint16, np.int16, np.float16))
@pytest.mark.parametrize("filter", ("point", "linear"))
def test_fractions_and_halves(device, dtype, filter):
    random = np.random.default_rng(4)
    image = random.uniform(-1, 1, (13, 61, 2)).astype(dtype) if dtype is np.float16 else random.integers(
        np.iinfo(dtype).min, np.iinfo(dtype).max, (13, 61, 2), dtype, endpoint=True)
    at = places((13, 61), False)
    found, expected = (fetched(where, image, at, 2, filter=filter, read="float") for where in (device, CPU))
    seldom = {np.int8: 1.01 / 32767, np.float16: 2.5e-4}  # one step, half a step
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7 if filter == "point" else seldom.get(dtype, 1e-7))
    assert filter == "point" or (np.abs(found - expected) <= 1e-7).mean() > 0.9


@pytest.mark.parametrize(("dtype", "texel", "channels"), [
    (np.uint8, u8, 1), (np.int8, i8, 1), (np.uint16, u16, 1), (np.uint32, u32, 1), (np.int32, i32, 1),
    (np.uint8, u8x4, 4), (np.int16, i16x2, 2), (np.uint32, u32x4, 4),
])
def test_texels(device, dtype, texel, channels):
    random, bounds = np.random.default_rng(5), np.iinfo(dtype)
    images = [random.integers(bounds.min, bounds.max, shape if channels == 1 else (*shape, channels), dtype)
              for shape in SHAPES.values()]
    x, y = random.integers(-70, 130, 512).astype(np.int32), random.integers(-15, 30, 512).astype(np.int32)
    results = []
    for where in (device, CPU):
        out = where.zeros((4, 512), texel)
        loads.for_elements(512)(
            *(where.texture(image, channels=channels) for image in images), where.array(x), where.array(y), out
        )
        where.synchronize()
        results.append(out.numpy())
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize(("dtype", "texel", "channels"), [
    (np.uint8, u8, 1), (np.float16, f16, 1), (np.float32, f32, 1), (np.uint8, u8x4, 4), (np.float32, f32x2, 2),
    (np.uint32, u32x4, 4),
])
def test_surfaces(device, dtype, texel, channels):
    random = np.random.default_rng(6)
    image = random.integers(0, 200, (13, 61) if channels == 1 else (13, 61, channels)).astype(dtype)
    x, y = random.integers(-70, 130, 800).astype(np.int32), random.integers(-15, 30, 800).astype(np.int32)
    x[:3] = 1 << 30, -(1 << 31), (1 << 31) - 1
    results = []
    for where in (device, CPU):
        source, target = where.surface((13, 61), texel), where.surface((13, 61), texel)
        source.copy_from(image)
        out = where.zeros((2, 800), texel)
        moves.for_elements(800)(source, target, where.array(x), where.array(y), out)
        where.synchronize()
        np.testing.assert_array_equal(target.numpy(), image)
        results.append(out.numpy())
    np.testing.assert_array_equal(*results)


def test_a_texel_outside_is_a_fault_that_leaves_the_context_alive(device):
    drawn = device.surface((2, 3, 4), f32)
    beyond[1, 1](drawn, 4)
    with pytest.raises(DeviceFault, match=r"the texel \(4, 1, 1\) lies outside a surface of 4 x 3 x 2"):
        device.synchronize()
    beyond[1, 1](drawn, 3)
    assert drawn.numpy()[1, 1, 3] == 1
