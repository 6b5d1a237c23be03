"""A Python float passed for a 32- or 16-bit parameter arrives as that value, not as half of an 8-byte double."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError, Out, bf16, f16, f32, f64, i8, kernel, u16
from simt.core.testing.differential import check_same


@kernel
def spread(a: f32, b: f64, c: f16, d: bf16, e: i8, g: u16, h: bool, out: Out[f64]):
    out[0] = a
    out[1] = b
    out[2] = c
    out[3] = d
    out[4] = e
    out[5] = g
    out[6] = f64(h)


def test_every_width():
    *_, out = check_same(spread, 1, 1, (2.0, 0.1, 0.1, 0.1, -3, 65535, True, np.zeros(7)))
    assert out.tolist() == [2.0, 0.1, float(np.float16(0.1)), 0.10009765625, -3, 65535, 1]


def test_numpy_scalars():
    out = np.zeros(7)
    spread[1, 1](np.float32(0.1), np.float64(0.1), np.float16(0.1), 1, np.int8(7), np.uint16(9), np.bool_(True), out)
    assert out[0] == np.float32(0.1) and out[4] == 7


def test_out_of_range_is_refused():
    with pytest.raises(LaunchError, match="e") as caught:
        spread[1, 1](1.0, 1.0, 1.0, 1.0, 128, 0, False, np.zeros(7))
    assert caught.value.argument == "e"
