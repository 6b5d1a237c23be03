"""Values as bytes, in the layout that kernels use."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from simt.core.types import Kind, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.layout import offsets_of, size_of
from simt.core.values.operators import holding, operand_of
from simt.core.values.payload import Payload
from simt.core.values.rounding import bits_of_float, float_of_bits
from simt.core.values.stored import CLASS_OF_STRUCT


def write(memory: memoryview, offset: int, kind: Type, value: object) -> None:
    """Write ``value``, which the type holds, at byte ``offset``; padding is left alone.

    Raises:
        TypeError: arrays and pointers have no bytes outside a launch.
    """
    if isinstance(kind, ScalarType):
        operand = operand_of(value)
        assert operand is not None
        memory[offset : offset + size_of(kind)] = scalar_bytes(operand.payload, kind)
        return
    members, parts = _parts(kind, value)
    for place, member, part in zip(offsets_of(members), members, parts, strict=True):
        write(memory, offset + place, member, part)


def read(memory: memoryview, offset: int, kind: Type) -> object:
    """The value at byte ``offset``.

    Raises:
        TypeError: arrays and pointers have no bytes outside a launch.
    """
    if isinstance(kind, ScalarType):
        return holding(payload_of_bytes(bytes(memory[offset : offset + size_of(kind)]), kind), kind)
    members = members_of(kind)
    places = zip(offsets_of(members), members, strict=True)
    parts = tuple(read(memory, offset + place, member) for place, member in places)
    return CLASS_OF_STRUCT[kind](*parts) if isinstance(kind, StructType | VectorType) else parts


def members_of(kind: Type) -> tuple[Type, ...]:
    """The types of the parts of a struct, tuple or vector.

    Raises:
        TypeError: arrays and pointers have no bytes outside a launch.
    """
    match kind:
        case StructType(fields=fields):
            return tuple(field.type for field in fields)
        case TupleType(elements=elements):
            return elements
        case VectorType(element=element, lanes=lanes):
            return (element,) * lanes
        case _:
            raise TypeError(f"a {kind} has no bytes outside a launch")


def scalar_bytes(payload: Payload, kind: ScalarType) -> bytes:
    """The bytes of a scalar, little-endian."""
    if kind.is_complex:
        z = complex(payload)
        return scalar_bytes(z.real, kind.component) + scalar_bytes(z.imag, kind.component)
    pattern = bits_of_float(payload.real, kind) if kind.is_float else int(payload.real)
    return (pattern % (1 << 8 * size_of(kind))).to_bytes(size_of(kind), "little")


def payload_of_bytes(data: bytes, kind: ScalarType) -> Payload:
    """The scalar in little-endian bytes."""
    if kind.is_complex:
        half = len(data) // 2
        parts = (payload_of_bytes(part, kind.component) for part in (data[:half], data[half:]))
        return complex(*cast("Any", parts))  # Any: the parts of a complex number are floats
    if kind.is_float:
        return float_of_bits(int.from_bytes(data, "little"), kind)
    number = int.from_bytes(data, "little", signed=kind.kind is Kind.SIGNED)
    return bool(number) if kind.kind is Kind.BOOL else number


def _parts(kind: Type, value: object) -> tuple[tuple[Type, ...], tuple[object, ...]]:
    members = members_of(kind)
    if isinstance(kind, TupleType):
        return members, cast("tuple[object, ...]", value)
    take = cast("Callable[[], tuple[object, ...]]", cast("Any", value).parts)  # Any: a user's struct or vector class
    return members, take()
