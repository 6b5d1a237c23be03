"""Votes: what the members of a warp say about a condition, told to each of them; and the barrier of a warp.

``members`` is the mask of lanes that take part: each of them must call, with the same mask.
"""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.lanes import Lanes
from simt.core.intrinsics.recipe import Barrier, Expand, LlvmCall, PerLane
from simt.core.intrinsics.thread_context import warp_barrier, warp_collective
from simt.core.llvm.builder import Emitter, Value
from simt.core.scalars import i32, u32
from simt.core.types import Type
from simt.cuda_std.warp._lane import FULL, SIZE

SOURCE = "PTX ISA, Parallel Synchronization and Communication Instructions: vote.sync"


def _vote_recipe(name: str, result: str) -> Expand:
    """``llvm.nvvm.vote`` takes the mask first."""

    def expand(
        emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
    ) -> Value:
        condition, members = arguments
        return emitter.call(result, name, [members, condition], "convergent nounwind")

    return Expand(expand)


def _ballot(_lane: i32, members: u32, condition: Lanes[bool]) -> u32:
    votes = u32(0)
    for other in range(SIZE):
        if (members >> other) & 1 != 0 and condition[other]:
            votes |= u32(1) << other
    return votes


def _all(lane: i32, members: u32, condition: Lanes[bool]) -> bool:
    return _ballot(lane, members, condition) == members


def _any(lane: i32, members: u32, condition: Lanes[bool]) -> bool:
    return _ballot(lane, members, condition) != 0


def _uniform(lane: i32, members: u32, condition: Lanes[bool]) -> bool:
    votes = _ballot(lane, members, condition)
    return votes == 0 or votes == members


@intrinsic(
    gpu=_vote_recipe("llvm.nvvm.vote.all.sync", "i1"), cpu=PerLane(_all), ptx=r"vote\.sync\.all\.pred", since=Sm(50),
    source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.WARP,
)
def all(condition: bool, members: u32 = FULL) -> bool:
    """Whether ``condition`` is true in all members."""
    return warp_collective(_all, members, condition)


@intrinsic(
    gpu=_vote_recipe("llvm.nvvm.vote.any.sync", "i1"), cpu=PerLane(_any), ptx=r"vote\.sync\.any\.pred", since=Sm(50),
    source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.WARP,
)
def any(condition: bool, members: u32 = FULL) -> bool:
    """Whether ``condition`` is true in at least one member."""
    return warp_collective(_any, members, condition)


@intrinsic(
    gpu=_vote_recipe("llvm.nvvm.vote.uni.sync", "i1"), cpu=PerLane(_uniform), ptx=r"vote\.sync\.uni\.pred",
    since=Sm(50), source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.WARP,
)
def uniform(condition: bool, members: u32 = FULL) -> bool:
    """Whether ``condition`` is the same in all members."""
    return warp_collective(_uniform, members, condition)


@intrinsic(
    gpu=_vote_recipe("llvm.nvvm.vote.ballot.sync", "i32"), cpu=PerLane(_ballot), ptx=r"vote\.sync\.ballot\.b32",
    since=Sm(50), source=SOURCE, behavior=Behavior.WARP, uniformity=Uniformity.WARP,
)
def ballot(condition: bool, members: u32 = FULL) -> u32:
    """The mask of the members where ``condition`` is true."""
    return warp_collective(_ballot, members, condition)


@intrinsic(
    gpu=LlvmCall("llvm.nvvm.bar.warp.sync"), cpu=Barrier(), ptx=r"bar\.warp\.sync", since=Sm(50),
    source="PTX ISA, Parallel Synchronization and Communication Instructions: bar.warp.sync", behavior=Behavior.WARP,
)
def sync(members: u32 = FULL) -> None:
    """Wait until all members are here; what they wrote to memory before is seen by each after."""
    warp_barrier(members)
