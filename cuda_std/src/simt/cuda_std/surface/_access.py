"""Surface accesses as kernels write them: with one index for each axis of the surface."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from simt.core.forms import static_assert
from simt.cuda_std.surface import _instructions as instructions
from simt.cuda_std.surface._boundary import Boundary

if TYPE_CHECKING:
    from simt.core.annotations import D1, D2, D3, Surface
    from simt.cuda_std.generics import T

    @overload
    def load(surface: Surface[T, D1], x: int, *, boundary: Boundary = Boundary.TRAP) -> T: ...
    @overload
    def load(surface: Surface[T, D2], x: int, y: int, *, boundary: Boundary = Boundary.TRAP) -> T: ...
    @overload
    def load(surface: Surface[T, D3], x: int, y: int, z: int, *, boundary: Boundary = Boundary.TRAP) -> T: ...


def load(
    surface: Any, x: Any, y: Any = None, z: Any = None, *, boundary: Any = Boundary.TRAP
) -> Any:  # Any: the overloads have the types
    """The texel at whole indices, one for each axis of the surface."""
    if surface.ndim == 1:
        static_assert(y is None, "a texel of one axis is loaded as load(surface, x)")
        static_assert(z is None, "a texel of one axis is loaded as load(surface, x)")
        return instructions.load_1d(surface, x, boundary)
    if surface.ndim == 2:
        static_assert(y is not None, "a texel of two axes is loaded as load(surface, x, y)")
        static_assert(z is None, "a texel of two axes is loaded as load(surface, x, y)")
        return instructions.load_2d(surface, x, y, boundary)
    static_assert(z is not None, "a texel of three axes is loaded as load(surface, x, y, z)")
    return instructions.load_3d(surface, x, y, z, boundary)


if TYPE_CHECKING:

    @overload
    def store(surface: Surface[T, D1], x: int, value: T, /, *, boundary: Boundary = Boundary.TRAP) -> None: ...
    @overload
    def store(surface: Surface[T, D2], x: int, y: int, value: T, /, *, boundary: Boundary = Boundary.TRAP) -> None: ...
    @overload
    def store(
        surface: Surface[T, D3], x: int, y: int, z: int, value: T, /, *, boundary: Boundary = Boundary.TRAP
    ) -> None: ...


def store(
    surface: Any, x: Any, second: Any, third: Any = None, fourth: Any = None, /, *, boundary: Any = Boundary.TRAP
) -> None:  # Any: the overloads have the types
    """Write the texel at whole indices, one for each axis: ``store(surface, x, y, value)`` where there are two.

    A literal takes the type of the texels.
    """
    if surface.ndim == 1:
        static_assert(third is None, "a texel of one axis is stored as store(surface, x, value)")
        static_assert(fourth is None, "a texel of one axis is stored as store(surface, x, value)")
        instructions.store_1d(surface, x, second, boundary)
    elif surface.ndim == 2:
        static_assert(third is not None, "a texel of two axes is stored as store(surface, x, y, value)")
        static_assert(fourth is None, "a texel of two axes is stored as store(surface, x, y, value)")
        instructions.store_2d(surface, x, second, third, boundary)
    else:
        static_assert(fourth is not None, "a texel of three axes is stored as store(surface, x, y, z, value)")
        instructions.store_3d(surface, x, second, third, fourth, boundary)
