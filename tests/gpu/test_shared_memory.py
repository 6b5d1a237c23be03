"""Memory that others own, or that grows, on a GPU."""
from __future__ import annotations

import multiprocessing
import os
import tempfile

import numpy as np
import pytest

from simt.core import DriverError, InOut, LaunchError, f32, kernel
from simt.cuda_std import thread

pytestmark = pytest.mark.gpu


@kernel
def double(x: InOut[f32]):
    i = thread.index_1d()
    if i < x.size:
        x[i] = 2 * x[i]


def test_another_process_writes_an_array(device):
    from simt.core.gpu import ipc
    from tests.gpu.child import add_one

    x = ipc.shareable(device, 1000, f32)
    x.copy_from(np.arange(1000, dtype=np.float32))
    double.for_elements(1000)(x)
    event = device.default_stream.record(timing=False, interprocess=True)
    device.synchronize()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        total = pool.apply(add_one, (ipc.export_array(x[500:]), ipc.export_event(event)))
    expected = 2 * np.arange(1000, dtype=np.float32)
    expected[500:] += 1
    assert (x.numpy() == expected).all()
    assert total == expected[500:].sum()
    with pytest.raises(LaunchError, match="exported it itself"):
        ipc.open_array(ipc.export_array(x))


def test_what_cannot_be_shared_is_told(device):
    from simt.core.gpu import ipc

    with pytest.raises(LaunchError, match=r"ipc\.shareable"):
        ipc.export_array(device.zeros(3, f32))
    with pytest.raises(LaunchError, match="interprocess=True"):
        ipc.export_event(device.default_stream.record())


def test_memory_grows_in_place(device):
    from simt.core.gpu.virtual_memory import VirtualMemory

    memory = VirtualMemory(device, 1 << 33)
    memory.grow(4000)
    small = memory.array(1000, f32)
    small.copy_from(np.arange(1000, dtype=np.float32))
    memory.grow(3 * memory.granularity)
    count = memory.nbytes // 4
    large = memory.array(count, f32)
    large[1000:].fill(1)
    double.for_elements(count)(large)
    result = large.numpy()
    assert (result[:1000] == 2 * np.arange(1000)).all()
    assert (result[1000:] == 2).all()
    memory.close()
    with pytest.raises(LaunchError, match="freed"):
        double.for_elements(1000)(small)


def test_a_file_is_no_external_memory(device):
    from simt.core.gpu.external_memory import ExternalMemory

    with tempfile.TemporaryFile() as file:
        file.write(bytes(4096))
        with pytest.raises(DriverError, match="cuImportExternalMemory"):
            ExternalMemory(device, os.dup(file.fileno()), 4096)
