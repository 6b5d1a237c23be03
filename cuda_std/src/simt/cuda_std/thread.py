"""Who a thread is: its coordinates in the block and the grid, and the elements that are its own.

``index_1d`` and the like count in 64 bits, since a grid may have more than 2**31 threads; the coordinates they are
made of are i32.
"""
from __future__ import annotations

from simt.core.forms import own_index
from simt.core.scalars import i32, i64
from simt.cuda_std import special_registers as register


class ThreadIndex:
    """``thread.thread_idx``: this thread's coordinates in its block."""

    @property
    def x(self) -> i32:
        """From 0 to ``block_dim.x - 1``, at most 1023."""
        return register.thread_idx_x()

    @property
    def y(self) -> i32:
        """From 0 to ``block_dim.y - 1``, at most 1023."""
        return register.thread_idx_y()

    @property
    def z(self) -> i32:
        """From 0 to ``block_dim.z - 1``, at most 63."""
        return register.thread_idx_z()


class BlockDimension:
    """``thread.block_dim``: threads of a block along each axis, at most 1024 in all."""

    @property
    def x(self) -> i32:
        """From 1 to 1024."""
        return register.block_dim_x()

    @property
    def y(self) -> i32:
        """From 1 to 1024."""
        return register.block_dim_y()

    @property
    def z(self) -> i32:
        """From 1 to 64."""
        return register.block_dim_z()


class BlockIndex:
    """``thread.block_idx``: coordinates of this thread's block in the grid."""

    @property
    def x(self) -> i32:
        """From 0 to ``grid_dim.x - 1``, at most 2**31 - 2."""
        return register.block_idx_x()

    @property
    def y(self) -> i32:
        """From 0 to ``grid_dim.y - 1``, at most 65534."""
        return register.block_idx_y()

    @property
    def z(self) -> i32:
        """From 0 to ``grid_dim.z - 1``, at most 65534."""
        return register.block_idx_z()


class GridDimension:
    """``thread.grid_dim``: blocks of the grid along each axis."""

    @property
    def x(self) -> i32:
        """From 1 to 2**31 - 1."""
        return register.grid_dim_x()

    @property
    def y(self) -> i32:
        """From 1 to 65535."""
        return register.grid_dim_y()

    @property
    def z(self) -> i32:
        """From 1 to 65535."""
        return register.grid_dim_z()


thread_idx = ThreadIndex()
block_dim = BlockDimension()
block_idx = BlockIndex()
grid_dim = GridDimension()


def _x() -> i64:
    return i64(block_idx.x) * block_dim.x + thread_idx.x


def _y() -> i64:
    return i64(block_idx.y) * block_dim.y + thread_idx.y


def _z() -> i64:
    return i64(block_idx.z) * block_dim.z + thread_idx.z


def index_1d() -> i64:
    """This thread's x coordinate in the grid: its index, where the launch has one axis.

    Threads that differ only in y or z get the same value; ``linear_index`` tells all threads apart.
    """
    return own_index(_x(), 1, 0)


def index_2d() -> tuple[i64, i64]:
    """This thread's (x, y) in the grid; x runs fastest, so ``col, row = thread.index_2d()``."""
    return own_index(_x(), 2, 0), own_index(_y(), 2, 1)


def index_3d() -> tuple[i64, i64, i64]:
    """This thread's (x, y, z) in the grid; x runs fastest."""
    return own_index(_x(), 3, 0), own_index(_y(), 3, 1), own_index(_z(), 3, 2)


def index_in_block() -> i32:
    """This thread's number in its block, x fastest, from 0 to 1023: the order in which threads make up warps."""
    return thread_idx.x + block_dim.x * (thread_idx.y + block_dim.y * thread_idx.z)


def linear_index() -> i64:
    """This thread's number in the grid: all threads of a block in order of ``index_in_block``, block after block.

    Different for any two threads of a launch, whatever its shape.
    """
    block = block_idx.x + grid_dim.x * (block_idx.y + grid_dim.y * i64(block_idx.z))
    size = block_dim.x * block_dim.y * block_dim.z
    return own_index(block * size + index_in_block(), 1, 0)


def first() -> bool:
    """True in one thread of the grid: the first of its first block."""
    in_first_block = block_idx.x == 0 and block_idx.y == 0 and block_idx.z == 0
    return in_first_block and thread_idx.x == 0 and thread_idx.y == 0 and thread_idx.z == 0


def grid_stride(count: i64) -> range:
    """The elements of 0 to ``count - 1`` that are this thread's own, in a launch of one axis and any size.

    ``for i in thread.grid_stride(x.size)`` starts at ``index_1d()`` and steps by the number of threads along x, so
    that neighbouring threads touch neighbouring elements in every round.
    """
    return range(index_1d(), count, i64(grid_dim.x) * block_dim.x)


def grid_stride_2d(width: i64, height: i64) -> tuple[range, range]:
    """The columns and rows that are this thread's own in a launch of two axes: ``for row in rows: for col in cols``."""
    col, row = index_2d()
    return range(col, width, i64(grid_dim.x) * block_dim.x), range(row, height, i64(grid_dim.y) * block_dim.y)
