"""Reading textures: ``fetch`` at coordinates, filtered and outside the image as the texture says; ``load`` by texel.

Coordinates are x, y, z: x runs along the last axis of the NumPy array that the texture was made from. Texel i covers
the coordinates from i to i + 1, its centre is at i + 0.5. With normalized coordinates the whole axis runs from 0 to 1.

Where a texture filters linearly, the position in texels minus 0.5 is rounded to a multiple of 1/256, on a GPU by its
hardware and on the CPU target alike; its whole part names the lower texel, its fraction is the weight of the upper one
(CUDA C++ Programming Guide, Texture Fetching, Linear Filtering: 9-bit fixed point with 8 bits of fraction).
"""
from simt.cuda_std.texture._fetch import fetch, load
from simt.cuda_std.texture._instructions import fetch_1d, fetch_2d, fetch_3d, load_1d, load_2d, load_3d

__all__ = ["fetch", "load", "fetch_1d", "fetch_2d", "fetch_3d", "load_1d", "load_2d", "load_3d"]
