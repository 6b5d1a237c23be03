"""A read-only array is never written, and an integer that does not fit its parameter is never cut off."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import InOut, LaunchError, Out, i32, kernel, u8


@kernel
def write(value: i32, out: Out[i32]):
    out[0] = value


@kernel
def change(value: u8, out: InOut[u8]):
    out[0] += value


def test_read_only_array():
    out = np.zeros(1, np.int32)
    out.flags.writeable = False
    with pytest.raises(LaunchError, match="read-only") as caught:
        write[1, 1](5, out)
    assert caught.value.argument == "out" and out[0] == 0


@pytest.mark.parametrize("value", [2**33, 2**31, -(2**31) - 1, 2**100])
def test_integer_out_of_range(value: int):
    out = np.zeros(1, np.int32)
    with pytest.raises(LaunchError) as caught:
        write[1, 1](value, out)
    assert caught.value.argument == "value" and out[0] == 0


@pytest.mark.parametrize("value", [-1, 256])
def test_byte_out_of_range(value: int):
    with pytest.raises(LaunchError) as caught:
        change[1, 1](value, np.zeros(1, np.uint8))
    assert caught.value.argument == "value"


def test_the_limits_pass():
    out = np.zeros(1, np.int32)
    for value in (2**31 - 1, -(2**31)):
        write[1, 1](value, out)
        assert out[0] == value
