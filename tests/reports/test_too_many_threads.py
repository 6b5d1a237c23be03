"""A block that is too large is refused with the size, the limit and what to do."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError, Out, i32, kernel
from simt.cuda_std import shared, thread


@kernel(max_threads=128)
def small_blocks(out: Out[i32]):
    out[thread.index_1d()] = 1


@kernel
def large_shared(out: Out[i32]):
    memory = shared.dynamic(i32, 4)
    memory[0] = 1
    out[0] = memory[0]


def test_more_than_declared():
    with pytest.raises(LaunchError) as caught:
        small_blocks[1, 433](np.zeros(433, np.int32))
    assert "433" in str(caught.value) and "128" in str(caught.value) and "max_threads" in str(caught.value)


@pytest.mark.parametrize("block", [1025, (32, 33), (1, 1, 65)])
def test_more_than_the_hardware_has(block):
    with pytest.raises(LaunchError, match=r"1024|64"):
        large_shared[1, block](np.zeros(1, np.int32))


def test_too_much_shared_memory():
    with pytest.raises(LaunchError, match="shared"):
        large_shared[1, 1, 10**9](np.zeros(1, np.int32))
