"""Surface accesses as kernels write them: with one index for each axis of the surface."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from simt.core.forms import fault, static_assert
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
    checked = Boundary.CLAMP if boundary == Boundary.TRAP else boundary  # the trap is _require_inside's
    if surface.ndim == 1:
        static_assert(y is None, "a texel of one axis is loaded as load(surface, x)")
        static_assert(z is None, "a texel of one axis is loaded as load(surface, x)")
        _require_inside(surface, x, 0, 0, boundary)
        return instructions.load_1d(surface, x, checked)
    if surface.ndim == 2:
        static_assert(y is not None, "a texel of two axes is loaded as load(surface, x, y)")
        static_assert(z is None, "a texel of two axes is loaded as load(surface, x, y)")
        _require_inside(surface, x, y, 0, boundary)
        return instructions.load_2d(surface, x, y, checked)
    static_assert(z is not None, "a texel of three axes is loaded as load(surface, x, y, z)")
    _require_inside(surface, x, y, z, boundary)
    return instructions.load_3d(surface, x, y, z, checked)


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
    checked = Boundary.CLAMP if boundary == Boundary.TRAP else boundary  # the trap is _require_inside's
    if surface.ndim == 1:
        static_assert(third is None, "a texel of one axis is stored as store(surface, x, value)")
        static_assert(fourth is None, "a texel of one axis is stored as store(surface, x, value)")
        _require_inside(surface, x, 0, 0, boundary)
        instructions.store_1d(surface, x, second, checked)
    elif surface.ndim == 2:
        static_assert(third is not None, "a texel of two axes is stored as store(surface, x, y, value)")
        static_assert(fourth is None, "a texel of two axes is stored as store(surface, x, y, value)")
        _require_inside(surface, x, second, 0, boundary)
        instructions.store_2d(surface, x, second, third, checked)
    else:
        static_assert(fourth is not None, "a texel of three axes is stored as store(surface, x, y, z, value)")
        _require_inside(surface, x, second, third, boundary)
        instructions.store_3d(surface, x, second, third, fourth, checked)


def _require_inside(surface: Any, x: Any, y: Any, z: Any, boundary: Any) -> None:  # Any: as load
    """A fault for a texel outside, where the boundary is ``TRAP``: the hardware's own would lose the context."""
    if boundary == Boundary.TRAP:
        width, height, depth = instructions.width(surface), 1, 1
        if surface.ndim > 1:
            height = instructions.height(surface)
        if surface.ndim > 2:
            depth = instructions.depth(surface)
        if not (0 <= x < width and 0 <= y < height and 0 <= z < depth):
            fault(f"the texel ({x}, {y}, {z}) lies outside a surface of {width} x {height} x {depth}")
