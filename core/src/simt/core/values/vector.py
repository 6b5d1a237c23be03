"""What all small vectors share. ``simt.core.vectors`` names them."""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast, overload

from simt.core.types import VectorType
from simt.core.values.operators import operand_of
from simt.core.values.stored import stored

T = TypeVar("T")
LANES = "xyzw"


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
        return self._lane_by_lane(_true_divide, self, other)

    def __floordiv__(self, other: Self | T) -> Self:
        return self._lane_by_lane(_floor_divide, self, other)

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
        operand = operand_of(lanes[0])
        found = None if operand is None else operand.type
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


def _true_divide(a: Any, b: Any) -> Any:  # Any: numbers of any type
    return a / b


def _floor_divide(a: Any, b: Any) -> Any:  # Any: numbers of any type
    return a // b
