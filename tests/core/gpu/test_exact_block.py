"""``@kernel(block=...)``: the only block a kernel runs with, in launches, in PTX and in the code of both targets."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import D2, LaunchError, Out, i32, kernel
from simt.core.runtime.cpu_device import CpuDevice
from simt.cuda_std import thread


@kernel(block=(32, 8))
def tile(out: Out[i32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = thread.block_dim.x * 100 + thread.block_dim.y * 10 + thread.block_dim.z


@kernel(block=64, min_blocks=4)
def line(out: Out[i32]):
    out[thread.index_1d()] = thread.block_dim.x


@pytest.fixture(params=["gpu", "cpu"])
def either(request):
    """The GPU, and the CPU device."""
    return request.getfixturevalue("device") if request.param == "gpu" else CpuDevice()


def test_launches_with_it_run_and_others_are_refused(either):
    out = either.zeros((16, 64), np.int32)
    tile[(2, 2), (32, 8)](out)
    assert (out.numpy() == 3281).all()
    with pytest.raises(LaunchError, match=r"block \(16, 16, 1\): tile was declared with block=\(32, 8, 1\)"):
        tile[(4, 1), (16, 16)]
    flat = either.zeros(64, np.int32)
    line[1, 64](flat)
    assert (flat.numpy() == 64).all()


def test_for_elements_uses_it(either):
    out = either.zeros((70, 45), np.int32)
    launch = tile.for_elements(out.shape)
    launch(out)
    assert (out.numpy() == 3281).all() and launch.block == (32, 8, 1) and launch.grid == (2, 9, 1)


def test_the_code_knows_it():
    ptx = tile.inspect("ptx")
    assert ".reqntid 32, 8, 1" in ptx and "%ntid" not in ptx and ".maxntid" not in ptx
    assert ".reqntid 64, 1, 1" in line.inspect("ptx") and ".minnctapersm 4" in line.inspect("ptx")
    bounded = kernel(max_threads=64)(line.function).inspect("ptx")
    assert ".maxntid 64" in bounded and ".reqntid" not in bounded and "%ntid.x" in bounded


@pytest.mark.parametrize(("declared", "words"), [
    ({"block": (32, 0)}, r"block=\(32, 0\) is not one to three positive integers"),
    ({"block": 2.0}, "block=2.0 is not one to three"),
    ({"block": (32, 33)}, "has 1056 threads; a block has at most 1024"),
    ({"block": (1, 1, 65)}, "a block has at most"),
    ({"block": 64, "max_threads": 64}, "block=64 is exact; leave max_threads=64 out"),
])
def test_declarations(declared, words):
    with pytest.raises(TypeError, match=words):
        kernel(**declared)(line.function)
