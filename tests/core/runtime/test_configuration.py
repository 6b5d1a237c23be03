"""Grid and block: what a launch may ask for, and what ``for_elements`` chooses."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simt.core.errors import LaunchError
from simt.core.runtime.configuration import Bounds, configure, cover

PLAIN = Bounds("k", None, None)


@pytest.mark.parametrize(("written", "grid", "block", "shared_bytes"), [
    ((2, 64), (2, 1, 1), (64, 1, 1), 0),
    (((3, 4), (16, 8)), (3, 4, 1), (16, 8, 1), 0),
    (((3, 4, 5), (8, 8, 2), 1024), (3, 4, 5), (8, 8, 2), 1024),
    ((np.int64(7), np.int32(32), np.int16(64), None), (7, 1, 1), (32, 1, 1), 64),
    (((1,), (1024,)), (1, 1, 1), (1024, 1, 1), 0),
    ((2**31 - 1, 1), (2**31 - 1, 1, 1), (1, 1, 1), 0),
])
def test_what_is_written_is_meant(written, grid, block, shared_bytes):
    found = configure(written, PLAIN)
    assert (found.grid, found.block, found.shared_bytes) == (grid, block, shared_bytes)


@pytest.mark.parametrize(("written", "message"), [
    ((8,), r"k\[...\] takes grid, block, and optionally shared_bytes and stream; 1 given"),
    (8, "1 given"),
    ((1, 2, 3, 4, 5), "5 given"),
    ((1.5, 8), r"grid 1.5 is a float; round up with -\(-n // threads\)"),
    ((2.0, 8), "grid 2.0 is a float"),
    ((1, (8, 2.0)), "block 2.0 is a float"),
    ((np.float64(3), 8), "is a float"),
    ((True, 8), "grid True is a bool"),
    (("1", 8), "grid '1' is a str"),
    ((None, 8), "grid None is a NoneType"),
    (((1, 2, 3, 4), 8), r"grid \(1, 2, 3, 4\) has 4 axes"),
    (((), 8), "has 0 axes"),
    ((0, 8), r"grid \(0, 1, 1\) is empty; skip the launch .* k.for_elements\(n\)"),
    (((4, 0), 8), r"grid \(4, 0, 1\) is empty"),
    ((1, 0), r"block \(0, 1, 1\) is empty"),
    ((-1, 8), r"grid \(-1, 1, 1\): x is negative"),
    ((1, (8, -2)), r"block \(8, -2, 1\): y is negative"),
    ((1, 1025), r"block \(1025, 1, 1\): x is over the limit of 1024"),
    ((1, (1, 1, 65)), r"z is over the limit of 64"),
    ((1, (64, 32)), r"block \(64, 32, 1\) has 2048 threads; a block has at most 1024"),
    ((2**31, 1), r"x is over the limit of 2147483647"),
    (((1, 65536), 1), r"y is over the limit of 65535"),
    ((1, 8, -1), "shared_bytes -1 is outside 0 to 232448"),
    ((1, 8, 232449), "shared_bytes 232449 is outside"),
    ((1, 8, 1.0), "shared_bytes 1.0 is a float; write a number of bytes"),
    ((1, 8, "x"), "shared_bytes 'x' is a str; write a number of bytes"),
    ((np.ones(8), 8), "is a ndarray; write an integer or a tuple of up to 3"),
])
def test_what_cannot_run_is_refused(written, message):
    with pytest.raises(LaunchError, match=message) as error:
        configure(written, PLAIN)
    assert error.value.argument is None


def test_the_declaration_bounds_blocks_and_clusters():
    bounds = Bounds("k", 128, (2, 1, 1))
    assert configure((4, 128), bounds).grid == (4, 1, 1)
    with pytest.raises(LaunchError, match=r"block \(256, 1, 1\) has 256 threads; k was declared with max_threads=128"):
        configure((4, 256), bounds)
    with pytest.raises(LaunchError, match=r"grid \(3, 1, 1\) is no multiple of the clusters of \(2, 1, 1\) blocks"):
        configure((3, 128), bounds)
    assert cover(300, bounds).grid == (4, 1, 1) and cover(300, bounds).block == (128, 1, 1)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=3), st.sampled_from([None, 1, 7, 32, 64, 100, 256, 1024]))
def test_for_elements_covers_every_axis_within_the_limits(shape, max_threads):
    found = cover(tuple(shape), Bounds("k", max_threads, None))
    threads = found.block[0] * found.block[1] * found.block[2]
    assert 1 <= threads <= min(256, max_threads or 256)
    for axis, extent in enumerate(reversed(shape)):
        blocks, size = found.grid[axis], found.block[axis]
        assert (blocks - 1) * size < extent <= blocks * size  # enough, and no empty block


@pytest.mark.parametrize(("shape", "grid", "block"), [
    (1_000_000, (3907, 1, 1), (256, 1, 1)),
    ((512, 768), (24, 64, 1), (32, 8, 1)),
    ((3, 512, 768), (24, 64, 3), (32, 8, 1)),
    (5, (1, 1, 1), (32, 1, 1)),
    (np.int64(5), (1, 1, 1), (32, 1, 1)),
    (0, (0, 1, 1), (32, 1, 1)),
])
def test_for_elements_gives_x_the_last_axis(shape, grid, block):
    found = cover(shape, PLAIN)
    assert (found.grid, found.block) == (grid, block)


@pytest.mark.parametrize(("shape", "message"), [
    (2.5, "for_elements 2.5 is a float"), (-1, "negative number of elements"), ((1, 2, 3, 4), "1 to 3 axes"),
    ((), "1 to 3 axes"), ("8", "for_elements '8' is a str"),
])
def test_for_elements_takes_counts(shape, message):
    with pytest.raises(LaunchError, match=message):
        cover(shape, PLAIN)
