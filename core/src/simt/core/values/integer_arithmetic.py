"""Arithmetic on integer payloads: exact, then wrapped to the type."""
from __future__ import annotations

from simt.core.types import Kind, ScalarType
from simt.core.values.payload import wrap


def integer_binary(op: str, a: int, b: int, kind: ScalarType) -> int:
    """``a op b`` for two values of the integer type ``kind`` (bool: only ``& | ^``).

    Raises:
        TypeError: integers have no such operator.
        ZeroDivisionError: ``//`` or ``%`` by zero.
    """
    match op:
        case "+":
            return wrap(a + b, kind)
        case "-":
            return wrap(a - b, kind)
        case "*":
            return wrap(a * b, kind)
        case "//":
            return wrap(a // b, kind)
        case "%":
            return wrap(a % b, kind)
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "/":
            raise TypeError(
                f"{kind} / {kind} is no integer: write // for the floor, or convert an operand, as in f32(a) / b"
            )
        case _:
            raise TypeError(f"{kind} has no operator {op}")


def shift(op: str, value: int, count: int, kind: ScalarType) -> int:
    """``value << count`` or ``value >> count`` in the type ``kind`` of ``value``.

    A count of the width or more moves every bit out: 0, or -1 for ``>>`` of a negative value. A negative count is a
    huge unsigned one.
    """
    if not 0 <= count < kind.bits:
        return -1 if op == ">>" and value < 0 and kind.kind is Kind.SIGNED else 0
    return wrap(value << count, kind) if op == "<<" else value >> count

