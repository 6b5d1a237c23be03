"""Regions that run without checks where indices are shown in bounds: nothing slips through, nothing is refused."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simt.core import DeviceFault, In, Out, i32, i64, kernel
from simt.cuda_std import thread


@kernel
def affine(x: In[i32], out: Out[i32], scale: i32, shift: i64, low: i64, high: i64):
    i = thread.index_1d()
    if low <= i and i < high:
        j = i * scale + shift
        if i % 3 != 1:
            out[i] = x[j]
        else:
            for k in range(2):
                out[i] = x[j - k + (k << 1)]


SMALL = st.integers(-40, 40)


@settings(max_examples=60, deadline=None)
@given(size=st.integers(1, 90), scale=st.integers(-3, 3), shift=SMALL, low=SMALL, high=st.integers(-5, 80))
def test_every_index_is_in_bounds_or_reported(size: int, scale: int, shift: int, low: int, high: int):
    x, out = np.arange(100, 100 + size, dtype=np.int32), np.zeros(64, np.int32)
    expected, failed = np.zeros(64, np.int32), False
    for i in range(64):
        if low <= i < high:
            for j in ([i * scale + shift] if i % 3 != 1 else [i * scale + shift, i * scale + shift + 1]):
                failed = failed or not 0 <= j < size
                expected[i] = x[j] if 0 <= j < size else 0
    try:
        affine[2, 32](x, out, scale, shift, low, high)
    except DeviceFault as fault:
        assert failed and fault.values["size"] == size
    else:
        assert not failed and (out == expected).all()


def test_products_that_overflow():
    """The interval's own arithmetic must not wrap into bounds."""
    with pytest.raises(DeviceFault):
        affine[1, 32](np.zeros(8, np.int32), np.zeros(32, np.int32), 1, (1 << 63) - 1, 0, 32)
