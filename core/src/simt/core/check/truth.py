"""Operands as conditions: a bool known at compile time, or an expression of type bool."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.naming import an, type_name
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static, Stored
from simt.core.check.overloading import method_of
from simt.core.check.state import State
from simt.core.check.uncalled import call_help
from simt.core.check.values import const
from simt.core.check.written import grouped, written_value
from simt.core.diagnostics.span import Span
from simt.core.types import ArrayType, Kind, ScalarType
from simt.core.types.scalar import BOOL


def truth(state: State, operand: Operand, span: Span) -> Static | Runtime | Poison:
    """The operand as a condition: a compile-time bool, or an expression of type bool."""
    match operand:
        case Poison():
            return POISON
        case Static(value=value):
            if isinstance(value, bool | int | float | complex) or value is None:
                return Static(bool(value))
        case Stored() if (method := method_of(operand, "__bool__")) is not None:
            return truth(state, state.call(Static(method), (operand,), (), span), span)
        case Runtime(expr=expr) if isinstance(expr.type, ScalarType):
            if expr.type.kind is Kind.BOOL:
                return operand
            zero = const(span, 0, expr.type)
            return Runtime(tir.Compare(span=state.at(span), type=BOOL, op=tir.CompareOp.NE, lhs=expr, rhs=zero))
        case _:
            pass
    size = ".size" if isinstance(operand, Runtime) and isinstance(operand.expr.type, ArrayType) else ""
    shown = f"{grouped(written_value(span))}{size}"
    state.error(
        "not-a-condition", f"{an(type_name(operand))} is neither true nor false", span,
        f"this is {an(type_name(operand))}",
        help=call_help(operand) or (
            "compare its parts, or define `__bool__` on the struct" if isinstance(operand, Stored)
            else f"write the comparison you mean, such as `{shown} != 0`"
        ),
    )
    return POISON


def negate(state: State, operand: Operand, span: Span) -> Operand:
    """``not operand``."""
    condition = truth(state, operand, span)
    match condition:
        case Static(value=value):
            return Static(not value)
        case Runtime(expr=expr):
            return Runtime(tir.Unary(span=state.at(span), type=BOOL, op=tir.UnaryOp.NOT, operand=expr))
        case Poison():
            return POISON


def both(state: State, first: Operand, second: Operand, span: Span) -> Operand:
    """``first and second`` of conditions that are there already."""
    a, b = truth(state, first, span), truth(state, second, span)
    if isinstance(a, Poison) or isinstance(b, Poison):
        return POISON
    if isinstance(a, Static):
        return b if a.value else a
    if isinstance(b, Static):
        return a if b.value else b
    return Runtime(tir.ShortCircuit(span=state.at(span), type=BOOL, op=tir.LogicalOp.AND, lhs=a.expr, rhs=b.expr))
