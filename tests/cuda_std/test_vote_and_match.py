"""Votes, matches, lane masks and the warp's barrier against plain Python over lists of lanes."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, InOut, Out, i32, kernel, u32, u64
from simt.cuda_std import shared, thread, warp
from tests.cuda_std.targets import Run, both_targets

MASKS = [0xFFFFFFFF, 0x0000FFFF, 0xAAAAAAAA, 0x80000001, 0x00000010]
PATTERNS = [0x00000000, 0xFFFFFFFF, 0x12345678, 0x80000010]


@kernel
def votes(pattern: u32, members: u32, every: Out[bool], some: Out[bool], same: Out[bool], ballots: Out[u32]):
    lane = warp.lane_id()
    condition = (pattern >> lane) & 1 != 0
    if (members >> lane) & 1 != 0:
        every[lane] = warp.all(condition, members)
        some[lane] = warp.any(condition, members)
        same[lane] = warp.uniform(condition, members)
        ballots[lane] = warp.ballot(condition, members)


@kernel
def matches(x: In[u64], members: u32, equal: Out[u32], all_equal: Out[u32]):
    lane = warp.lane_id()
    if (members >> lane) & 1 != 0:
        equal[lane] = warp.match_any(x[lane], members)
        all_equal[lane] = warp.match_all(x[lane], members)


@kernel
def masks(eq: Out[u32], lt: Out[u32], le: Out[u32], gt: Out[u32], ge: Out[u32], lanes: Out[i32], warps: Out[i32]):
    i = thread.linear_index()
    eq[i] = warp.lanemask_eq()
    lt[i] = warp.lanemask_lt()
    le[i] = warp.lanemask_le()
    gt[i] = warp.lanemask_gt()
    ge[i] = warp.lanemask_ge()
    lanes[i] = warp.lane_id()
    warps[i] = warp.warp_id()


@kernel
def active(out: InOut[u32]):
    i = thread.index_1d()
    if i % 3 != 0:
        out[i] = warp.active_mask()


@kernel
def rotate_in_shared_memory(x: In[i32], out: Out[i32]):
    buffer = shared.array(i32, 64)
    i = thread.thread_idx.x
    lane = warp.lane_id()
    for _ in range(3):
        buffer[i] = x[i]
        warp.sync()
        out[i] = buffer[i - lane + (lane + 1) % 32]
        warp.sync()


@both_targets
@pytest.mark.parametrize("members", MASKS)
def test_votes(run: Run, members: int) -> None:
    inside = [lane for lane in range(32) if members >> lane & 1]
    for pattern in PATTERNS:
        every, some, same = (np.zeros(32, np.bool_) for _ in range(3))
        ballots = np.zeros(32, np.uint32)
        run(votes, 1, 32, pattern, members, every, some, same, ballots)
        said = [bool(pattern >> lane & 1) for lane in inside]
        assert every[inside].tolist() == [all(said)] * len(inside)
        assert some[inside].tolist() == [any(said)] * len(inside)
        assert same[inside].tolist() == [len(set(said)) == 1] * len(inside)
        assert ballots[inside].tolist() == [sum(1 << lane for lane in inside if pattern >> lane & 1)] * len(inside)


@both_targets
@pytest.mark.parametrize("members", MASKS)
def test_matches(run: Run, members: int) -> None:
    inside = [lane for lane in range(32) if members >> lane & 1]
    lanes = range(32)
    for x in ([7] * 32, list(lanes), [2**40 * (lane % 3) for lane in lanes], [2**63 - (lane < 9) for lane in lanes]):
        equal, all_equal = np.zeros(32, np.uint32), np.zeros(32, np.uint32)
        run(matches, 1, 32, np.array(x, np.uint64), members, equal, all_equal)
        groups = {value: sum(1 << lane for lane in inside if x[lane] == value) for value in x}
        assert equal[inside].tolist() == [groups[x[lane]] for lane in inside]
        assert all_equal[inside].tolist() == [members if groups[x[inside[0]]] == members else 0] * len(inside)


@both_targets
@pytest.mark.parametrize("block", [(32, 1, 1), (70, 1, 1), (5, 7, 3), (64, 2, 1)])
def test_lanes_follow_the_linear_index_in_the_block(run: Run, block: tuple[int, int, int]) -> None:
    count = 2 * block[0] * block[1] * block[2]
    results = [np.zeros(count, np.uint32) for _ in range(5)]
    lanes, warps = np.zeros(count, np.int32), np.zeros(count, np.int32)
    run(masks, 2, block, *results, lanes, warps)
    index = np.arange(count) % (count // 2)
    assert lanes.tolist() == (index % 32).tolist()
    assert warps.tolist() == (index // 32).tolist()
    for lane, *found in zip(lanes.tolist(), *results, strict=True):
        assert found == [
            1 << lane, sum(1 << k for k in range(lane)), sum(1 << k for k in range(lane + 1)),
            sum(1 << k for k in range(lane + 1, 32)), sum(1 << k for k in range(lane, 32)),
        ]


@both_targets
def test_active_mask_has_the_asking_lane_and_no_lane_elsewhere(run: Run) -> None:
    out = np.zeros(64, np.uint32)
    run(active, 1, 64, out)
    there = sum(1 << lane for lane in range(32) if lane % 3)
    for i in range(32):
        answer = int(out[i])
        assert (answer >> i & 1, answer & ~there) == ((1, 0) if i % 3 else (0, 0))


@both_targets
def test_the_warp_barrier_orders_shared_memory(run: Run) -> None:
    x, out = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    run(rotate_in_shared_memory, 1, 64, x, out)
    assert out.tolist() == [*range(1, 32), 0, *range(33, 64), 32]
