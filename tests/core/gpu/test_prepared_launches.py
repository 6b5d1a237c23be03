"""Prepared launches: repeated without arguments, with arguments replaced by name."""
from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from simt.core import InOut, LaunchError, f32, kernel
from simt.core.runtime.cpu_device import CpuDevice
from simt.cuda_std import thread
from tests.core.gpu.kernels import add, increment

f4 = np.float32
STEP = 1


@kernel
def by_step(x: InOut[f32]):
    i = thread.index_1d()
    if i < x.size:
        x[i] += STEP


@pytest.fixture(params=["gpu", "cpu"])
def either(request):
    """The GPU, and the CPU device."""
    return request.getfixturevalue("device") if request.param == "gpu" else CpuDevice()


def test_it_runs_as_often_as_wanted(either):
    x = either.zeros(100, f4)
    prepared = increment.for_elements(100).prepare(x, by=2.0)
    assert (x.numpy() == 0).all()
    for turn in (1, 2, 3):
        prepared.run()
        assert (x.numpy() == 2 * turn).all()
    prepared()
    assert (x.numpy() == 8).all()
    assert prepared.device.place == either.place
    assert prepared.grid[0] * prepared.block[0] >= 100 and "increment" in repr(prepared)


def test_arguments_are_replaced_by_name(either):
    x, y = either.zeros(100, f4), either.zeros(30, f4)
    first = increment.for_elements(100).prepare(x, 1.0)
    second = first.replace(by=10.0)
    third = second.replace(x=y)
    for prepared in (first, second, third):
        prepared.run()
    assert (x.numpy() == 11).all() and (y.numpy() == 10).all()
    assert second.arguments["x"] is x and second.arguments["by"] == 10.0 and first.arguments["by"] == 1.0


def test_defaults_are_filled_in(either):
    a, b, out = either.full(8, 1, f4), either.full(8, 2, f4), either.zeros(8, f4)
    prepared = add[1, 8].prepare(a, b, out=out)
    prepared.run()
    assert (out.numpy() == 3).all()
    prepared.replace(scale=0.5).run()
    assert (out.numpy() == 1.5).all() and prepared.arguments["scale"] == 1.0


def test_what_does_not_fit_is_refused_when_it_is_prepared(either):
    x = either.zeros(8, f4)
    launch = increment.for_elements(8)
    with pytest.raises(LaunchError, match="argument by: str given"):
        launch.prepare(x, "1")
    prepared = launch.prepare(x, 1.0)
    with pytest.raises(LaunchError, match=r"increment has no parameter rate; its parameters are \(x, by\)"):
        prepared.replace(rate=1.0)
    with pytest.raises(LaunchError, match="argument x: "):
        prepared.replace(x=either.zeros(8, np.float64))
    with pytest.raises(LaunchError, match="increment"):
        launch.prepare(x)


def test_it_keeps_its_arrays(either):
    x = either.zeros(8, f4)
    gone = weakref.ref(x) if hasattr(type(x), "__weakref__") else lambda: x
    prepared = increment.for_elements(8).prepare(x, 1.0)
    del x
    gc.collect()
    prepared.run()
    assert (prepared.arguments["x"].numpy() == 1).all() and gone() is not None


def test_changed_globals_give_other_code(either, monkeypatch):
    x = either.zeros(8, f4)
    prepared = by_step.for_elements(8).prepare(x)
    prepared.run()
    monkeypatch.setitem(by_step.function.__globals__, "STEP", 5)
    prepared.run()
    prepared.run()
    assert (x.numpy() == 11).all()


def test_a_capture_keeps_the_launch(either):
    x = either.zeros(8, f4)
    prepared = increment.for_elements(8).prepare(x, 1.0)
    with either.stream().capture() as graph:
        prepared.run()
        prepared.replace(by=2.0).run()
    assert (x.numpy() == 0).all()
    graph.instantiate().launch().synchronize()
    assert (x.numpy() == 3).all()


def test_a_freed_array_is_refused_at_the_run(device):
    x = device.zeros(8, f4)
    prepared = increment.for_elements(8).prepare(x, 1.0)
    prepared.run()
    x.free()
    with pytest.raises(LaunchError, match=r"argument x: .*was freed by free\(\)"):
        prepared.run()


def test_arrays_of_another_place_are_refused(device):
    prepared = increment.for_elements(8).prepare(device.zeros(8, f4), 1.0)
    with pytest.raises(LaunchError, match="cannot take arrays that lie elsewhere; capture or prepare it there"):
        prepared.replace(x=np.zeros(8, f4))


def test_it_runs_in_the_current_stream(device):
    x, stream = device.zeros(8, f4), device.stream()
    device.synchronize()
    prepared = increment.for_elements(8).prepare(x, 1.0)
    with stream:
        prepared.run()
    stream.synchronize()
    assert (x.numpy() == 1).all()
