"""Coordinates and sizes as the hardware has them, one register a function. ``thread`` and ``block`` give them shape."""
from __future__ import annotations

from simt.core.intrinsics.declare import Sm, Uniformity, intrinsic
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.intrinsics.thread_context import current_thread
from simt.core.scalars import i32


@intrinsic(
    gpu=SpecialRegister("tid.x"), cpu=SpecialRegister("tid.x"), ptx=r"%tid\.x", since=Sm(50),
    source="PTX ISA, Special Registers: %tid", uniformity=Uniformity.LANE,
)
def thread_idx_x() -> i32:
    """This thread's x coordinate in its block, from 0 to ``block_dim_x() - 1``, at most 1023."""
    return i32(current_thread().thread_idx.x)


@intrinsic(
    gpu=SpecialRegister("tid.y"), cpu=SpecialRegister("tid.y"), ptx=r"%tid\.y", since=Sm(50),
    source="PTX ISA, Special Registers: %tid", uniformity=Uniformity.LANE,
)
def thread_idx_y() -> i32:
    """This thread's y coordinate in its block, from 0 to ``block_dim_y() - 1``, at most 1023."""
    return i32(current_thread().thread_idx.y)


@intrinsic(
    gpu=SpecialRegister("tid.z"), cpu=SpecialRegister("tid.z"), ptx=r"%tid\.z", since=Sm(50),
    source="PTX ISA, Special Registers: %tid", uniformity=Uniformity.LANE,
)
def thread_idx_z() -> i32:
    """This thread's z coordinate in its block, from 0 to ``block_dim_z() - 1``, at most 63."""
    return i32(current_thread().thread_idx.z)


@intrinsic(
    gpu=SpecialRegister("ntid.x"), cpu=SpecialRegister("ntid.x"), ptx=r"%ntid\.x", since=Sm(50),
    source="PTX ISA, Special Registers: %ntid", uniformity=Uniformity.BLOCK,
)
def block_dim_x() -> i32:
    """Threads of a block along x, from 1 to 1024."""
    return i32(current_thread().block_dim.x)


@intrinsic(
    gpu=SpecialRegister("ntid.y"), cpu=SpecialRegister("ntid.y"), ptx=r"%ntid\.y", since=Sm(50),
    source="PTX ISA, Special Registers: %ntid", uniformity=Uniformity.BLOCK,
)
def block_dim_y() -> i32:
    """Threads of a block along y, from 1 to 1024."""
    return i32(current_thread().block_dim.y)


@intrinsic(
    gpu=SpecialRegister("ntid.z"), cpu=SpecialRegister("ntid.z"), ptx=r"%ntid\.z", since=Sm(50),
    source="PTX ISA, Special Registers: %ntid", uniformity=Uniformity.BLOCK,
)
def block_dim_z() -> i32:
    """Threads of a block along z, from 1 to 64."""
    return i32(current_thread().block_dim.z)


@intrinsic(
    gpu=SpecialRegister("ctaid.x"), cpu=SpecialRegister("ctaid.x"), ptx=r"%ctaid\.x", since=Sm(50),
    source="PTX ISA, Special Registers: %ctaid", uniformity=Uniformity.BLOCK,
)
def block_idx_x() -> i32:
    """This block's x coordinate in the grid, from 0 to ``grid_dim_x() - 1``, at most 2**31 - 2."""
    return i32(current_thread().block_idx.x)


@intrinsic(
    gpu=SpecialRegister("ctaid.y"), cpu=SpecialRegister("ctaid.y"), ptx=r"%ctaid\.y", since=Sm(50),
    source="PTX ISA, Special Registers: %ctaid", uniformity=Uniformity.BLOCK,
)
def block_idx_y() -> i32:
    """This block's y coordinate in the grid, from 0 to ``grid_dim_y() - 1``, at most 65534."""
    return i32(current_thread().block_idx.y)


@intrinsic(
    gpu=SpecialRegister("ctaid.z"), cpu=SpecialRegister("ctaid.z"), ptx=r"%ctaid\.z", since=Sm(50),
    source="PTX ISA, Special Registers: %ctaid", uniformity=Uniformity.BLOCK,
)
def block_idx_z() -> i32:
    """This block's z coordinate in the grid, from 0 to ``grid_dim_z() - 1``, at most 65534."""
    return i32(current_thread().block_idx.z)


@intrinsic(
    gpu=SpecialRegister("nctaid.x"), cpu=SpecialRegister("nctaid.x"), ptx=r"%nctaid\.x", since=Sm(50),
    source="PTX ISA, Special Registers: %nctaid", uniformity=Uniformity.BLOCK,
)
def grid_dim_x() -> i32:
    """Blocks of the grid along x, from 1 to 2**31 - 1."""
    return i32(current_thread().grid_dim.x)


@intrinsic(
    gpu=SpecialRegister("nctaid.y"), cpu=SpecialRegister("nctaid.y"), ptx=r"%nctaid\.y", since=Sm(50),
    source="PTX ISA, Special Registers: %nctaid", uniformity=Uniformity.BLOCK,
)
def grid_dim_y() -> i32:
    """Blocks of the grid along y, from 1 to 65535."""
    return i32(current_thread().grid_dim.y)


@intrinsic(
    gpu=SpecialRegister("nctaid.z"), cpu=SpecialRegister("nctaid.z"), ptx=r"%nctaid\.z", since=Sm(50),
    source="PTX ISA, Special Registers: %nctaid", uniformity=Uniformity.BLOCK,
)
def grid_dim_z() -> i32:
    """Blocks of the grid along z, from 1 to 65535."""
    return i32(current_thread().grid_dim.z)
