"""Operators that a struct's class defines (``__add__`` and so on), and those of small vectors."""
from __future__ import annotations

from types import FunctionType

from simt.core.check import tir
from simt.core.check.arithmetic import unary
from simt.core.check.classes import class_of, is_of_every_struct
from simt.core.check.inline import call_function
from simt.core.check.naming import type_name
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Stored
from simt.core.check.operators import operate
from simt.core.check.state import State
from simt.core.check.values import to_expr
from simt.core.check.variables import local_operand
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import ScalarType, StructType, VectorType

METHODS = {
    hir.BinaryOp.ADD: "add", hir.BinaryOp.SUB: "sub", hir.BinaryOp.MUL: "mul", hir.BinaryOp.TRUE_DIV: "truediv",
    hir.BinaryOp.FLOOR_DIV: "floordiv", hir.BinaryOp.MOD: "mod", hir.BinaryOp.POW: "pow", hir.BinaryOp.AND: "and",
    hir.BinaryOp.OR: "or", hir.BinaryOp.XOR: "xor", hir.BinaryOp.SHL: "lshift", hir.BinaryOp.SHR: "rshift",
    hir.BinaryOp.MATMUL: "matmul",
}
UNARY_METHODS = {hir.UnaryOp.NEGATE: "__neg__", hir.UnaryOp.PLUS: "__pos__", hir.UnaryOp.INVERT: "__invert__"}


def overloaded_binary(state: State, op: hir.BinaryOp, left: Operand, right: Operand, span: Span) -> Operand:
    """``left op right`` where at least one is a struct, tuple or vector."""
    if isinstance(left, Poison) or isinstance(right, Poison):
        return POISON
    method = method_of(left, f"__{METHODS[op]}__")
    if method is not None:
        return call_function(state, method, (left, right), (), span)
    reflected = method_of(right, f"__r{METHODS[op]}__")
    if reflected is not None:
        return call_function(state, reflected, (right, left), (), span)
    vector = _vector_type(left) or _vector_type(right)
    if vector is not None:
        return _vector_binary(state, op, left, right, vector, span)
    return state.error(
        "mixed-operands", f"`{op}` cannot combine {type_name(left)} and {type_name(right)}", span,
        f"{type_name(left)} {op} {type_name(right)}",
        help=f"define `__{METHODS[op]}__` on the struct, or use its fields",
    )


def overloaded_unary(state: State, op: hir.UnaryOp, value: Stored, span: Span) -> Operand:
    """``-value`` of a struct or vector."""
    method = method_of(value, UNARY_METHODS[op])
    if method is not None:
        return call_function(state, method, (value,), (), span)
    vector = _vector_type(value)
    if vector is not None:
        parts = [unary(state, op, part, span) for part in _parts(state, value, vector, span)]
        return _vector(state, parts, vector, span)
    return state.error(
        "unsupported-operator", f"`{op}` has no meaning for {type_name(value)}", span, f"this is {type_name(value)}",
        help=f"define `{UNARY_METHODS[op]}` on the struct",
    )


def method_of(operand: Operand, name: str) -> FunctionType | None:
    """The method of that name which a struct's class defines itself; None otherwise."""
    if not isinstance(operand, Stored) or not isinstance(operand.place.type, StructType):
        return None
    found = getattr(class_of(operand.place.type), name, None)
    return found if isinstance(found, FunctionType) and not is_of_every_struct(found) else None


def _vector_type(operand: Operand) -> VectorType | None:
    return operand.place.type if isinstance(operand, Stored) and isinstance(operand.place.type, VectorType) else None


def _parts(state: State, operand: Operand, vector: VectorType, span: Span) -> list[Operand]:
    """The lanes of a vector, or a scalar repeated."""
    if _vector_type(operand) is None:
        return [operand] * vector.lanes
    expr = to_expr(state, operand, span)
    assert expr is not None
    value = state.spill(expr, "vector")
    return [
        Runtime(tir.Extract(span=span, type=vector.element, value=value, index=lane)) for lane in range(vector.lanes)
    ]


def _vector_binary(
    state: State, op: hir.BinaryOp, left: Operand, right: Operand, vector: VectorType, span: Span,
) -> Operand:
    types = [t for t in (_vector_type(left), _vector_type(right)) if t is not None]
    if len(types) == 2 and types[0] != types[1]:
        return state.error(
            "mixed-operands", f"`{op}` cannot combine {types[0]} and {types[1]}", span, f"{types[0]} {op} {types[1]}",
        )
    pairs = zip(_parts(state, left, vector, span), _parts(state, right, vector, span), strict=True)
    return _vector(state, [operate(state, op, a, b, span) for a, b in pairs], vector, span)


def _vector(state: State, parts: list[Operand], vector: VectorType, span: Span) -> Operand:
    expressions = [part.expr for part in parts if isinstance(part, Runtime)]
    if len(expressions) != vector.lanes:
        return POISON
    element = expressions[0].type
    if element != vector.element or not isinstance(element, ScalarType):
        return state.error(
            "mixed-operands", f"the result would be a vector of {element}", span, f"{vector} becomes {element}",
            help=f"convert the scalar first: `{vector.element}(...)`",
        )
    value = tir.Aggregate(span=state.at(span), type=vector, elements=tuple(expressions))
    return local_operand(state.spill(value, "vector").local, span)
