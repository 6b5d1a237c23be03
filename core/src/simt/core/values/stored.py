"""The store rule: which values a place of a given type takes, and as what."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never, cast

from simt.core.types import ArrayType, ImageType, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.conversion import is_lossless
from simt.core.values.literal import fit
from simt.core.values.operators import holding, operand_of
from simt.core.values.payload import convert

CLASS_OF_STRUCT: dict[StructType | VectorType, Callable[..., Any]] = {}  # Any: classes of users; filled by decorators


def stored(value: object, target: Type, where: str) -> object:
    """``value`` as a place of type ``target`` holds it: converted where nothing is lost, structs copied.

    ``where`` names the place in messages. Arrays, pointers and images are taken as they are; a launch checks them.

    Raises:
        TypeError: the place does not take the value; the message offers the conversion.
    """
    match target:
        case ScalarType():
            return _scalar(value, target, where)
        case StructType() | VectorType():
            if _declared(value) != target:
                raise TypeError(f"{where} holds a {target}, not {_name(value)}: {value!r}")
            return cast("Any", value).copy()  # Any: classes of users share only this method
        case TupleType(elements=elements):
            parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()
            if len(parts) != len(elements):
                raise TypeError(f"{where} holds a {target}, not {_name(cast('object', value))}: {value!r}")
            pairs = enumerate(zip(parts, elements, strict=True))
            return tuple(stored(part, element, f"{where}[{i}]") for i, (part, element) in pairs)
        case ArrayType() | PointerType() | ImageType():
            return value
        case _:
            assert_never(target)


def _scalar(value: object, target: ScalarType, where: str) -> object:
    operand = operand_of(value)
    if operand is None:
        raise TypeError(f"{where} holds a {target}, not {_name(value)}: {value!r}")
    if operand.type is None:
        try:
            return holding(fit(operand.payload, target), target)
        except TypeError as error:
            raise TypeError(f"{where} holds a {target}: {error}") from None
    if not is_lossless(operand.type, target):
        raise TypeError(f"{where} holds a {target}, and {operand.type} may lose values; write {target}(...) to convert")
    return holding(convert(operand.payload, target), target)


def _declared(value: object) -> object:
    return getattr(type(value), "struct_type", None) or getattr(type(value), "vector_type", None)


def _name(value: object) -> str:
    return type(value).__name__
