"""The threads of a block together: its barrier, also with a count or a vote, and its size and number.

Every thread of the block that has not returned must reach the same barrier.
"""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.lanes import Lanes
from simt.core.intrinsics.recipe import Barrier, Expand, LlvmCall, PerLane
from simt.core.intrinsics.thread_context import block_barrier, block_collective
from simt.core.llvm.builder import Emitter, Value
from simt.core.scalars import i32, i64
from simt.core.types import Type
from simt.cuda_std.thread import block_dim, block_idx, grid_dim

SOURCE = "PTX ISA, Parallel Synchronization and Communication Instructions: bar"


def _expand_count(
    emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> Value:
    condition = emitter.cast("zext", arguments[0], "i32")
    return emitter.call("i32", "llvm.nvvm.barrier0.popc", [condition], "convergent nounwind")


def _vote_recipe(name: str) -> Expand:
    """``llvm.nvvm.barrier0.and`` and ``or`` take and give an i32."""

    def expand(
        emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
    ) -> Value:
        condition = emitter.cast("zext", arguments[0], "i32")
        vote = emitter.call("i32", name, [condition], "convergent nounwind")
        return emitter.compare("icmp ne", vote, Value("i32", "0"))

    return Expand(expand)


def _count(_thread: i32, members: Lanes[bool], condition: Lanes[bool]) -> i32:
    total = i32(0)
    for other in range(condition.size):
        if members[other] and condition[other]:
            total += 1
    return total


def _and(_thread: i32, members: Lanes[bool], condition: Lanes[bool]) -> bool:
    for other in range(condition.size):
        if members[other] and not condition[other]:
            return False
    return True


def _or(_thread: i32, members: Lanes[bool], condition: Lanes[bool]) -> bool:
    for other in range(condition.size):
        if members[other] and condition[other]:
            return True
    return False


@intrinsic(
    gpu=LlvmCall("llvm.nvvm.barrier0"), cpu=Barrier(), ptx=r"bar(rier)?(\.cta)?\.sync", since=Sm(50), source=SOURCE,
    behavior=Behavior.BLOCK,
)
def sync() -> None:
    """Wait until all threads of the block are here; what they wrote to memory before is seen by each after."""
    block_barrier()


@intrinsic(
    gpu=Expand(_expand_count), cpu=PerLane(_count), ptx=r"bar(rier)?(\.cta)?\.red\.popc\.u32", since=Sm(50),
    source=SOURCE, behavior=Behavior.BLOCK, uniformity=Uniformity.BLOCK,
)
def sync_count(condition: bool) -> i32:
    """As ``sync``; gives in how many of the block's threads ``condition`` is true."""
    return block_collective(_count, condition)


@intrinsic(
    gpu=_vote_recipe("llvm.nvvm.barrier0.and"), cpu=PerLane(_and), ptx=r"bar(rier)?(\.cta)?\.red\.and\.pred",
    since=Sm(50), source=SOURCE, behavior=Behavior.BLOCK, uniformity=Uniformity.BLOCK,
)
def sync_and(condition: bool) -> bool:
    """As ``sync``; gives whether ``condition`` is true in all of the block's threads."""
    return block_collective(_and, condition)


@intrinsic(
    gpu=_vote_recipe("llvm.nvvm.barrier0.or"), cpu=PerLane(_or), ptx=r"bar(rier)?(\.cta)?\.red\.or\.pred",
    since=Sm(50), source=SOURCE, behavior=Behavior.BLOCK, uniformity=Uniformity.BLOCK,
)
def sync_or(condition: bool) -> bool:
    """As ``sync``; gives whether ``condition`` is true in any of the block's threads."""
    return block_collective(_or, condition)


def size() -> i32:
    """Threads of a block, from 1 to 1024."""
    return block_dim.x * block_dim.y * block_dim.z


def linear_index() -> i64:
    """This block's number in the grid, x fastest."""
    return block_idx.x + grid_dim.x * (block_idx.y + grid_dim.y * i64(block_idx.z))
