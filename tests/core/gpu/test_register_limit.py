"""A block that the multiprocessor has no registers for is refused with the figures."""
from __future__ import annotations

import re

import numpy as np
import pytest

from simt.core import In, LaunchError, Out, f32, kernel, local_array, static_range
from simt.core.gpu.occupancy import executable_for
from simt.cuda_std import thread

COUNT = 128


@kernel
def hungry(x: In[f32], out: Out[f32]):
    values = local_array(f32, COUNT)
    i = thread.index_1d()
    total = f32(0)
    for k in static_range(COUNT):
        values[k] = x[(i + k) % x.size]
        total += values[k]
    result = f32(1)
    for k in static_range(COUNT):
        result = result * total + values[k]
    if i < out.size:
        out[i] = result


def test_too_many_registers(device):
    x, out = device.full(256, 0.5, np.float32), device.zeros(1024, np.float32)
    code = executable_for(hungry, device, x, out)
    registers, available = code.attribute("NUM_REGS"), device.attribute("MAX_REGISTERS_PER_BLOCK")
    assert registers > available // 1024
    with pytest.raises(LaunchError) as caught:
        hungry[1, 1024](x, out)
    found = re.search(
        r"block \(1024, 1, 1\) has 1024 threads of (\d+) registers, and a block of .* has (\d+) registers: "
        r"at most (\d+) threads fit\. Launch hungry with smaller blocks, or declare @kernel\(max_threads=1024\)",
        str(caught.value),
    )
    assert found is not None, str(caught.value)
    assert (int(found[1]), int(found[2])) == (registers, available)
    fits = int(found[3])
    assert fits % 32 == 0 and fits * registers <= available
    hungry[1, fits](x, out)  # what the message advises is possible
    device.synchronize()
    assert (out.numpy()[:fits] != 0).all()


def test_for_elements_chooses_a_block_that_fits(device):
    x, out = device.full(256, 0.5, np.float32), device.zeros(1024, np.float32)
    hungry.for_elements(1024)(x, out)
    assert (out.numpy() != 0).all()


def test_the_advice_helps(device):
    bounded = kernel(max_threads=1024)(hungry.function)
    x, out = device.full(256, 0.5, np.float32), device.zeros(1024, np.float32)
    bounded[1, 1024](x, out)
    assert (out.numpy() != 0).all()
