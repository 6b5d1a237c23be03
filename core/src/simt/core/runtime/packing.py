"""The argument record: parameters in order at their natural alignment, as one ``bytes``.

Each type is a row of leaves, the numbers that ``struct`` packs: an array is its address, run-time extents and strides;
a 128-bit integer two halves; a complex number two parts; bf16 its bits.
"""
from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import assert_never

from simt.core.types import ArrayType, ImageType, Kind, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.layout import align_of, align_up, offsets_of, size_of
from simt.core.types.scalar import BF16, BOOL
from simt.core.values.payload import Payload
from simt.core.values.rounding import bits_of_float

Leaf = int | float | bool
MASK64 = (1 << 64) - 1
INTEGER_CODES = {
    (Kind.SIGNED, 8): "b", (Kind.SIGNED, 16): "h", (Kind.SIGNED, 32): "i", (Kind.SIGNED, 64): "q",
    (Kind.UNSIGNED, 8): "B", (Kind.UNSIGNED, 16): "H", (Kind.UNSIGNED, 32): "I", (Kind.UNSIGNED, 64): "Q",
}
FLOAT_CODES = {16: "e", 32: "f", 64: "d"}


def record_of(parameters: tuple[Type, ...]) -> struct.Struct:
    """The packer of a kernel's argument record."""
    codes: list[str] = []
    end = 0
    for parameter in parameters:
        start = align_up(end, align_of(parameter))
        codes += [_padding(start - end), format_of(parameter)]
        end = start + size_of(parameter)
    return struct.Struct("<" + "".join(codes))


def piece_offsets(parameters: tuple[Type, ...]) -> tuple[int, ...]:
    """Where the parameters of the GPU's entry lie in the record, see ``nvvm/parameters.py``."""
    offsets: list[int] = []
    end = 0
    for parameter in parameters:
        start = align_up(end, align_of(parameter))
        end = start + size_of(parameter)
        offsets += range(start, end, 8) if isinstance(parameter, ArrayType) else [start]
    return tuple(offsets)


def format_of(type: Type) -> str:
    """``struct`` format of one value, inner and trailing padding included, without byte order."""
    match type:
        case ScalarType():
            return _scalar_format(type)
        case PointerType() | ImageType():
            return "Q"
        case ArrayType():
            return "Q" + "q" * (size_of(type) // 8 - 1)
        case StructType():
            return _members_format(tuple(field.type for field in type.fields), size_of(type))
        case TupleType():
            return _members_format(type.elements, size_of(type))
        case VectorType():
            return _members_format((type.element,) * type.lanes, size_of(type))
        case _:
            assert_never(type)


def scalar_leaves(value: Payload, type: ScalarType) -> tuple[Leaf, ...]:
    """The leaves of a value that ``type`` holds."""
    if type.is_complex:
        value = complex(value)
        return value.real, value.imag
    assert not isinstance(value, complex)
    if type == BF16:
        return (bits_of_float(float(value), BF16),)
    if type.bits == 128:
        value = int(value)
        return value & MASK64, (value >> 64) & MASK64
    return (value,)


def _scalar_format(type: ScalarType) -> str:
    if type == BOOL:
        return "?"
    if type.is_complex:
        return 2 * FLOAT_CODES[type.component.bits]
    if type == BF16:
        return "H"
    if type.is_float:
        return FLOAT_CODES[type.bits]
    return "QQ" if type.bits == 128 else INTEGER_CODES[type.kind, type.bits]


def _members_format(members: tuple[Type, ...], size: int) -> str:
    return "".join(_pieces(members, size))


def _pieces(members: tuple[Type, ...], size: int) -> Iterator[str]:
    end = 0
    for member, start in zip(members, offsets_of(members), strict=True):
        yield _padding(start - end)
        yield format_of(member)
        end = start + size_of(member)
    yield _padding(size - end)


def _padding(count: int) -> str:
    return f"{count}x" if count else ""
