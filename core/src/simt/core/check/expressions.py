"""HIR expressions to operands: one case a node, each handled where its idea lives."""
from __future__ import annotations

from typing import assert_never

from simt.core.check.arithmetic import unary
from simt.core.check.attributes import check_attribute
from simt.core.check.calls import check_call
from simt.core.check.conditions import comparison, conditional, logical
from simt.core.check.host_values import host_operand
from simt.core.check.inline import make_closure
from simt.core.check.operand import POISON, Operand, Static, Stored, TupleOperand
from simt.core.check.operators import operate
from simt.core.check.overloading import overloaded_binary, overloaded_unary
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.subscripts import check_subscript
from simt.core.check.truth import negate
from simt.core.check.variables import assign, read
from simt.core.diagnostics.nearest import did_you_mean
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.frontend.names import NameMissing, captured_value


def check_expression(state: State, scope: Scope, node: hir.Expr) -> Operand:
    """The operand that ``node`` is; statements it needs go to the present block."""
    match node:
        case hir.Constant(value=value):
            return Static(value)
        case hir.LocalName(name=name):
            return read(state, scope, name, node.span)
        case hir.CapturedName(name=name):
            return captured(state, scope, name, node.span)
        case hir.Attribute():
            return check_attribute(state, scope, node)
        case hir.Subscript():
            return check_subscript(state, scope, node)
        case hir.Slice():
            return state.error(
                "slice", "slices are not supported here", node.span, "a slice",
                help="index single elements, or pass the array and an offset",
            )
        case hir.Unary(op=op, operand=operand):
            value = state.expression(scope, operand)
            if op is hir.UnaryOp.NOT:
                return negate(state, value, operand.span)
            if isinstance(value, Stored):
                return overloaded_unary(state, op, value, node.span)
            return unary(state, op, value, node.span)
        case hir.Binary(op=op, lhs=lhs, rhs=rhs):
            left, right = state.in_order(scope, (lhs, rhs))
            return check_binary(state, op, left, right, node.span)
        case hir.Comparison():
            return comparison(state, scope, node)
        case hir.Logical():
            return logical(state, scope, node)
        case hir.Conditional():
            return conditional(state, scope, node)
        case hir.Call():
            return check_call(state, scope, node)
        case hir.Tuple(elements=elements):
            return TupleOperand(tuple(state.in_order(scope, elements)))
        case hir.Lambda(function=function):
            return make_closure(state, scope, function)
        case hir.Refused(names=names):
            for name in names:
                assign(state, scope, name, POISON, node.span)
            return POISON
        case hir.FormattedText():
            return state.error(
                "text-value", "a string is only allowed as a message", node.span, "an f-string",
                help="use it in `print(...)`, `assert condition, message` or `fault(...)`",
            )
        case _:
            assert_never(node)


def check_binary(state: State, op: hir.BinaryOp, left: Operand, right: Operand, span: Span) -> Operand:
    """An operator over any operands: structs may define it, tuples may be joined, numbers have it."""
    if isinstance(left, Stored) or isinstance(right, Stored):
        return overloaded_binary(state, op, left, right, span)
    if op is hir.BinaryOp.ADD and isinstance(left, TupleOperand) and isinstance(right, TupleOperand):
        return TupleOperand(left.elements + right.elements)
    if isinstance(left, TupleOperand) or isinstance(right, TupleOperand):
        return overloaded_binary(state, op, left, right, span)
    return operate(state, op, left, right, span)


def captured(state: State, scope: Scope, name: str, span: Span) -> Operand:
    """A name from outside the function: of an enclosing kernel's locals, or of Python's scopes."""
    outer = scope.parent
    while outer is not None:
        if name in outer.sites:
            return read(state, outer, name, span)
        outer = outer.parent
    try:
        value = captured_value(scope.python, name)
    except NameMissing:
        return state.error(
            "unknown-name", f"`{name}` is not defined", span, "not found",
            help=_suggestion(scope, name),
        )
    return host_operand(value, span)


def _suggestion(scope: Scope, name: str) -> str:
    known = [*scope.sites, *scope.python.__globals__]
    return did_you_mean(name, known) or f"define `{name}` before the kernel is launched, or pass it as an argument"
