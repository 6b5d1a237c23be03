"""Reads as kernels call them: with one coordinate for each axis of the texture."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from simt.core.forms import static_assert
from simt.cuda_std.texture import _instructions as instructions

if TYPE_CHECKING:
    from simt.core.annotations import D1, D2, D3, Texture
    from simt.cuda_std.generics import T

    @overload
    def fetch(texture: Texture[T, D1], x: float) -> T: ...
    @overload
    def fetch(texture: Texture[T, D2], x: float, y: float) -> T: ...
    @overload
    def fetch(texture: Texture[T, D3], x: float, y: float, z: float) -> T: ...


def fetch(texture: Any, x: Any, y: Any = None, z: Any = None) -> Any:  # Any: the overloads have the types
    """The value at coordinates (f32), one for each axis of the texture, filtered as the texture says."""
    if texture.ndim == 1:
        static_assert(y is None, "a texture of one axis is fetched as fetch(texture, x)")
        static_assert(z is None, "a texture of one axis is fetched as fetch(texture, x)")
        return instructions.fetch_1d(texture, x)
    if texture.ndim == 2:
        static_assert(y is not None, "a texture of two axes is fetched as fetch(texture, x, y)")
        static_assert(z is None, "a texture of two axes is fetched as fetch(texture, x, y)")
        return instructions.fetch_2d(texture, x, y)
    static_assert(z is not None, "a texture of three axes is fetched as fetch(texture, x, y, z)")
    return instructions.fetch_3d(texture, x, y, z)


if TYPE_CHECKING:

    @overload
    def load(texture: Texture[T, D1], x: int) -> T: ...
    @overload
    def load(texture: Texture[T, D2], x: int, y: int) -> T: ...
    @overload
    def load(texture: Texture[T, D3], x: int, y: int, z: int) -> T: ...


def load(texture: Any, x: Any, y: Any = None, z: Any = None) -> Any:  # Any: the overloads have the types
    """The texel with whole indices, one for each axis of the texture, unfiltered; zero outside the image."""
    if texture.ndim == 1:
        static_assert(y is None, "a texel of one axis is loaded as load(texture, x)")
        static_assert(z is None, "a texel of one axis is loaded as load(texture, x)")
        return instructions.load_1d(texture, x)
    if texture.ndim == 2:
        static_assert(y is not None, "a texel of two axes is loaded as load(texture, x, y)")
        static_assert(z is None, "a texel of two axes is loaded as load(texture, x, y)")
        return instructions.load_2d(texture, x, y)
    static_assert(z is not None, "a texel of three axes is loaded as load(texture, x, y, z)")
    return instructions.load_3d(texture, x, y, z)
