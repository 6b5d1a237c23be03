"""Texture reads on the CPU target: against NumPy, SciPy, and the reads' own Python."""
from __future__ import annotations

import importlib.util
from typing import Any, TypeVar

import numpy as np
import pytest
from scipy import ndimage

from simt.core import (
    D2,
    D3,
    CompileError,
    CpuDevice,
    In,
    Out,
    Texture,
    f16,
    f32,
    f32x2,
    f32x4,
    i8,
    i8x4,
    i16x2,
    i32,
    kernel,
    u8,
    u8x4,
    u16,
    u32,
)
from simt.core.testing.differential import check_same
from simt.cuda_std import texture, thread
from tests.cuda_std.sampling import rounded, sampled
from tests.cuda_std.targets import both_targets

DEVICE = CpuDevice()
SHAPES = {1: (8,), 2: (4, 8), 3: (2, 4, 8)}  # powers of two: normalized coordinates become texels exactly
COUNT = 200
E = TypeVar("E", f32, f32x2, f32x4)
I = TypeVar("I", u8, i8, u16, u32, i32, u8x4, i8x4, i16x2)


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
def texels(t: Texture[I, D2], x: In[i32], y: In[i32], loaded: Out[I], fetched: Out[I]):
    i = thread.index_1d()
    if i < loaded.size:
        loaded[i] = texture.load(t, x[i], y[i])
        fetched[i] = texture.fetch(t, f32(x[i]) + 0.25, f32(y[i]) + 0.75)


FETCH: dict[int, Any] = {1: along, 2: across, 3: through}


def numbers(seed: int = 7) -> np.random.Generator:
    return np.random.default_rng(seed)


def coordinates(shape: tuple[int, ...], normalized: bool) -> list[np.ndarray]:
    """Inside and up to two lengths outside; some at texel centres and edges."""
    random = numbers()
    found = []
    for extent in reversed(shape):
        place = random.uniform(-2 * extent, 3 * extent, COUNT).astype(np.float32)
        place[:60] = np.floor(place[:60] * 2) / 2
        found.append(place / np.float32(extent) if normalized else place)
    return found


def vectors(array: np.ndarray) -> np.ndarray:
    """The same memory; where the last axis holds channels, as an array of vectors."""
    if array.ndim == 1:
        return array
    return array.view([(name, array.dtype) for name in "xyzw"[: array.shape[-1]]])[:, 0]


CASES = [("clamp", False), ("border", False), *((mode, True) for mode in ("clamp", "border", "wrap", "mirror"))]


@pytest.mark.parametrize("ndim", (1, 2, 3))
@pytest.mark.parametrize(("address", "normalized"), CASES)
@pytest.mark.parametrize("filter", ("point", "linear"))
def test_a_fetch_is_what_the_guide_says(ndim: int, address: str, normalized: bool, filter: str) -> None:
    image = numbers(1).uniform(-1, 1, SHAPES[ndim]).astype(np.float32)
    places = coordinates(image.shape, normalized)
    made = DEVICE.texture(image, filter=filter, address=address, normalized=normalized, border=0.5)
    out = np.zeros(COUNT, np.float32)
    FETCH[ndim][2, 128](made, *places, out)
    expected = sampled(
        image, places, linear=filter == "linear", address=address, normalized=normalized, border=0.5
    )
    np.testing.assert_allclose(out, expected, rtol=0, atol=4e-7)


SCIPY = {"clamp": "nearest", "border": "grid-constant", "wrap": "grid-wrap", "mirror": "reflect"}


@pytest.mark.parametrize("address", SCIPY)
@pytest.mark.parametrize("ndim", (2, 3))
def test_filtering_is_scipys_where_the_weights_are_exact(address: str, ndim: int) -> None:
    image = numbers(2).uniform(-1, 1, (4,) * ndim).astype(np.float32)
    steps = 2 ** (8 // ndim)  # a product of weights of so many parts is a multiple of 1/256
    places = [np.round(place * steps).astype(np.float32) / steps for place in coordinates(image.shape, False)]
    made = DEVICE.texture(image, filter="linear", address=address, normalized=True, border=0.25)
    out = np.zeros(COUNT, np.float32)
    FETCH[ndim][2, 128](made, *(place / 4 for place in places), out)
    at = [place.astype(np.float64) - 0.5 for place in reversed(places)]
    expected = ndimage.map_coordinates(image.astype(np.float64), at, order=1, mode=SCIPY[address], cval=0.25)
    np.testing.assert_allclose(out, expected, rtol=0, atol=4e-7)


@pytest.mark.parametrize("dtype", (np.uint8, np.int8, np.uint16, np.int16))
@pytest.mark.parametrize("channels", (1, 2, 4))
def test_integers_are_read_as_fractions(dtype: Any, channels: int) -> None:
    bounds = np.iinfo(dtype)
    shape = (5, 7) if channels == 1 else (5, 7, channels)
    image = numbers(3).integers(bounds.min, bounds.max, shape, dtype, endpoint=True)
    image[0, 0] = bounds.min
    places = coordinates((5, 7), False)
    made = DEVICE.texture(image, filter="linear", read="float", channels=channels)
    out = np.zeros((COUNT, channels)[: image.ndim - 1], np.float32)
    across[2, 128](made, *places, vectors(out))
    expected = rounded(sampled(image, places, linear=True, address="clamp", normalized=False), dtype)
    one_step = 1 / 32767  # the hardware is that far from the nearest for some sums of i8
    np.testing.assert_allclose(out, expected, rtol=0, atol=1.01 * one_step if dtype is np.int8 else 4e-7)


@pytest.mark.parametrize("dtype", (np.uint8, np.int8, np.uint16, np.int16))
def test_a_texel_is_the_nearest_fraction(dtype: Any) -> None:
    bounds = np.iinfo(dtype)
    image = np.linspace(bounds.min, bounds.max, 256).astype(dtype)
    out = np.zeros(256, np.float32)
    along[1, 256](DEVICE.texture(image, read="float"), np.arange(256, dtype=np.float32) + 0.5, out)
    np.testing.assert_array_equal(out, np.maximum(image.astype(np.float32) / np.float32(bounds.max), -1))


def test_halves_are_read_as_singles() -> None:
    image = numbers(4).uniform(-1, 1, (5, 7, 2)).astype(np.float16)
    places = coordinates((5, 7), False)
    out = np.zeros((COUNT, 2), np.float32)
    across[2, 128](DEVICE.texture(image, filter="linear", channels=2), *places, vectors(out))
    expected = rounded(sampled(image, places, linear=True, address="clamp", normalized=False), np.float16)
    np.testing.assert_allclose(out, expected, rtol=0, atol=2.5e-4)  # half a step of f16 below 1


@pytest.mark.parametrize(("dtype", "channels"), [
    (np.uint8, 1), (np.int8, 1), (np.uint16, 1), (np.uint32, 1), (np.int32, 1), (np.uint8, 4), (np.int8, 4),
    (np.int16, 2),
])
def test_integers_are_read_as_they_are(dtype: Any, channels: int) -> None:
    bounds = np.iinfo(dtype)
    shape = (5, 7) if channels == 1 else (5, 7, channels)
    image = numbers(5).integers(bounds.min, bounds.max, shape, dtype, endpoint=True)
    x, y = (numbers(6).integers(-3, 10, (2, COUNT)).astype(np.int32))
    loaded = np.zeros((COUNT, channels)[: image.ndim - 1], dtype)
    fetched = loaded.copy()
    texels[2, 128](DEVICE.texture(image, channels=channels), x, y, vectors(loaded), vectors(fetched))
    inside = (x >= 0) & (x < 7) & (y >= 0) & (y < 5)
    np.testing.assert_array_equal(loaded[inside], image[y[inside], x[inside]])
    assert not loaded[~inside].any()
    np.testing.assert_array_equal(fetched, image[np.clip(y, 0, 4), np.clip(x, 0, 6)])


@pytest.mark.parametrize("ndim", (1, 2, 3))
def test_the_meaning_is_the_python_of_the_reads(ndim: int) -> None:
    image = numbers(8).integers(-99, 99, SHAPES[ndim]).astype(np.float32)  # so that no sum is rounded
    places = [place[56:64] for place in coordinates(image.shape, True)]
    made = DEVICE.texture(image, filter="linear", address="mirror", normalized=True)
    check_same(FETCH[ndim], 1, 8, (made, *places, np.zeros(8, np.float32)))


def test_each_axis_may_have_its_own_address_mode() -> None:
    image = np.arange(12, dtype=np.float32).reshape(3, 4)
    made = DEVICE.texture(image, address=("wrap", "clamp"), normalized=True)
    x, y = np.float32([1.1, 0.1]), np.float32([0.1, 1.1])
    out = np.zeros(2, np.float32)
    across[1, 2](made, x, y, out)
    assert out.tolist() == [image[0, 0], image[2, 0]]


def test_a_border_of_several_channels() -> None:
    made = DEVICE.texture(np.ones((2, 2, 4), np.float32), address="border", border=(1, 2, 3, 4), channels=4)
    out = np.zeros((1, 4), np.float32)
    across[1, 1](made, np.float32([-1]), np.float32([0]), vectors(out))
    assert out.tolist() == [[1, 2, 3, 4]]


def test_coordinates_beyond_all_measure_are_outside() -> None:
    made = DEVICE.texture(np.float32([1, 2, 3]), filter="linear")
    x = np.float32([np.inf, -np.inf, 1e30, -1e30, np.nan])
    out = np.zeros(5, np.float32)
    along[1, 5](made, x, out)
    assert out.tolist() == [3, 1, 3, 1, 1]
    around = DEVICE.texture(np.float32([1, 2, 3]), filter="linear", address="wrap", normalized=True)
    along[1, 5](around, x, out)
    assert out[[0, 1, 4]].tolist() == [2, 2, 2]  # as at 0


@pytest.mark.parametrize(("call", "advice"), [
    ("texture.fetch(t, 1.0)", "fetch(texture, x, y)"),
    ("texture.fetch(t, 1.0, 1.0, 1.0)", "fetch(texture, x, y)"),
    ("texture.load(t, 1)", "load(texture, x, y)"),
])
def test_the_wrong_number_of_coordinates_is_named(tmp_path: Any, call: str, advice: str) -> None:
    probe = probe_of(tmp_path, "t: Texture[f32, D2], out: Out[f32]", f"out[0] = {call}")
    with pytest.raises(CompileError) as caught:
        probe.inspect("tir")
    assert advice in str(caught.value)


@pytest.mark.parametrize(("parameter", "call", "code"), [
    ("t: In[f32, D2]", "texture.fetch_2d(t, 1.0, 1.0)", "type-mismatch"),
    ("t: Texture[f32, D3]", "texture.fetch_2d(t, 1.0, 1.0)", "type-mismatch"),
    ("t: Surface[f32, D2]", "texture.fetch_2d(t, 1.0, 1.0)", "type-mismatch"),
    ("t: Texture[f64, D2]", "0.0", "bad-annotation"),
    ("t: Texture[f32x3, D2]", "0.0", "bad-annotation"),
    ("t: Texture[f16, D2]", "0.0", "bad-annotation"),
    ("t: Texture[f32, D2]", "t.shape[0]", "unknown-attribute"),
])
def test_what_is_no_texture_is_refused(tmp_path: Any, parameter: str, call: str, code: str) -> None:
    with pytest.raises(CompileError) as caught:
        probe_of(tmp_path, f"{parameter}, out: Out[f32]", f"out[0] = {call}").inspect("tir")
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]


def probe_of(folder: Any, parameters: str, body: str) -> Any:
    path = folder / "probe.py"
    path.write_text(
        "from simt.core import *\nfrom simt.cuda_std import surface, texture\n\n"
        f"@kernel\ndef probe({parameters}):\n    {body}\n"
    )
    specification = importlib.util.spec_from_file_location("probe", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.probe


@kernel
def halves(t: Texture[f32], out: Out[f16]):
    out[0] = f16(texture.load(t, 1))


def test_a_launch_says_what_is_wrong_with_an_image() -> None:
    from simt.core import LaunchError

    line, plane = np.zeros(4, np.float32), np.zeros((4, 4), np.uint8)
    out = np.zeros(1, np.float16)
    for given, words in [
        (line, "argument t: ndarray given; a texture expected; make one: device.texture(t)"),
        (DEVICE.texture(plane), "argument t: Texture[u8, D2] given, Texture[f32] expected; declare t: Texture[u8, D2]"),
        (DEVICE.texture(plane[0]), 'make it with read="float", or declare t: Texture[u8]'),
        (DEVICE.surface(4, f32), "argument t: Surface[f32] given, Texture[f32] expected; write device.texture(t)"),
    ]:
        with pytest.raises(LaunchError) as caught:
            halves[1, 1](given, out)
        assert words in str(caught.value)
        assert caught.value.argument == "t"


@kernel
def unannotated(t, out: Out[f32]):  # the launch says what to write
    out[0] = texture.load(t, 0, 0)


def test_a_parameter_without_annotation_is_offered_the_arguments() -> None:
    made = DEVICE.texture(np.zeros((4, 4, 2), np.int16), channels=2)
    with pytest.raises(CompileError) as caught:
        unannotated[1, 1](made, np.zeros(1, np.float32))
    assert "write `t: Texture[i16x2, D2]`" in str(caught.value)


@kernel
def among_others(pair: tuple[Texture[f32], Texture[f32]], second: bool, out: Out[f32]):
    out[0] = texture.load(pair[0], 1) + texture.load(pair[1], 1)
    chosen = pair[1] if second else pair[0]
    out[1] = texture.fetch(chosen, 0.5)


@both_targets
def test_images_in_tuples_and_chosen_at_run_time(run: Any) -> None:
    pair = DEVICE.texture(np.float32([1, 2])), DEVICE.texture(np.float32([10, 20]))
    out = np.zeros(2, np.float32)
    run(among_others, 1, 1, pair, True, out)
    assert out.tolist() == [22, 10]
