"""Graphs: captured launches, replayed with the same and with other arguments."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError
from simt.core.runtime.cpu_device import CpuDevice
from tests.core.gpu.kernels import add, increment

f4 = np.float32


@pytest.fixture(params=["gpu", "cpu"])
def either(request):
    """The GPU, and the CPU device, which has graphs too."""
    return request.getfixturevalue("device") if request.param == "gpu" else CpuDevice()


def captured(device, count=10):
    x = device.zeros(100, f4)
    device.synchronize()
    with device.stream().capture() as graph:
        for _ in range(count):
            increment.for_elements(100)(x, 1.0)
    return x, graph


def test_a_capture_runs_nothing_and_each_launch_all(either):
    x, graph = captured(either)
    assert (x.numpy() == 0).all()
    run = graph.instantiate()
    for turn in range(1, 4):
        run.launch().synchronize()
        assert (x.numpy() == 10 * turn).all()


def test_arguments_can_be_replaced(either):
    x, graph = captured(either)
    run, y = graph.instantiate(), either.zeros(50, f4)
    run.update(increment, by=3.0).launch().synchronize()
    assert (x.numpy() == 30).all()
    run.update(increment, x=y, by=1.0).launch().synchronize()
    assert (x.numpy() == 30).all() and (y.numpy() == 10).all()
    graph.instantiate().launch().synchronize()
    assert (x.numpy() == 40).all()


def test_replacements_are_checked(either):
    x, graph = captured(either)
    run = graph.instantiate()
    with pytest.raises(LaunchError, match="the graph does not launch <kernel add"):
        run.update(add, scale=1.0)
    with pytest.raises(LaunchError, match=r"increment has no parameter rate; its parameters are \(x, by\)"):
        run.update(increment, rate=1.0)
    with pytest.raises(LaunchError, match="argument by: str given"):
        run.update(increment, by="no")
    run.launch().synchronize()
    assert (x.numpy() == 10).all()


def test_a_graph_keeps_its_arrays(either):
    _, graph = captured(either)
    run = graph.instantiate()
    del _
    run.launch().synchronize()


def test_a_capture_ends_with_its_block(either):
    x = either.zeros(100, f4)
    stream = either.stream()
    with pytest.raises(ZeroDivisionError), stream.capture():
        increment.for_elements(100)(x, 1.0)
        1 / 0
    increment.for_elements(100)(x, 5.0)
    either.synchronize()
    assert (x.numpy() == 5).all()
    with stream.capture() as graph, pytest.raises(LaunchError, match="captured already"), stream.capture():
        pass
    graph.instantiate().launch().synchronize()


def test_the_default_stream_cannot_be_captured(device):
    with pytest.raises(LaunchError, match=r"write with device.stream\(\).capture\(\)"), device.default_stream.capture():
        pass


def test_memory_is_allocated_before_a_capture(device):
    with device.stream().capture(), pytest.raises(LaunchError, match="allocate before the capture"):
        device.zeros(10, f4)


def test_a_graph_can_be_drawn(device, tmp_path):
    _, graph = captured(device, 3)
    graph.dot(tmp_path / "graph.dot")
    assert "digraph" in (tmp_path / "graph.dot").read_text()
