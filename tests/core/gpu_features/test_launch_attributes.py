"""Launches that ask for more, and occupancy: on the CPU target and on the fake driver."""
from __future__ import annotations

import os

import numpy as np
import pytest

from simt.core import LaunchError, Out, i32, kernel
from simt.cuda_std import thread
from tests.fake_driver.process import run_with_fake_gpu


@kernel
def indices(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = i32(i)


@pytest.mark.skipif(os.environ.get("SIMT_TEST_DEVICE") == "gpu", reason="needs launches on the CPU target")
def test_the_cpu_target_takes_what_means_something_there():
    out = np.zeros(64, np.int32)
    indices[4, 16].with_attributes(programmatic=True, priority=-1, cluster=2)(out)
    assert (out == np.arange(64)).all()
    out[:] = 0
    indices[1, 64].with_attributes(cooperative=True)(out)
    assert (out == np.arange(64)).all()
    with pytest.raises(LaunchError, match=r"cooperative launch of 2 blocks on the CPU target: .* launch one block"):
        indices[2, 32].with_attributes(cooperative=True)(out)


@pytest.mark.parametrize(("attributes", "words"), [
    ({"cluster": 3}, r"grid \(4, 1, 1\) is no multiple of the clusters of \(3, 1, 1\)"),
    ({"cluster": (2, 0)}, "not one to three positive integers"), ({"cluster": 2.0}, "not one to three positive"),
    ({"priority": "high"}, "'high' is no integer; device.stream_priorities"),
])
def test_attributes_that_do_not_fit(attributes, words):
    with pytest.raises(LaunchError, match=words):
        indices[4, 16].with_attributes(**attributes)


def test_a_cluster_has_at_most_16_blocks_and_is_the_declared_one():
    with pytest.raises(LaunchError, match="has 32 blocks; a cluster has at most 16"):
        indices[32, 16].with_attributes(cluster=32)

    @kernel(cluster=2)
    def pairs(out: Out[i32]):
        out[thread.index_1d()] = 0

    with pytest.raises(LaunchError, match=r"cluster \(4, 1, 1\): pairs was declared with cluster=\(2, 1, 1\)"):
        pairs[4, 16].with_attributes(cluster=4)


GPU = '''
import numpy as np
import pytest
from simt.core import LaunchError, Out, i32, kernel
from simt.core.gpu.device import gpu
from simt.core.gpu.occupancy import active_clusters, executable_for, occupancy, resident_blocks, suggested_block
from simt.cuda_std import grid, thread

@kernel
def indices(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = i32(i)

@kernel
def waiting(out: Out[i32]):
    grid.wait_for_previous()
    i = thread.index_1d()
    if i < out.size:
        out[i] = i32(i)
    grid.let_next_start()

device = gpu()
out = device.zeros(64, i32)
'''


def test_launches_with_attributes_through_the_driver():
    run_with_fake_gpu(GPU, '''
        launch = waiting[2, 32].with_attributes(cooperative=True, programmatic=True, cluster=(2, 1, 1), priority=-1)
        for _ in range(3):
            out.fill(0)
            launch(out)
            assert (out.numpy() == np.arange(64)).all()
        assert fake.calls("cuLaunchKernelEx") == 3 and fake.calls("cuLaunchKernel") == 0
        room = resident_blocks(executable_for(indices, device, out), 32) * device.attribute("MULTIPROCESSOR_COUNT")
        indices[room, 32].with_attributes(cooperative=True)(out)
        words = f"has {room + 1} blocks, all of which must run at once, and Fake GPU has room for {room} of 32 threads"
        with pytest.raises(LaunchError, match=words):
            indices[room + 1, 32].with_attributes(cooperative=True)(out)
        with pytest.raises(LaunchError, match="indices never waits for the launch before it.*grid.wait_for_previous"):
            indices[1, 32].with_attributes(programmatic=True)(out)
        with pytest.raises(LaunchError, match="priority 7: Fake GPU has "):
            indices[1, 32].with_attributes(priority=7)(out)
    ''')


def test_what_an_old_device_lacks_is_refused():
    run_with_fake_gpu(GPU, '''
        with pytest.raises(LaunchError, match="need compute capability 9.0, and Fake GPU has 8.0"):
            indices[2, 32].with_attributes(programmatic=True)(out)
    ''', SIMT_FAKE_CAPABILITY="80")


def test_occupancy():
    run_with_fake_gpu(GPU, '''
        code = executable_for(indices, device, out)
        most = device.attribute("MAX_THREADS_PER_MULTIPROCESSOR")
        assert resident_blocks(code, 1024) == most // 1024 and occupancy(code, 1024) == 1
        per_block = device.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
        assert resident_blocks(code, 32, per_block) == 1
        found = suggested_block(code, at_most=256)
        assert found.threads == 256 and found.blocks == most // 256 * device.attribute("MULTIPROCESSOR_COUNT")
        launch = indices[4, 256].with_attributes(cluster=2)
        assert active_clusters(code, launch.configuration) == found.blocks // 2
        with pytest.raises(LaunchError, match="indices has no clusters"):
            active_clusters(code, indices[4, 256].configuration)
    ''')
