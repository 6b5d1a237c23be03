"""Integer arithmetic wraps on a GPU too, where a result is widened, compared or divided."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, Out, i8, i16, i32, i64, kernel


@kernel
def short(x: In[i16], out: Out[i64]):
    v = x[0]
    out[0], out[1], out[2], out[3] = i64(abs(v)), i64(-v), i64(-v if v < 0 else v), i64(i16(0) - v)
    out[4], out[5], out[6] = i64(abs(v) % i16(79)), i64(-v <= x[1]), i64(abs(v) >= 0)


@kernel
def byte(x: In[i8], out: Out[i64]):
    v = x[0]
    out[0], out[1], out[2], out[3] = i64(abs(v)), i64(-v), i64(-v if v < 0 else v), i64(i8(0) - v)
    out[4], out[5], out[6] = i64(abs(v) % i8(79)), i64(-v <= x[1]), i64(abs(v) >= 0)


@kernel
def word(x: In[i32], out: Out[i64]):
    v = x[0]
    out[0], out[1], out[2], out[3] = i64(abs(v)), i64(-v), i64(-v if v < 0 else v), i64(i32(0) - v)
    out[4], out[5], out[6] = i64(abs(v) % 79), i64(-v <= x[1]), i64(abs(v) >= 0)


@kernel
def double_word(x: In[i64], out: Out[i64]):
    v = x[0]
    out[0], out[1], out[2], out[3] = abs(v), -v, -v if v < 0 else v, i64(0) - v
    out[4], out[5], out[6] = abs(v) % 79, i64(-v <= x[1]), i64(abs(v) >= 0)


@pytest.mark.parametrize(("wraps", "dtype"), [
    (byte, np.int8), (short, np.int16), (word, np.int32), (double_word, np.int64),
])
def test_the_most_negative_value_has_no_counterpart(device, wraps, dtype):
    least = int(np.iinfo(dtype).min)
    out = device.zeros(7, np.int64)
    wraps[1, 1](device.array(np.array([least, 5], dtype)), out)
    assert out.numpy().tolist() == [least, least, least, least, least % 79, 1, 0]
