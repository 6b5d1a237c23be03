"""Matches: which members of a warp passed the same value, bit for bit.

``members`` is the mask of lanes that take part: each of them must call, with the same mask.
"""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.lanes import Lanes
from simt.core.intrinsics.recipe import Expand, PerLane
from simt.core.intrinsics.thread_context import warp_collective
from simt.core.llvm.builder import Emitter, Value
from simt.core.scalars import i32, u32
from simt.core.types import Type
from simt.cuda_std import bits
from simt.cuda_std.generics import Integer
from simt.cuda_std.warp._lane import FULL, SIZE

SOURCE = "PTX ISA, Parallel Synchronization and Communication Instructions: match.sync"


def _expand_any(
    emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> Value:
    value, members = arguments
    return emitter.call("i32", f"llvm.nvvm.match.any.sync.{value.type}", [members, value], "convergent nounwind")


def _expand_all(
    emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> Value:
    """Inline PTX: ``llvm.nvvm.match.all.sync`` is an external function to the LLVM 7 dialect."""
    value, members = arguments
    width, register = ("b64", "l") if value.type == "i64" else ("b32", "r")
    text = f'asm sideeffect "match.all.sync.{width} $0, $1, $2;", "=r,{register},r"'
    return emitter.let("i32", f"call i32 {text}({value}, {members}) convergent nounwind")


def _match_any(lane: i32, members: u32, value: Lanes[Integer]) -> u32:
    equal = u32(0)
    for other in range(SIZE):
        if (members >> other) & 1 != 0 and value[other] == value[lane]:
            equal |= u32(1) << other
    return equal


def _match_all(_lane: i32, members: u32, value: Lanes[Integer]) -> u32:
    first = value[bits.ctz(members)]  # not this lane's: where all get the same result, any lane may compute it
    for other in range(SIZE):
        if (members >> other) & 1 != 0 and value[other] != first:
            return u32(0)
    return members


@intrinsic(
    gpu=Expand(_expand_any), cpu=PerLane(_match_any), ptx=r"match\.any\.sync\.b(32|64)", since=Sm(70), source=SOURCE,
    behavior=Behavior.WARP, uniformity=Uniformity.LANE,
)
def match_any(value: Integer, members: u32 = FULL) -> u32:
    """The mask of the members whose value equals this lane's; this lane is among them."""
    return warp_collective(_match_any, members, value)


@intrinsic(
    gpu=Expand(_expand_all), cpu=PerLane(_match_all), ptx=r"match\.all\.sync\.b(32|64)", since=Sm(70), source=SOURCE,
    behavior=Behavior.WARP, uniformity=Uniformity.WARP,
)
def match_all(value: Integer, members: u32 = FULL) -> u32:
    """``members`` if all of them passed the same value, else 0."""
    return warp_collective(_match_all, members, value)
