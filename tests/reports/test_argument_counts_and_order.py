"""Too few, too many, swapped and misnamed arguments are refused by name before anything runs."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, LaunchError, Out, f32, i32, kernel
from simt.cuda_std import thread


@kernel
def scale(x: In[f32], factor: f32, count: i32, out: Out[f32]):
    i = thread.index_1d()
    if i < count:
        out[i] = factor * x[i]


X, OUT = np.ones(4, np.float32), np.zeros(4, np.float32)


@pytest.mark.parametrize("args, argument, words", [
    ((X, 2.0, 4), "out", "missing out"),
    ((X, 2.0, 4, OUT, OUT), None, "4"),
    ((2.0, X, 4, OUT), "x", "x"),
    ((X, 2.0, 4.5, OUT), "count", "count"),
    ((X, "2", 4, OUT), "factor", "factor"),
    ((X, 2.0, 4, None), "out", "out"),
    ((X.astype(np.float64), 2.0, 4, OUT), "x", "float64"),
    ((X.reshape(2, 2), 2.0, 4, OUT), "x", "x"),
])
def test_refused(args, argument, words):
    OUT[:] = 0
    with pytest.raises(LaunchError, match=words) as caught:
        scale[1, 4](*args)
    if argument is not None:
        assert caught.value.argument == argument
    assert not OUT.any()


def test_unknown_and_double_names():
    with pytest.raises(LaunchError, match="no parameter fctor"):
        scale[1, 4](X, fctor=2.0, count=4, out=OUT)
    with pytest.raises(LaunchError, match="twice"):
        scale[1, 4](X, 2.0, 4, OUT, x=X)


def test_by_name():
    scale[1, 4](out=OUT, count=4, factor=3.0, x=X)
    assert OUT.tolist() == [3.0] * 4
