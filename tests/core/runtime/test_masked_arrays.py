"""Masked arrays: a kernel would not see the mask."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, LaunchError, Out, f32, kernel
from simt.cuda_std import thread


@kernel
def copy(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = x[i]


def test_a_masked_array_is_refused():
    x, out = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    masked = np.ma.array(x, mask=[0, 1, 0, 0])
    copy[1, 4](x, out)
    with pytest.raises(LaunchError, match=r"x\.filled\(value\)") as caught:
        copy[1, 4](masked, out)
    assert caught.value.argument == "x"
    copy[1, 4](masked.filled(-1), out)
    np.testing.assert_array_equal(out, [0, -1, 2, 3])
