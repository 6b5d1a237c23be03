"""Python's builtins as kernels have them, on scalar values."""
from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from simt.core.types import ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import I32, I64
from simt.core.values.literal import fit
from simt.core.values.operators import Operand, compare, holding, meet, operand_of
from simt.core.values.payload import convert


@dataclass(frozen=True, slots=True)
class TypedRange:
    """A ``range`` whose values are of the integer type ``kind``; it can be gone through again."""

    numbers: builtins.range
    kind: ScalarType

    def __iter__(self) -> Iterator[object]:
        return (holding(number, self.kind) for number in self.numbers)


def range(*bounds: Any) -> TypedRange:  # Any: the numbers that range() takes
    """``range`` whose values have the integer type in which the bounds meet; i32 for literals that fit it."""
    operands = [_integer(bound) for bound in bounds]
    types = [operand.type for operand in operands if operand.type is not None]
    kind = _meeting(types) if types else None
    if kind is None:
        small = all(I32.minimum <= operand.payload.real <= I32.maximum for operand in operands)
        kind = I32 if small else I64
    numbers = [int(fit(operand.payload, kind).real) if operand.type is None else int(operand.payload.real)
               for operand in operands]
    return TypedRange(builtins.range(*numbers), kind)


def minimum(*items: Any) -> Any:  # Any: numbers, as Python's min takes them
    """``min`` in the type in which all meet; the right operand only where it is strictly smaller."""
    return _extreme("<", builtins.min, items)


def maximum(*items: Any) -> Any:  # Any: numbers, as Python's max takes them
    """``max`` in the type in which all meet; the right operand only where it is strictly greater."""
    return _extreme(">", builtins.max, items)


def _extreme(op: str, plain: Callable[..., Any], items: tuple[Any, ...]) -> Any:
    values = tuple(items[0]) if len(items) == 1 else items
    result = values[0]
    for value in values[1:]:
        left, right = operand_of(result), operand_of(value)
        if left is None or right is None:
            raise TypeError(f"min and max take numbers, not {result!r} and {value!r}")
        if left.type is None and right.type is None:
            result = plain(result, value)
            continue
        kind = meet(op, left, right)
        a, b = (holding(_in_type(side, kind), kind) for side in (left, right))
        result = b if compare(op, b, a) else a
    return result


def _in_type(side: Operand, kind: ScalarType) -> Any:
    return fit(side.payload, kind) if side.type is None else convert(side.payload, kind)


def _without_width(name: str, offer: str) -> Callable[..., Any]:
    plain: Callable[..., Any] = getattr(builtins, name)

    def call(*args: Any) -> Any:  # Any: the numbers that the builtin takes
        operand = operand_of(args[0]) if args else None
        if operand is not None and operand.type is not None and operand.type.name != "bool":
            raise TypeError(f"{name}(...) does not say how wide; write {offer}")
        return plain(*args)

    return call


def _integer(bound: object) -> Operand:
    operand = operand_of(bound)
    if operand is None or not (operand.type.is_integer if operand.type else isinstance(operand.payload, int)):
        raise TypeError(f"range() needs integers, not {bound!r}; convert: i32(x)")
    return operand


def _meeting(types: list[ScalarType]) -> ScalarType:
    kind = types[0]
    for other in types[1:]:
        met = arithmetic_type(kind, other)
        if met is None:
            raise TypeError(f"the bounds of range() are {kind} and {other}, which no type holds; convert one: i64(x)")
        kind = met
    return kind


BUILTINS: dict[str, Callable[..., Any]] = {
    "range": range, "min": minimum, "max": maximum, "int": _without_width("int", "i32(x) or i64(x)"),
    "float": _without_width("float", "f32(x) or f64(x)"), "complex": _without_width("complex", "c64(re, im)"),
    "round": _without_width("round", "math.rint(x) of simt.cuda_std"),
}
