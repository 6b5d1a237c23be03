"""How messages name operands and their types; the numbers behind compile-time operands."""
from __future__ import annotations

import enum
import re
from types import ModuleType
from typing import cast

from simt.core.check import tir
from simt.core.check.operand import Closure, Operand, RangeOperand, Runtime, Static, Stored, TupleOperand

Number = bool | int | float | complex


def weak_value(operand: Operand) -> Number | None:
    """The number of a compile-time operand without a type of its own, or None."""
    if isinstance(operand, Static):
        value = operand.value
        if isinstance(value, enum.Enum):
            value = cast("object", value.value) if isinstance(value, int) else None
        if isinstance(value, bool | int | float | complex):
            return value
    return None


def static_int(operand: Operand) -> int | None:
    """The value of a compile-time integer, weak or typed, or None."""
    weak = weak_value(operand)
    if isinstance(weak, int) and not isinstance(weak, bool):
        return int(weak)
    if isinstance(operand, Runtime) and isinstance(operand.expr, tir.Const) and isinstance(operand.expr.value, int):
        return int(operand.expr.value)
    return None


def an(name: str) -> str:
    """A type's name with its article."""
    return f"an {name}" if re.match(r"[aeiAEIO]|f\d", name) else f"a {name}"


def counted(number: int, what: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def type_name(operand: Operand) -> str:
    """How messages name an operand's type."""
    match operand:
        case Static(value=value):
            if (number := weak_value(operand)) is not None:
                return "bool" if isinstance(number, bool) else f"{type(number).__name__} literal"
            return _static_name(value)
        case Runtime(expr=expr):
            return str(expr.type)
        case Stored(place=place):
            return str(place.type)
        case TupleOperand(elements=elements):
            return f"tuple[{', '.join(map(type_name, elements))}]"
        case RangeOperand():
            return "range"
        case Closure():
            return "function"
        case _:
            return "function"


def _static_name(value: object) -> str:
    match value:
        case None:
            return "None"
        case str():
            return "string"
        case type():
            return f"type ({value.__name__})"
        case ModuleType():
            return "module"
        case _ if callable(value):
            return "function"
        case _:
            return f"{type(value).__name__} object"
