"""What a kernel can call. Each module is one idea of the hardware; import the module and call through it:

``thread`` and ``block``: coordinates, barriers. ``warp``: lanes, shuffles, votes, matches. ``shared``: memory of a
block. ``atomic``: read-modify-write. ``fence``: memory order. ``math``: functions of floats. ``bits``: functions of
integers' bits. ``clock``: time.
"""

__all__ = ["atomic", "bits", "block", "clock", "fence", "math", "shared", "thread", "warp"]
