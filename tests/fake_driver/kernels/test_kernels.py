"""Real kernels: launched through the driver, run by the CPU target, with the GPU's faults."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, DriverError, In, InOut, Out, default_device, f32, kernel
from simt.cuda_std import thread
from tests.fake_driver import fake


@kernel
def shifted(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i + 1]


@kernel
def scale(x: InOut[f32], factor: f32):
    x[thread.index_1d()] *= factor


@pytest.fixture
def device():
    found = default_device()
    assert found.name.startswith("Fake GPU")
    return found


@pytest.fixture
def arrays(device):
    return device.array(np.arange(33, dtype=np.float32)), device.empty(32, np.float32)


@pytest.fixture
def lost_context():
    """For a test that loses the context: it is whole again afterwards."""
    from cuda.bindings import driver

    yield
    driver.cuDevicePrimaryCtxReset(0)


def test_a_kernel_runs_through_the_driver(device, arrays):
    fake.reset_counts()
    shifted[1, 32](*arrays)
    assert (arrays[1].numpy() == np.arange(1, 33)).all()
    assert fake.calls("cuLaunchKernel") == 1


def test_a_checked_fault_is_reported_with_its_place_and_the_context_survives(device, arrays):
    checked = shifted.with_options(checks=True)
    checked[1, 64](*arrays)
    with pytest.raises(DeviceFault) as caught:
        device.synchronize()
    assert (caught.value.source_line, caught.value.kernel) == ("out[i] = x[i + 1]", "shifted")
    checked[1, 32](*arrays)
    device.synchronize()


def test_a_fault_that_the_kernel_does_not_check_ends_the_context_as_the_hardware_does(device, arrays, lost_context):
    shifted[1, 64](*arrays)
    for _ in range(2):
        with pytest.raises(DriverError) as caught:
            device.synchronize()
        assert caught.value.result == "CUDA_ERROR_ILLEGAL_ADDRESS"


def test_a_captured_graph_replays_with_replaced_arguments(device, arrays):
    x, _ = arrays
    fake.reset_counts()
    with device.stream().capture() as graph:
        scale[1, 33](x, 2.0)
        scale[1, 33](x, 3.0)
    assert x.numpy()[1] == 1
    run = graph.instantiate()
    run.launch().synchronize()
    run.update(scale, factor=5.0).launch().synchronize()
    assert x.numpy()[1] == 150
    assert fake.calls("cuGraphLaunch") == 2


def test_deferred_work_runs_when_it_is_waited_for(device, arrays, monkeypatch):
    monkeypatch.setenv("SIMT_FAKE_DEFERRED", "1")
    shifted[1, 32](*arrays)
    assert not device.default_stream.is_done()  # the question let the driver go on
    device.synchronize()
    assert (arrays[1].numpy() == np.arange(1, 33)).all()
