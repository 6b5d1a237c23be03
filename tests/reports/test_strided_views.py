"""Transposed, sliced and reversed views are refused unless strides are declared, and then are honoured."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import D2, In, LaunchError, Out, Strided, f32, kernel
from simt.cuda_std import thread


@kernel
def plain(x: In[f32, D2], out: Out[f32, D2]):
    col, row = thread.index_2d()
    if row < x.shape[0] and col < x.shape[1]:
        out[row, col] = x[row, col]


@kernel
def strided(x: In[f32, D2, Strided], out: Out[f32, D2]):
    col, row = thread.index_2d()
    if row < x.shape[0] and col < x.shape[1]:
        out[row, col] = x[row, col]


BASE = np.arange(48, dtype=np.float32).reshape(6, 8)
VIEWS = {
    "transposed": BASE.T, "every other column": BASE[:, ::2], "reversed": BASE[::-1, ::-1], "inner": BASE[1:4, 2:5],
    "broadcast": np.broadcast_to(np.float32(3), (4, 5)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_refused_where_contiguity_is_promised(name: str):
    view = VIEWS[name]
    with pytest.raises(LaunchError, match="Strided") as caught:
        plain[1, (8, 8)](view, np.zeros(view.shape, np.float32))
    assert caught.value.argument == "x"


@pytest.mark.parametrize("name", VIEWS)
def test_honoured_where_declared(name: str):
    view = VIEWS[name]
    out = np.zeros(view.shape, np.float32)
    strided[1, (8, 8)](view, out)
    np.testing.assert_array_equal(out, view)
