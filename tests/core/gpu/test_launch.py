"""Launches on a GPU: results, checks, and which path takes them."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError, kernel
from simt.core.gpu import launch_extension
from simt.core.gpu.device import gpu
from tests.core.gpu.kernels import add, increment, scalars, through_pointer, transpose

f4 = np.float32


@pytest.fixture(params=["compiled", "python"])
def path(request, monkeypatch):
    """Both launch paths."""
    if request.param == "compiled":
        if launch_extension.extension is None:
            pytest.skip(f"needs the launch extension: {launch_extension.reason}")
    else:
        from simt.core.gpu import executable, launchable, recent_launches

        for module in (executable, launchable, recent_launches):
            monkeypatch.setattr(module, "extension", None)
    return request.param


def fresh(declared):
    """A kernel of its own, so that no launch function of another path is found."""
    return kernel(declared.function)


def inputs(device, n=1000):
    a, b = np.random.default_rng(n).random((2, n), f4)
    return a, b, device.array(a), device.array(b), device.zeros(n, f4)


def test_repeated_launches(device, path):
    a, b, x, y, out = inputs(device)
    launch = fresh(add).for_elements(a.size)
    for scale in (1.0, 2.0, 0.5, f4(3)):
        launch(x, y, out, scale)
        np.testing.assert_allclose(out.numpy(), (a + b) * f4(scale), rtol=1e-6)


def test_defaults_and_keywords(device, path):
    a, b, x, y, out = inputs(device)
    launch = fresh(add)[4, 256]
    launch(x, b=y, out=out)
    np.testing.assert_array_equal(out.numpy(), a + b)
    launch(out=out, scale=2, b=y, a=x)
    np.testing.assert_allclose(out.numpy(), (a + b) * 2, rtol=1e-6)


@pytest.mark.parametrize("values", [
    (-(2**31), 255, 1.5, -(2**63), True), (2**31 - 1, 0, -0.0, 2**63 - 1, False),
    (np.int32(7), np.uint8(9), np.float32(2.5), np.int64(11), True),
])
def test_scalars_arrive(device, path, values):
    out, launch = device.zeros(5, np.float64), fresh(scalars)[1, 1]
    for _ in range(3):
        launch(out, *values)
    np.testing.assert_array_equal(out.numpy(), [float(value) for value in values])


@pytest.mark.parametrize(("position", "value", "message"), [
    (1, 2**31, "argument a: 2147483648 is out of the range of i32"), (1, 1.0, "argument a: 1.0 given, i32 expected"),
    (2, -1, "argument b: -1 is out of the range of u8"), (3, 1e300, "argument c: 1e\\+300 is beyond the range of f32"),
    (3, np.float64(1), "argument c: .* would lose precision"), (4, True, "argument d: True given, i64 expected"),
    (5, 1, "argument e: 1 given, bool expected"), (1, None, "argument a: NoneType given"),
])
def test_scalars_are_checked_on_every_launch(device, path, position, value, message):
    out, launch = device.zeros(5, np.float64), fresh(scalars)[1, 1]
    arguments = [out, 1, 2, 3.0, 4, True]
    launch(*arguments)
    arguments[position] = value
    with pytest.raises(LaunchError, match=message):
        launch(*arguments)


def test_arrays_are_checked_on_every_launch(device, path):
    _, _, x, y, out = inputs(device)
    launch = fresh(add)[4, 256]
    launch(x, y, out)
    freed = device.zeros(1000, f4)
    freed.free()
    wrong = {
        "argument b: float64 given, f32 expected": (x, device.zeros(1000, np.float64), out),
        "argument a: 2-D array": (device.zeros((10, 100), f4), y, out),
        "argument a: the array is not C-contiguous": (x[::2], y, out),
        "argument out: an output shares memory with argument b": (x, y, y),
        "argument out: an output shares memory with argument a, which is read": (x[:600], y, x[400:]),
        r"argument b: the array was freed by free\(\)": (x, freed, out),
        "argument b: ndarray lies in host memory, and argument a, GpuArray": (x, np.zeros(1000, f4), out),
        "argument b: list given": (x, [1.0], out),
    }
    for message, arguments in wrong.items():
        with pytest.raises(LaunchError, match=message):
            launch(*arguments)
    with pytest.raises(LaunchError, match=r"add is missing out; its parameters are \(a, b, out, scale\)"):
        launch(x, y)


def test_strided_parameters_take_views(device, path):
    host = np.random.default_rng(3).random((20, 30), f4)
    x, out = device.array(host), device.zeros((10, 10), f4)
    launch = fresh(transpose)[(1, 1), (32, 32)]
    for _ in range(3):
        launch(x[::2, ::3], out)
    np.testing.assert_array_equal(out.numpy(), host[::2, ::3].T)


def test_pointers_take_arrays_and_addresses(device, path):
    x = device.zeros(100, np.int32)
    launch = fresh(through_pointer)[1, 128]
    launch(x, 50)
    launch(x.address, 100)
    np.testing.assert_array_equal(x.numpy(), 3 * np.arange(100))


def test_a_grid_without_blocks_runs_nothing(device, path):
    out = device.zeros(0, f4)
    fresh(add).for_elements(0)(out, device.zeros(0, f4), device.zeros(0, f4))


def test_a_changed_global_compiles_again(device, path):
    names = {"factor": 2.0, "__name__": "scaled"}
    source = "from simt.core import *\nfrom simt.cuda_std import thread\n"
    source += "@kernel\ndef scaled(x: InOut[f32]):\n    x[thread.index_1d()] *= factor\n"
    import linecache

    linecache.cache["<scaled>"] = (len(source), None, source.splitlines(True), "<scaled>")
    exec(compile(source, "<scaled>", "exec"), names)
    x, launch = device.full(4, 1, f4), names["scaled"][1, 4]
    launch(x)
    launch(x)
    names["factor"] = 10.0
    launch(x)
    assert x.numpy().tolist() == [40, 40, 40, 40]


def test_shared_memory_over_the_limit(device):
    limit = device.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
    _, _, x, y, out = inputs(device)
    add[1, 32, limit](x, y, out)
    with pytest.raises(LaunchError, match=rf"shared_bytes {limit + 1} .*{limit}"):
        add[1, 32, limit + 1](x, y, out)


def test_a_launch_of_host_arrays_with_copies(device):
    a, b = np.random.default_rng(0).random((2, 500), f4)
    out = np.zeros(500, f4)
    add.for_elements(500).on(device)(a, b, out)
    np.testing.assert_array_equal(out, a + b)
    with pytest.raises(LaunchError, match="shares memory"):
        add.for_elements(500).on(device)(a, b, a)
    out.flags.writeable = False
    with pytest.raises(LaunchError, match="read-only"):
        add.for_elements(500).on(device)(a, b, out)


def test_a_launch_goes_where_its_arrays_are(device):
    x = np.zeros(4, f4)
    increment[1, 4](x, 2.0)
    y = device.array(x)
    increment[1, 4](y, 3.0)
    assert x.tolist() == [2] * 4 and y.numpy().tolist() == [5] * 4


def test_there_is_one_object_for_a_gpu(device):
    assert gpu() is gpu(0) is device and device.array([1.0])[0:].device is device
