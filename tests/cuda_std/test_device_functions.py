"""Functions of cuda_std written in Python, where no single instruction stands for them: they compile for a GPU too."""
from __future__ import annotations

import re
from typing import Any

import pytest

from simt.core import D2, D3, DisjointOut, InOut, Kernel, Out, f32, f64, i32, i64, kernel, u32
from simt.cuda_std import atomic, bits, block, math, shared, thread, warp

pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")


@kernel
def strides(line: DisjointOut[f32], plane: DisjointOut[f32, D2]):
    for i in thread.grid_stride(line.size):
        line[i] = 1.0
    cols, rows = thread.grid_stride_2d(plane.shape[1], plane.shape[0])
    for row in rows:
        for col in cols:
            plane[row, col] = 2.0


@kernel
def indices(plane: DisjointOut[i64, D2], cube: Out[i64, D3], line: Out[i64]):
    col, row = thread.index_2d()
    plane[row, col] = row
    x, y, z = thread.index_3d()
    cube[z, y, x] = thread.linear_index()
    if thread.first():
        line[thread.index_in_block()] = block.linear_index() + block.size() + warp.warp_id()


@kernel
def parts(x: InOut[f32], y: InOut[f64], n: InOut[i32]):
    m, n[0] = math.frexp(x[0])
    fraction, whole = math.modf(y[0])
    sine, cosine = math.sincos(x[1])
    x[2] = m + sine * cosine
    y[2] = fraction + whole
    if math.isclose(x[3], x[4], rel_tol=1e-5) and math.isfinite(y[3]) and not math.isnan(y[4]) and not math.isinf(y[5]):
        x[5] = math.degrees(x[6]) + math.radians(x[7])
    n[1] = bits.ffs(n[2])


@kernel
def memory(counts: InOut[u32], out: Out[f64]):
    doubles = shared.dynamic(f64, 32)
    words = shared.dynamic(u32, 32)
    lane = warp.lane_id()
    doubles[lane] = lane * 0.5
    words[lane] = 0
    block.sync()
    atomic.add(words, lane // 2, 1)
    atomic.sub(counts, 0, 1)
    block.sync()
    out[lane] = doubles[31 - lane] + words[lane]


@pytest.mark.parametrize("subject", [strides, indices, parts, memory], ids=lambda k: k.name)
@pytest.mark.parametrize("target", ["sm_75", "sm_90", "sm_100"])
def test_no_call_is_left(subject: Kernel[Any], target: str) -> None:
    ptx = subject.inspect("ptx", target=target)
    assert re.findall(r"\.extern \.func.*", ptx) == []
    assert re.findall(r"^\s*call\b.*", ptx, re.MULTILINE) == []


def test_slices_of_dynamic_shared_memory_start_one_after_the_other() -> None:
    ptx = memory.inspect("ptx", target="sm_90")
    assert re.search(r"\.extern \.shared \.align 16", ptx)
    assert re.search(r"atom\.shared\.add\.u32", ptx)


def test_a_grid_stride_loop_is_one_loop() -> None:
    """The step is known to be positive, so nothing selects between a rising and a falling range."""

    @kernel
    def count(x: Out[f32]):
        for i in thread.grid_stride(x.size):
            x[i] = 1.0

    nvvm = count.inspect("nvvm", target="sm_90")
    assert len(re.findall(r"icmp slt", nvvm)) == 1
    assert "select" not in nvvm
