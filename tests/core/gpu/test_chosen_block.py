"""The block of ``for_elements``: chosen by a GPU, always covering every element."""
from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simt.core import D2, InOut, Out, i32, kernel
from simt.core.gpu.chosen_block import choose_block
from simt.core.gpu.occupancy import executable_for, resident_blocks
from simt.core.runtime.configuration import Bounds, cover
from simt.cuda_std import thread

PLAIN = Bounds("k", None, None)


@kernel
def count(seen: InOut[i32]):
    i = thread.index_1d()
    if i < seen.size:
        seen[i] += thread.block_dim.x * thread.block_dim.y


@kernel
def count_2d(seen: InOut[i32, D2]):
    col, row = thread.index_2d()
    if row < seen.shape[0] and col < seen.shape[1]:
        seen[row, col] += thread.block_dim.x * thread.block_dim.y


@kernel(max_threads=64)
def bounded(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = thread.block_dim.x


def chosen(shape, resident, *, most=1024, processors=132, bounds=PLAIN):
    configuration = cover(shape, bounds)
    elements = configuration.elements
    assert elements is not None
    return choose_block(configuration, elements, most, processors, resident)


def per_threads(threads):
    """As many blocks as 2048 threads make."""
    return 2048 // threads


@pytest.mark.parametrize(("shape", "resident", "most", "block"), [
    (10**6, per_threads, 1024, (256, 1, 1)),  # all are full: the preferred size
    (10**4, per_threads, 1024, (128, 1, 1)),  # 79 blocks of 128 reach more multiprocessors than 40 of 256
    (10**6, {128: 16, 256: 6, 512: 3, 1024: 1}.get, 1024, (128, 1, 1)),
    (10**6, {128: 8, 256: 4, 512: 3, 1024: 1}.get, 1024, (512, 1, 1)),
    (10**6, {128: 5}.get, 200, (128, 1, 1)),
    (10**6, lambda threads: 1, 96, (64, 1, 1)),
    ((4000, 4000), {128: 8, 256: 4, 512: 2, 1024: 2}.get, 1024, (32, 32, 1)),
    ((65535 * 8, 32), {128: 16, 256: 4, 512: 2, 1024: 1}.get, 1024, (32, 8, 1)),  # (32, 4) needs too many blocks in y
])
def test_the_block_of_the_highest_occupancy(shape, resident, most, block):
    assert chosen(shape, resident, most=most).block == block


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=3), st.integers(1, 1024), st.integers(0, 7),
       st.sampled_from([None, (2, 1, 1)]))
def test_every_choice_covers_every_axis(shape, most, seed, cluster):
    bounds = Bounds("k", None, cluster)
    found = chosen(tuple(shape), lambda threads: (threads * 7 + seed) % 5, most=most, bounds=bounds)
    assert prod(found.block) <= max(most, 1)
    for extent, blocks, size in zip(reversed(shape), found.grid, found.block, strict=False):
        assert blocks * size >= extent
    assert cluster is None or found.grid[0] % 2 == 0


def test_code_with_small_indices_keeps_few_threads():
    shape = (17, 2**25)  # rows are rounded up to 24 by blocks of 8, to 32 by blocks of 32
    assert chosen(shape, lambda threads: 1).threads < 2**30


@pytest.mark.parametrize("n", [1, 31, 1000, 100_000])
def test_a_gpu_runs_every_element_once_and_says_the_block(device, n):
    seen, launch = device.zeros(n, np.int32), count.for_elements(n)
    assert kernel(count.function).for_elements(n).block == cover(n, PLAIN).block  # nothing is chosen yet
    for turn in (1, 2, 3):
        launch(seen)
        np.testing.assert_array_equal(seen.numpy(), turn * prod(launch.block))
    assert launch.grid[0] * launch.block[0] >= n


def test_two_axes(device):
    seen, launch = device.zeros((70, 45), np.int32), count_2d.for_elements((70, 45))
    launch(seen)
    np.testing.assert_array_equal(seen.numpy(), prod(launch.block))
    assert launch.block[0] == 32


def test_it_is_the_highest_occupancy_that_the_driver_knows(device):
    seen, launch = device.zeros(10**6, np.int32), count.for_elements(10**6)
    launch(seen)
    code = executable_for(count, device, seen)
    threads = launch.block[0]
    assert resident_blocks(code, threads) * threads == max(
        resident_blocks(code, size) * size for size in (128, 256, 512, 1024)
    )


def test_the_declaration_bounds_the_choice(device):
    out = device.zeros(500, np.int32)
    bounded.for_elements(500)(out)
    np.testing.assert_array_equal(out.numpy(), 64)


def test_graphs_replay_the_chosen_block(device):
    seen, other, stream = device.zeros(10**6, np.int32), device.zeros(10**6, np.int32), device.stream()
    launch = count.for_elements(10**6)
    with stream.capture() as graph:
        launch(seen)
    run = graph.instantiate()
    run.launch(stream)
    run.update(count, seen=other)
    run.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(seen.numpy(), prod(launch.block))
    np.testing.assert_array_equal(other.numpy(), prod(launch.block))
