"""Reading and writing the texels of surfaces: ``load`` and ``store`` by whole indices x, y, z.

x runs along the last axis of the surface's NumPy array. ``boundary`` says what an index outside does: ``TRAP`` ends
the thread with a fault, ``CLAMP`` takes the nearest texel, ``ZERO`` reads zeros and writes nothing. On a GPU ``CLAMP``
and ``ZERO`` are the hardware's own and cost nothing; for ``TRAP`` the code compares with the surface's extents.
"""
from simt.cuda_std.surface._access import load, store
from simt.cuda_std.surface._boundary import Boundary
from simt.cuda_std.surface._instructions import (
    depth,
    height,
    load_1d,
    load_2d,
    load_3d,
    store_1d,
    store_2d,
    store_3d,
    width,
)

CLAMP, TRAP, ZERO = Boundary.CLAMP, Boundary.TRAP, Boundary.ZERO

__all__ = [
    "load", "store", "Boundary", "CLAMP", "TRAP", "ZERO", "width", "height", "depth", "load_1d", "load_2d",
    "load_3d", "store_1d", "store_2d", "store_3d",
]
