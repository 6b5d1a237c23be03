"""Textures and surfaces on the host: what can be made, and what is refused with the words to write instead."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simt.core import CpuDevice, LaunchError, f32, f32x2, u8x4

DEVICE = CpuDevice()
PLANE = np.zeros((4, 6), np.float32)
BYTES = np.zeros((4, 6), np.uint8)


def test_the_last_axis_may_hold_channels() -> None:
    made = DEVICE.texture(np.arange(96, dtype=np.uint8).reshape(4, 6, 4), channels=4)
    assert (made.shape, made.ndim, made.channels, made.dtype) == ((4, 6, 4), 2, 4, np.dtype(np.uint8))
    assert str(made.type) == "Texture[u8x4, D2]"
    assert made.numpy()[3, 5].tolist() == [92, 93, 94, 95]


def test_arrays_of_vectors_bring_their_channels() -> None:
    array = DEVICE.array(np.ones((4, 6, 2), np.float32)).memory.view([("x", "f4"), ("y", "f4")])[..., 0]
    assert str(DEVICE.texture(array).type) == "Texture[f32x2, D2]"
    assert DEVICE.surface((4, 6), f32x2).shape == (4, 6, 2)


def test_contents_are_copied_in_and_out() -> None:
    made = DEVICE.surface((2, 3), u8x4)
    assert not made.numpy().any()
    values = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    made.copy_from(values)
    np.testing.assert_array_equal(made.numpy(), values)
    made.numpy()[...] = 0
    np.testing.assert_array_equal(made.numpy(), values)
    with pytest.raises(ValueError, match=r"cannot copy float32 of shape \(2, 3, 4\) into uint8 of shape \(2, 3, 4\)"):
        made.copy_from(values.astype(np.float32))


@pytest.mark.parametrize(("source", "settings", "words"), [
    (PLANE.astype(np.float64), {}, "dtype float64: an image holds uint8, int8, uint16, int16, uint32, int32, float16"),
    (np.zeros((4, 6, 3), np.uint8), {"channels": 3}, "channels=3: an image has 1, 2 or 4 channels"),
    (PLANE, {"channels": 4}, "with channels=4 its last axis is 4 long"),
    (np.zeros((2, 2, 2, 4), np.uint8), {}, "an image has 1 to 3 axes, none empty; pass channels=4"),
    (np.zeros((0, 4), np.float32), {}, "none empty"),
    (PLANE, {"filter": "cubic"}, """filter='cubic': write one of "point", "linear\""""),
    (PLANE, {"address": "repeat"}, """address='repeat': write one of "wrap", "clamp", "mirror", "border\""""),
    (PLANE, {"address": ("clamp",)}, "give one mode, or one for each of the 2 axes, x first"),
    (PLANE, {"address": "wrap"}, "pass normalized=True"),
    (PLANE, {"address": ("clamp", "mirror")}, "pass normalized=True"),
    (BYTES, {"read": "fraction"}, """read='fraction': write "element", or "float\""""),
    (BYTES, {"filter": "linear"}, 'u8 elements are not filtered; pass read="float"'),
    (BYTES.astype(np.int32), {"filter": "linear"}, 'i32 elements are not filtered; filter="point", or a float array'),
    (BYTES.astype(np.int32), {"read": "float"}, "reads 8- and 16-bit integers as fractions, not i32"),
    (PLANE, {"border": "black"}, "border='black': one number, or up to four"),
])
def test_what_the_hardware_has_not_is_refused(source: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(LaunchError) as caught:
        DEVICE.texture(source, **settings)
    assert words in str(caught.value)


def test_floats_may_be_read_as_either() -> None:
    assert DEVICE.texture(PLANE, read="float").type == DEVICE.texture(PLANE).type
    assert str(DEVICE.texture(PLANE.astype(np.float16)).type) == "Texture[f32, D2]"
    assert str(DEVICE.surface((4,), np.float16).type) == "Surface[f16]"
    assert DEVICE.texture(DEVICE.surface((4, 6), f32), filter="linear").filter == "linear"
