"""Sizes, alignments and offsets in bytes: C layout, equal on the host, the CPU target and the GPU."""
from __future__ import annotations

from typing import assert_never

from simt.core.types import ArrayType, ImageType, PointerType, ScalarType, StructType, TupleType, Type, VectorType


def size_of(t: Type) -> int:
    """Bytes of one value, padding included. Arrays count as their view: pointer, extents, strides."""
    match t:
        case ScalarType():
            return max(1, t.bits // 8)
        case PointerType() | ImageType():
            return 8
        case VectorType():
            lanes = 4 if t.lanes == 3 else t.lanes
            return size_of(t.element) * lanes
        case ArrayType():
            runtime = sum(extent is None for extent in t.shape)
            return 8 * (1 + runtime + (t.ndim if t.strided else 0))
        case StructType():
            return _struct_end(tuple(field.type for field in t.fields))
        case TupleType():
            return _struct_end(t.elements)
        case _:
            assert_never(t)


def align_of(t: Type) -> int:
    """Alignment in bytes."""
    match t:
        case ScalarType():
            return size_of(t.component) if t.is_complex else size_of(t)
        case PointerType() | ArrayType() | ImageType():
            return 8
        case VectorType():
            return size_of(t)
        case StructType():
            return max((align_of(field.type) for field in t.fields), default=1)
        case TupleType():
            return max((align_of(element) for element in t.elements), default=1)
        case _:
            assert_never(t)


def offsets_of(members: tuple[Type, ...]) -> tuple[int, ...]:
    """Byte offset of each member of a struct or tuple."""
    offsets: list[int] = []
    end = 0
    for member in members:
        start = align_up(end, align_of(member))
        offsets.append(start)
        end = start + size_of(member)
    return tuple(offsets)


def align_up(value: int, alignment: int) -> int:
    """The smallest multiple of ``alignment`` that is not below ``value``."""
    return -(-value // alignment) * alignment


def _struct_end(members: tuple[Type, ...]) -> int:
    if not members:
        return 0
    end = offsets_of(members)[-1] + size_of(members[-1])
    return align_up(end, max(align_of(member) for member in members))
