"""Faults: one report, the context lives, other work goes on."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DeviceFault, LaunchError
from tests.core.gpu.kernels import asked_to_fail, barrier_after_failure, fails_at, increment


def test_an_assertion_says_where_and_with_what(device):
    x = device.zeros(1000, np.int32)
    launch = fails_at.for_elements(1000)
    launch(x, 300)
    with pytest.raises(DeviceFault) as caught:
        device.synchronize()
    fault = caught.value
    assert fault.kernel == "fails_at" and fault.count == 1 and "thread 300 of 300" in str(fault)
    assert fault.block.x * launch.block[0] + fault.thread.x == 300 and fault.source_line.startswith("assert i != where")
    device.synchronize()
    fails_at.for_elements(1000)(x, -1)
    np.testing.assert_array_equal(x.numpy(), np.arange(1000))


def test_a_fault_on_purpose(device):
    asked_to_fail[2, 64](device.zeros(1, np.int32), 70)
    with pytest.raises(DeviceFault, match="asked at 70"):
        device.synchronize()


@pytest.mark.parametrize("wait", [
    lambda device, stream, x: stream.synchronize(), lambda device, stream, x: x.numpy(),
    lambda device, stream, x: stream.record().synchronize(), lambda device, stream, x: device.synchronize(),
])
def test_every_wait_reports(device, wait):
    x, stream = device.zeros(64, np.int32), device.stream()
    fails_at[1, 64, 0, stream](x, 5)
    with pytest.raises(DeviceFault):
        wait(device, stream, x)
    wait(device, stream, x)


def test_a_million_failing_threads_make_one_report(device):
    x = device.zeros(4, np.float32)
    increment.with_options(checks=True)[4096, 256](x, 1.0)
    device.synchronize()  # the kernel tests its index
    y = device.zeros(128, np.int32)
    barrier_after_failure.with_options(checks=True)[8192, 128](y, device.zeros(128, np.int32))
    with pytest.raises(DeviceFault) as caught:
        device.synchronize()
    assert caught.value.count >= 1 and len(str(caught.value)) < 2000
    assert "is out of bounds" in str(caught.value) and caught.value.values["size"] == 128


def test_other_streams_go_on(device):
    bad, good = device.stream(), device.stream()
    x, y = device.zeros(64, np.int32), device.zeros(64, np.float32)
    device.synchronize()
    fails_at[1, 64, 0, bad](x, 5)
    increment[1, 64, 0, good](y, 1.0)
    with pytest.raises(DeviceFault):
        bad.synchronize()
    increment[1, 64, 0, good](y, 1.0)
    good.synchronize()
    assert y.numpy().tolist() == [2.0] * 64


def test_race_mode_is_the_cpu_targets(device):
    with pytest.raises(LaunchError, match=r"increment has race=True, and races are found on the CPU target only"):
        increment.with_options(race=True)[1, 64](device.zeros(64, np.float32), 1.0)
