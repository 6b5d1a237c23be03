"""Launches with attributes, and occupancy, on a GPU."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, InOut, LaunchError, Out, i32, kernel, u32
from simt.cuda_std import atomic, block, fence, grid, thread

pytestmark = pytest.mark.gpu


@kernel(checks=False)
def meeting(arrived: InOut[u32], out: Out[i32], blocks: u32):
    """Every block waits for all others: ends only where they run at the same time."""
    block.sync()
    if thread.thread_idx.x == 0:
        fence.device()
        atomic.add(arrived, 0, 1)
        while atomic.load(arrived, 0) < blocks:
            fence.device()
    block.sync()
    out[thread.index_1d()] = 1


@kernel
def indices(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = i32(i)


def test_blocks_of_a_cooperative_launch_run_at_the_same_time(device):
    from simt.core.gpu.occupancy import executable_for, resident_blocks

    arrived, out = device.zeros(1, u32), device.zeros(128, i32)
    each = resident_blocks(executable_for(meeting, device, arrived, out, 1), 128)
    room = each * device.attribute("MULTIPROCESSOR_COUNT")
    out = device.zeros(room * 128, i32)
    meeting[room, 128].with_attributes(cooperative=True)(arrived, out, room)
    assert (out.numpy() == 1).all()
    with pytest.raises(LaunchError, match=f"has {room + 1} blocks, all of which must run at once.*room for {room} "):
        meeting[room + 1, 128].with_attributes(cooperative=True)(arrived, out, room)


@pytest.mark.parametrize("attributes", [
    {"priority": -1}, {"cluster": 2}, {"cluster": (4, 1, 1), "cooperative": True},
    {"cluster": 16},
], ids=str)
def test_results_are_those_of_a_plain_launch(device, attributes):
    if device.compute_capability < (9, 0) and "cluster" in attributes:
        pytest.skip("needs compute capability 9.0")
    out = device.zeros(32 * 64, i32)
    with device.stream():
        for _ in range(3):
            out.fill(-1)
            indices[32, 64].with_attributes(**attributes)(out)
    assert (out.numpy() == np.arange(32 * 64)).all()


@kernel
def chained(before: In[i32], after: Out[i32]):
    grid.wait_for_previous()
    i = thread.index_1d()
    if i < after.size:
        after[i] = before[i] + 1
    grid.let_next_start()


def test_programmatic_launches_read_what_the_ones_before_wrote(device):
    if device.compute_capability < (9, 0):
        pytest.skip("needs compute capability 9.0")
    x, y = device.zeros(1 << 20, i32), device.zeros(1 << 20, i32)
    with device.stream():
        launch = chained.for_elements(x.size).with_attributes(programmatic=True)
        for _ in range(100):
            launch(x, y)
            launch(y, x)
        assert (x.numpy() == 200).all()


def test_a_captured_launch_keeps_its_attributes(device):
    out = device.zeros(64, i32)
    with device.stream().capture() as graph:
        indices[2, 32].with_attributes(cooperative=True)(out)
    graph.instantiate().launch().synchronize()
    assert (out.numpy() == np.arange(64)).all()


def test_occupancy_figures_agree_with_each_other(device):
    from simt.core.gpu.occupancy import active_clusters, executable_for, occupancy, resident_blocks, suggested_block

    code = executable_for(indices, device, device.zeros(4, i32))
    suggested = suggested_block(code)
    assert suggested.threads % 32 == 0
    most = device.attribute("MULTIPROCESSOR_COUNT") * resident_blocks(code, suggested.threads)
    assert suggested.blocks <= most
    assert 0 < occupancy(code, 32) <= occupancy(code, suggested.threads) <= 1
    assert resident_blocks(code, 128, device.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")) == 1
    if device.compute_capability >= (9, 0):
        assert active_clusters(code, indices[4, 256].with_attributes(cluster=4).configuration) > 0
