"""What a kernel can call. Each module is one idea of the hardware; import the module and call through it:

``thread`` and ``block``: coordinates, barriers. ``warp``: lanes, shuffles, votes, matches. ``shared``: memory of a
block. ``atomic``: read-modify-write. ``fence``: memory order. ``math``: functions of floats. ``bits``: functions of
integers' bits. ``texture`` and ``surface``: images read and written through the texture hardware. ``clock``: time.
``grid``: the launches before and after this one.
"""
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # at run time a module is loaded when it is imported
    from simt.cuda_std import atomic, bits, block, clock, fence, grid, math, shared, surface, texture, thread, warp

__all__ = [
    "atomic", "bits", "block", "clock", "fence", "grid", "math", "shared", "surface", "texture", "thread", "warp",
]
