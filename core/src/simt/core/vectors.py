"""Small vectors: 2, 3 or 4 scalars that load and store as one access where aligned."""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast, overload

from simt.core.scalars import f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
from simt.core.types import VectorType
from simt.core.types.scalar import BY_NAME
from simt.core.values.stored import CLASS_OF_STRUCT, stored

T = TypeVar("T")
LANES = "xyzw"


_TRUE_DIVIDE: Callable[[Any, Any], Any] = operator.truediv  # Any: numbers of either side
_FLOOR_DIVIDE: Callable[[Any, Any], Any] = operator.floordiv


class Vector(Generic[T]):
    """What all vectors share: lanes by name and by index, equality, copies. Lanes follow the store rule."""

    vector_type: ClassVar[VectorType]
    __slots__ = ("_lanes",)
    __hash__ = None  # pyright: ignore[reportAssignmentType] -- mutable values are not hashable

    def __init__(self, *lanes: T) -> None:
        kind = self.vector_type
        if len(lanes) == 1:
            lanes = lanes * kind.lanes
        if len(lanes) != kind.lanes:
            raise TypeError(f"{kind} takes {kind.lanes} values, or one for all; {len(lanes)} given")
        self._lanes = [stored(lane, kind.element, f"{kind}.{LANES[i]}") for i, lane in enumerate(lanes)]

    def __getitem__(self, index: int, /) -> T:
        return self._lanes[self._checked(index)]  # pyright: ignore[reportReturnType] -- the element type's values

    def __setitem__(self, index: int, value: T, /) -> None:
        lane = self._checked(index)
        self._lanes[lane] = stored(value, self.vector_type.element, f"{self.vector_type}[{lane}]")

    def __len__(self) -> int:
        return len(self._lanes)

    def __iter__(self) -> Iterator[T]:
        return iter(self._lanes)  # pyright: ignore[reportReturnType] -- the element type's values

    def __eq__(self, other: object) -> bool:
        return self._lanes == other._lanes if isinstance(other, type(self)) else NotImplemented

    def __repr__(self) -> str:
        return f"{self.vector_type}({', '.join(map(str, self._lanes))})"

    def __add__(self, other: Self | T) -> Self:
        return self._lane_by_lane(operator.add, self, other)

    def __radd__(self, other: T) -> Self:
        return self._lane_by_lane(operator.add, other, self)

    def __sub__(self, other: Self | T) -> Self:
        return self._lane_by_lane(operator.sub, self, other)

    def __rsub__(self, other: T) -> Self:
        return self._lane_by_lane(operator.sub, other, self)

    def __mul__(self, other: Self | T) -> Self:
        return self._lane_by_lane(operator.mul, self, other)

    def __rmul__(self, other: T) -> Self:
        return self._lane_by_lane(operator.mul, other, self)

    def __truediv__(self, other: Self | T) -> Self:
        return self._lane_by_lane(_TRUE_DIVIDE, self, other)

    def __floordiv__(self, other: Self | T) -> Self:
        return self._lane_by_lane(_FLOOR_DIVIDE, self, other)

    def __mod__(self, other: Self | T) -> Self:
        return self._lane_by_lane(operator.mod, self, other)

    def __neg__(self) -> Self:
        lanes: list[Any] = [-lane for lane in cast("list[Any]", self._lanes)]  # Any: numbers
        return type(self)(*lanes)

    def _lane_by_lane(self, function: Callable[[Any, Any], Any], left: object, right: object) -> Self:  # Any: numbers
        """A scalar operand takes part in every lane; the result must be a vector of this type."""
        kind, count = self.vector_type, self.vector_type.lanes
        columns = [side.parts() if isinstance(side, type(self)) else (side,) * count for side in (left, right)]
        lanes: list[Any] = [function(a, b) for a, b in zip(*columns, strict=True)]
        found = getattr(cast("type", type(lanes[0])), "scalar_type", None)
        if found != kind.element:
            raise TypeError(f"the result would be a vector of {found}; convert the scalar first: {kind.element}(...)")
        return type(self)(*lanes)

    def copy(self) -> Vector[T]:
        """An independent vector of equal value."""
        return type(self)(*self)

    def parts(self) -> tuple[object, ...]:
        """The lanes, in order."""
        return tuple(self._lanes)

    def _checked(self, index: int) -> int:
        if not 0 <= int(index) < len(self._lanes):
            raise IndexError(f"lane {index} of {self.vector_type}")
        return int(index)

    @property
    def x(self) -> T:
        return self[0]

    @x.setter
    def x(self, value: T) -> None:
        self[0] = value

    @property
    def y(self) -> T:
        return self[1]

    @y.setter
    def y(self, value: T) -> None:
        self[1] = value


class Vector2(Vector[T]):
    """``(x, y)``."""

    __slots__ = ()
    if TYPE_CHECKING:

        @overload
        def __init__(self, x: T, y: T, /) -> None: ...
        @overload
        def __init__(self, every: T, /) -> None: ...
        def __init__(self, *lanes: T) -> None: ...


class Vector3(Vector[T]):
    """``(x, y, z)``; takes the room of four lanes."""

    __slots__ = ()
    if TYPE_CHECKING:

        @overload
        def __init__(self, x: T, y: T, z: T, /) -> None: ...
        @overload
        def __init__(self, every: T, /) -> None: ...
        def __init__(self, *lanes: T) -> None: ...

    @property
    def z(self) -> T:
        return self[2]

    @z.setter
    def z(self, value: T) -> None:
        self[2] = value


class Vector4(Vector[T]):
    """``(x, y, z, w)``."""

    __slots__ = ()
    if TYPE_CHECKING:

        @overload
        def __init__(self, x: T, y: T, z: T, w: T, /) -> None: ...
        @overload
        def __init__(self, every: T, /) -> None: ...
        def __init__(self, *lanes: T) -> None: ...

    @property
    def z(self) -> T:
        return self[2]

    @z.setter
    def z(self, value: T) -> None:
        self[2] = value

    @property
    def w(self) -> T:
        return self[3]

    @w.setter
    def w(self, value: T) -> None:
        self[3] = value


if TYPE_CHECKING:
    f16x2 = Vector2[f16]
    f16x3 = Vector3[f16]
    f16x4 = Vector4[f16]
    f32x2 = Vector2[f32]
    f32x3 = Vector3[f32]
    f32x4 = Vector4[f32]
    f64x2 = Vector2[f64]
    f64x3 = Vector3[f64]
    f64x4 = Vector4[f64]
    i8x2 = Vector2[i8]
    i8x3 = Vector3[i8]
    i8x4 = Vector4[i8]
    i16x2 = Vector2[i16]
    i16x3 = Vector3[i16]
    i16x4 = Vector4[i16]
    i32x2 = Vector2[i32]
    i32x3 = Vector3[i32]
    i32x4 = Vector4[i32]
    i64x2 = Vector2[i64]
    i64x3 = Vector3[i64]
    i64x4 = Vector4[i64]
    u8x2 = Vector2[u8]
    u8x3 = Vector3[u8]
    u8x4 = Vector4[u8]
    u16x2 = Vector2[u16]
    u16x3 = Vector3[u16]
    u16x4 = Vector4[u16]
    u32x2 = Vector2[u32]
    u32x3 = Vector3[u32]
    u32x4 = Vector4[u32]
    u64x2 = Vector2[u64]
    u64x3 = Vector3[u64]
    u64x4 = Vector4[u64]
else:

    def _declare(name: str) -> type:
        element, lanes = name.split("x")
        kind = VectorType(BY_NAME[element], int(lanes))
        base = {2: Vector2, 3: Vector3, 4: Vector4}[kind.lanes]
        members = {"__slots__": (), "__module__": __name__, "__doc__": f"{lanes} {element}.", "vector_type": kind}
        CLASS_OF_STRUCT[kind] = type(name, (base,), members)
        return CLASS_OF_STRUCT[kind]

    f16x2 = _declare("f16x2")
    f16x3 = _declare("f16x3")
    f16x4 = _declare("f16x4")
    f32x2 = _declare("f32x2")
    f32x3 = _declare("f32x3")
    f32x4 = _declare("f32x4")
    f64x2 = _declare("f64x2")
    f64x3 = _declare("f64x3")
    f64x4 = _declare("f64x4")
    i8x2 = _declare("i8x2")
    i8x3 = _declare("i8x3")
    i8x4 = _declare("i8x4")
    i16x2 = _declare("i16x2")
    i16x3 = _declare("i16x3")
    i16x4 = _declare("i16x4")
    i32x2 = _declare("i32x2")
    i32x3 = _declare("i32x3")
    i32x4 = _declare("i32x4")
    i64x2 = _declare("i64x2")
    i64x3 = _declare("i64x3")
    i64x4 = _declare("i64x4")
    u8x2 = _declare("u8x2")
    u8x3 = _declare("u8x3")
    u8x4 = _declare("u8x4")
    u16x2 = _declare("u16x2")
    u16x3 = _declare("u16x3")
    u16x4 = _declare("u16x4")
    u32x2 = _declare("u32x2")
    u32x3 = _declare("u32x3")
    u32x4 = _declare("u32x4")
    u64x2 = _declare("u64x2")
    u64x3 = _declare("u64x3")
    u64x4 = _declare("u64x4")

VECTOR_NAMES = (
    "f16x2", "f16x3", "f16x4", "f32x2", "f32x3", "f32x4", "f64x2", "f64x3", "f64x4", "i8x2", "i8x3", "i8x4",
    "i16x2", "i16x3", "i16x4", "i32x2", "i32x3", "i32x4", "i64x2", "i64x3", "i64x4", "u8x2", "u8x3", "u8x4",
    "u16x2", "u16x3", "u16x4", "u32x2", "u32x3", "u32x4", "u64x2", "u64x3", "u64x4",
)
__all__ = [*VECTOR_NAMES, "VECTOR_NAMES", "Vector"]  # pyright: ignore[reportUnsupportedDunderAll] -- the names above
