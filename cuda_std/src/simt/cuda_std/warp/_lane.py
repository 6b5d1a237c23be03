"""Where a thread stands in its warp, and masks of lanes: bit k of a mask is lane k."""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.recipe import Body, InlinePtx, SpecialRegister
from simt.core.intrinsics.thread_context import current_thread
from simt.core.scalars import i32, u32
from simt.cuda_std.thread import index_in_block

SIZE = 32
"""Lanes of a warp, on every device."""

FULL = 0xFFFFFFFF
"""The member mask of all lanes."""


@intrinsic(
    gpu=SpecialRegister("laneid"), cpu=SpecialRegister("laneid"), ptx=r"%laneid", since=Sm(50),
    source="PTX ISA, Special Registers: %laneid", uniformity=Uniformity.LANE,
)
def lane_id() -> i32:
    """This thread's lane, from 0 to 31."""
    thread, block = current_thread().thread_idx, current_thread().block_dim
    return i32((thread.x + block.x * (thread.y + block.y * thread.z)) % SIZE)


@intrinsic(
    gpu=Body(), cpu=SpecialRegister("warpid"), ptx=r"%tid\.x", since=Sm(50),
    source="PTX ISA, Special Registers: %warpid is volatile, so the number is computed from %tid",
    uniformity=Uniformity.WARP,
)
def warp_id() -> i32:
    """The number of this thread's warp in its block, from 0 to 31: threads make up warps in order of their index."""
    return index_in_block() >> 5


@intrinsic(
    gpu=SpecialRegister("lanemask.eq"), cpu=Body(), ptx=r"%lanemask_eq", since=Sm(50),
    source="PTX ISA, Special Registers: %lanemask_eq", uniformity=Uniformity.LANE,
)
def lanemask_eq() -> u32:
    """The mask of this lane alone."""
    return u32(1) << lane_id()


@intrinsic(
    gpu=SpecialRegister("lanemask.lt"), cpu=Body(), ptx=r"%lanemask_lt", since=Sm(50),
    source="PTX ISA, Special Registers: %lanemask_lt", uniformity=Uniformity.LANE,
)
def lanemask_lt() -> u32:
    """The mask of the lanes below this one."""
    return (u32(1) << lane_id()) - 1


@intrinsic(
    gpu=SpecialRegister("lanemask.le"), cpu=Body(), ptx=r"%lanemask_le", since=Sm(50),
    source="PTX ISA, Special Registers: %lanemask_le", uniformity=Uniformity.LANE,
)
def lanemask_le() -> u32:
    """The mask of this lane and those below it."""
    return (u32(2) << lane_id()) - 1


@intrinsic(
    gpu=SpecialRegister("lanemask.gt"), cpu=Body(), ptx=r"%lanemask_gt", since=Sm(50),
    source="PTX ISA, Special Registers: %lanemask_gt", uniformity=Uniformity.LANE,
)
def lanemask_gt() -> u32:
    """The mask of the lanes above this one."""
    return ~((u32(2) << lane_id()) - 1)


@intrinsic(
    gpu=SpecialRegister("lanemask.ge"), cpu=Body(), ptx=r"%lanemask_ge", since=Sm(50),
    source="PTX ISA, Special Registers: %lanemask_ge", uniformity=Uniformity.LANE,
)
def lanemask_ge() -> u32:
    """The mask of this lane and those above it."""
    return ~((u32(1) << lane_id()) - 1)


@intrinsic(
    gpu=InlinePtx("activemask.b32 $0;", "=r"), cpu=Body(), ptx=r"activemask\.b32", since=Sm(50),
    source="PTX ISA, Parallel Synchronization and Communication Instructions: activemask",
    behavior=Behavior.OBSERVE, uniformity=Uniformity.LANE,
)
def active_mask() -> u32:
    """The lanes that happen to run this instruction together with this one: a hint, never a promise.

    Threads of a warp may run apart for any reason. The CPU target always answers with this lane alone, which programs
    that rely on more do not survive: pass members that the program itself knows.
    """
    return u32(1) << lane_id()
