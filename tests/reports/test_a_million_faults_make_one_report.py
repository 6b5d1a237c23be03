"""A million threads out of bounds give one report with a count, and no flood of output."""
from __future__ import annotations

import time

import numpy as np
import pytest

from simt.core import DeviceFault, In, Out, f32, kernel
from simt.cuda_std import thread


@kernel
def beyond(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i] + 1


def test_one_report(capfd):
    x, out = np.zeros(10, np.float32), np.zeros(10, np.float32)
    began = time.perf_counter()
    with pytest.raises(DeviceFault) as caught:
        beyond[4096, 256](x, out)
    assert time.perf_counter() - began < 5
    fault = caught.value
    assert 1 <= fault.count <= 2**20
    assert fault.kernel == "beyond" and "[i]" in fault.source_line and fault.values["i"] >= 10
    assert len(str(fault)) < 2000
    captured = capfd.readouterr()
    assert captured.out == "" and captured.err == ""
