"""Any value as 32-bit words and back, since the hardware moves 32 bits from lane to lane."""
from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.types import members_of, register_type
from simt.core.types import ArrayType, ImageType, Kind, PointerType, ScalarType, StructType, TupleType, Type, VectorType

WORD = 32


def map_words(emitter: Emitter, value: Value, kind: Type, move: Callable[[Value], Value]) -> Value:
    """``value`` with each of its 32-bit words replaced by ``move(word)``; narrower values are widened for the move.

    Raises:
        TypeError: an array, pointer or image, which means nothing to another lane.
    """
    match kind:
        case ScalarType(kind=Kind.COMPLEX) | StructType() | TupleType():
            result = Value(value.type, "undef")
            for position, member in enumerate(members_of(kind)):
                part = emitter.extract(value, position, register_type(emitter.module, member))
                result = emitter.insert(result, map_words(emitter, part, member, move), position)
            return result
        case VectorType(element=element, lanes=lanes):
            result = Value(value.type, "undef")
            for position in range(lanes):
                part = emitter.let(register_type(emitter.module, element), f"extractelement {value}, i32 {position}")
                moved = map_words(emitter, part, element, move)
                result = emitter.let(value.type, f"insertelement {result}, {moved}, i32 {position}")
            return result
        case ScalarType():
            return _map_scalar(emitter, value, kind, move)
        case ArrayType() | PointerType() | ImageType():
            raise TypeError(f"{kind} cannot be passed between lanes")
        case _:
            assert_never(kind)


def _map_scalar(emitter: Emitter, value: Value, kind: ScalarType, move: Callable[[Value], Value]) -> Value:
    bits = f"i{kind.bits}"
    integer = emitter.cast("bitcast", value, bits)
    if kind.bits <= WORD:
        moved = move(emitter.cast("zext", integer, f"i{WORD}"))
        return emitter.cast("bitcast", emitter.cast("trunc", moved, bits), value.type)
    result = Value(bits, "0")
    for offset in range(0, kind.bits, WORD):
        shifted = emitter.binary("lshr", integer, Value(bits, str(offset)))
        wide = emitter.cast("zext", move(emitter.cast("trunc", shifted, f"i{WORD}")), bits)
        result = emitter.binary("or", result, emitter.binary("shl", wide, Value(bits, str(offset))))
    return emitter.cast("bitcast", result, value.type)
