"""Shuffles: every lane reads a value that another lane passed.

All take an optional ``width`` (1, 2, 4, 8, 16 or 32: the warp is divided into segments of that many lanes) and
``members``, the mask of lanes that take part: each of them must call, with the same mask. Where the lane to read is
out of range, a lane gets its own value; the ``_with_flag`` forms say so. Reading a lane in range that is not a member,
or has returned, gives a value that PTX leaves open: 0 on the CPU target, as seen on an H200.
"""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.lanes import Lanes
from simt.core.intrinsics.recipe import PerLane
from simt.core.intrinsics.thread_context import warp_collective
from simt.core.scalars import i32, u32
from simt.cuda_std.generics import Scalar
from simt.cuda_std.warp._lane import FULL, SIZE
from simt.cuda_std.warp._shuffle_lowering import Mode, shuffle_recipe

SOURCE = "PTX ISA, Data Movement and Conversion Instructions: shfl.sync"

# ---- which lane each lane reads, or -1 where it is out of range


def _indexed(lane: i32, source: i32, width: i32) -> i32:
    return (lane & -width) | (source & (width - 1))


def _above(lane: i32, delta: i32, width: i32) -> i32:
    source = lane + (delta & 31)
    return source if source <= (lane | (width - 1)) else -1


def _below(lane: i32, delta: i32, width: i32) -> i32:
    source = lane - (delta & 31)
    return source if source >= (lane & -width) else -1


def _crossed(lane: i32, lane_mask: i32, width: i32) -> i32:
    source = lane ^ (lane_mask & 31)
    return source if source <= (lane | (width - 1)) else -1


def _read(lane: i32, members: u32, value: Lanes[Scalar], source: i32) -> Scalar:
    if source < 0:
        return value[lane]
    return value[source] if (members >> source) & 1 != 0 else value.dtype(0)


# ---- meanings


def _shuffle(lane: i32, members: u32, value: Lanes[Scalar], source: Lanes[i32], width: Lanes[i32]) -> Scalar:
    return _read(lane, members, value, _indexed(lane, source[lane], width[lane]))


def _up(lane: i32, members: u32, value: Lanes[Scalar], delta: Lanes[i32], width: Lanes[i32]) -> Scalar:
    return _read(lane, members, value, _below(lane, delta[lane], width[lane]))


def _down(lane: i32, members: u32, value: Lanes[Scalar], delta: Lanes[i32], width: Lanes[i32]) -> Scalar:
    return _read(lane, members, value, _above(lane, delta[lane], width[lane]))


def _xor(lane: i32, members: u32, value: Lanes[Scalar], lane_mask: Lanes[i32], width: Lanes[i32]) -> Scalar:
    return _read(lane, members, value, _crossed(lane, lane_mask[lane], width[lane]))


def _up_with_flag(
    lane: i32, members: u32, value: Lanes[Scalar], delta: Lanes[i32], width: Lanes[i32]
) -> tuple[Scalar, bool]:
    source = _below(lane, delta[lane], width[lane])
    return _read(lane, members, value, source), source >= 0


def _down_with_flag(
    lane: i32, members: u32, value: Lanes[Scalar], delta: Lanes[i32], width: Lanes[i32]
) -> tuple[Scalar, bool]:
    source = _above(lane, delta[lane], width[lane])
    return _read(lane, members, value, source), source >= 0


def _xor_with_flag(
    lane: i32, members: u32, value: Lanes[Scalar], lane_mask: Lanes[i32], width: Lanes[i32]
) -> tuple[Scalar, bool]:
    source = _crossed(lane, lane_mask[lane], width[lane])
    return _read(lane, members, value, source), source >= 0


# ---- operations


@intrinsic(
    gpu=shuffle_recipe(Mode.IDX), cpu=PerLane(_shuffle), ptx=r"shfl\.sync\.idx\.b32", since=Sm(50), source=SOURCE,
    behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle(value: Scalar, source: i32, width: i32 = SIZE, members: u32 = FULL) -> Scalar:
    """The value of lane ``source`` of this lane's segment; the lowest ``log2(width)`` bits of ``source`` count."""
    return warp_collective(_shuffle, members, value, i32(source), i32(width))


@intrinsic(
    gpu=shuffle_recipe(Mode.UP), cpu=PerLane(_up), ptx=r"shfl\.sync\.up\.b32", since=Sm(50), source=SOURCE,
    behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle_up(value: Scalar, delta: i32, width: i32 = SIZE, members: u32 = FULL) -> Scalar:
    """The value of the lane ``delta`` below (0 to 31); own value in a segment's first ``delta`` lanes."""
    return warp_collective(_up, members, value, i32(delta), i32(width))


@intrinsic(
    gpu=shuffle_recipe(Mode.DOWN), cpu=PerLane(_down), ptx=r"shfl\.sync\.down\.b32", since=Sm(50), source=SOURCE,
    behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle_down(value: Scalar, delta: i32, width: i32 = SIZE, members: u32 = FULL) -> Scalar:
    """The value of the lane ``delta`` above (0 to 31); own value in a segment's last ``delta`` lanes."""
    return warp_collective(_down, members, value, i32(delta), i32(width))


@intrinsic(
    gpu=shuffle_recipe(Mode.BFLY), cpu=PerLane(_xor), ptx=r"shfl\.sync\.bfly\.b32", since=Sm(50), source=SOURCE,
    behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle_xor(value: Scalar, lane_mask: i32, width: i32 = SIZE, members: u32 = FULL) -> Scalar:
    """The value of lane ``lane ^ lane_mask`` (0 to 31); own value where that lies in a later segment."""
    return warp_collective(_xor, members, value, i32(lane_mask), i32(width))


@intrinsic(
    gpu=shuffle_recipe(Mode.UP, with_flag=True), cpu=PerLane(_up_with_flag), ptx=r"shfl\.sync\.up\.b32", since=Sm(50),
    source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle_up_with_flag(value: Scalar, delta: i32, width: i32 = SIZE, members: u32 = FULL) -> tuple[Scalar, bool]:
    """As ``shuffle_up``, with whether the lane read was in range."""
    return warp_collective(_up_with_flag, members, value, i32(delta), i32(width))


@intrinsic(
    gpu=shuffle_recipe(Mode.DOWN, with_flag=True), cpu=PerLane(_down_with_flag), ptx=r"shfl\.sync\.down\.b32",
    since=Sm(50), source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle_down_with_flag(value: Scalar, delta: i32, width: i32 = SIZE, members: u32 = FULL) -> tuple[Scalar, bool]:
    """As ``shuffle_down``, with whether the lane read was in range."""
    return warp_collective(_down_with_flag, members, value, i32(delta), i32(width))


@intrinsic(
    gpu=shuffle_recipe(Mode.BFLY, with_flag=True), cpu=PerLane(_xor_with_flag), ptx=r"shfl\.sync\.bfly\.b32",
    since=Sm(50), source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def shuffle_xor_with_flag(value: Scalar, lane_mask: i32, width: i32 = SIZE, members: u32 = FULL) -> tuple[Scalar, bool]:
    """As ``shuffle_xor``, with whether the lane read was in range."""
    return warp_collective(_xor_with_flag, members, value, i32(lane_mask), i32(width))
