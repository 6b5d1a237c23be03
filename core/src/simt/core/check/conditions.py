"""``and``, ``or``, chained comparisons and conditional expressions."""
from __future__ import annotations

from collections.abc import Sequence

from simt.core.check import tir
from simt.core.check.aliases import note_copy
from simt.core.check.arithmetic import meet
from simt.core.check.comparisons import compare_any
from simt.core.check.naming import type_name, weak_value
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static, Stored, TupleOperand
from simt.core.check.scope import Scope
from simt.core.check.stability import freeze
from simt.core.check.state import State
from simt.core.check.truth import truth
from simt.core.check.values import const, convert, to_expr
from simt.core.check.variables import local_operand
from simt.core.check.written import grouped, written_value
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import ScalarType, StructType, TupleType, VectorType
from simt.core.types.scalar import BOOL


def logical(state: State, scope: Scope, node: hir.Logical) -> Operand:
    """``and`` and ``or`` of conditions: the right operand is evaluated only where the left leaves it open."""
    stops_at = node.op is hir.LogicalOp.OR
    result: Operand = Static(not stops_at)
    for position, item in enumerate(node.operands):
        if isinstance(result, Runtime):
            result = _short_circuit(state, scope, node.op, result.expr, item, node.span)
        else:
            value = state.expression(scope, item)
            result = _bool_operand(state, value, item.span)
        if isinstance(result, Poison):
            return POISON
        if isinstance(result, Static) and bool(result.value) == stops_at and position < len(node.operands):
            return result
    return result


def _bool_operand(state: State, value: Operand, span: Span) -> Static | Runtime | Poison:
    number = weak_value(value)
    kind = value.expr.type if isinstance(value, Runtime) else None
    if (number is not None and not isinstance(number, bool)) or (isinstance(kind, ScalarType) and kind != BOOL):
        state.error(
            "not-a-condition", f"`and` and `or` need conditions, not {type_name(value)}", span,
            f"this is {type_name(value)}",
            help=f"write the comparison you mean, such as `{grouped(written_value(span))} != 0`",
        )
        return POISON
    return truth(state, value, span)


def _short_circuit(
    state: State, scope: Scope, op: hir.LogicalOp, lhs: tir.Expr, item: hir.Expr, span: Span,
) -> Static | Runtime | Poison:
    with state.new_block() as statements:
        right = _bool_operand(state, state.expression(scope, item), item.span)
    if isinstance(right, Poison):
        return POISON
    rhs = const(item.span, bool(right.value), BOOL) if isinstance(right, Static) else right.expr
    return _lazily(state, op, lhs, statements, rhs, span)


def _lazily(
    state: State, op: hir.LogicalOp, lhs: tir.Expr, statements: list[tir.Stmt], rhs: tir.Expr, span: Span,
) -> Runtime:
    """``lhs op rhs`` where ``statements`` and ``rhs`` run only if ``lhs`` leaves the result open."""
    if not statements:
        return Runtime(tir.ShortCircuit(span=state.at(span), type=BOOL, op=tir.LogicalOp(op.value), lhs=lhs, rhs=rhs))
    local = state.fresh("condition", BOOL)
    state.mutable.add(local)
    state.emit(tir.Assign(span=state.at(span), local=local, value=lhs))
    ref = tir.Ref(span=state.at(span), type=BOOL, local=local)
    taken = (*statements, tir.Assign(span=state.at(span), local=local, value=rhs))
    then, orelse = (taken, ()) if op is hir.LogicalOp.AND else ((), taken)
    state.emit(tir.If(span=state.at(span), condition=ref, then=then, orelse=orelse))
    return Runtime(ref)


def comparison(state: State, scope: Scope, node: hir.Comparison) -> Operand:
    """A comparison, or a chain of them; each operand is evaluated once, and only as far as needed."""
    if len(node.rest) == 1:
        lhs, rhs = state.in_order(scope, (node.first, node.rest[0][1]))
        return compare_any(state, node.rest[0][0], lhs, rhs, node.span)
    left, middle = state.in_order(scope, (node.first, node.rest[0][1]))
    middle = freeze(state, middle, node.span)
    result = compare_any(state, node.rest[0][0], left, middle, node.span)
    for position, (op, item) in enumerate(node.rest[1:], 1):
        if isinstance(result, Static):
            if not result.value:
                return result
            middle, result = _link(state, scope, op, middle, item, position == len(node.rest) - 1, node.span)
        elif isinstance(result, Runtime):
            with state.new_block() as statements:
                middle, link = _link(state, scope, op, middle, item, position == len(node.rest) - 1, node.span)
            result = _and(state, result, statements, link, node.span)
        else:
            return POISON
    return result


def _link(
    state: State, scope: Scope, op: hir.CompareOp, left: Operand, item: hir.Expr, is_last: bool, span: Span,
) -> tuple[Operand, Operand]:
    right = state.expression(scope, item)
    if not is_last:
        right = freeze(state, right, span)
    return right, compare_any(state, op, left, right, span)


def _and(state: State, lhs: Runtime, statements: list[tir.Stmt], rhs: Operand, span: Span) -> Operand:
    match rhs:
        case Static(value=value):
            state.block.extend(statements)
            return lhs if value else Static(False)
        case Runtime(expr=expr):
            return _lazily(state, hir.LogicalOp.AND, lhs.expr, statements, expr, span)
        case _:
            return POISON


def conditional(state: State, scope: Scope, node: hir.Conditional) -> Operand:
    """``then if condition else orelse``: only the chosen operand is evaluated; a compile-time condition chooses now."""
    condition = truth(state, state.expression(scope, node.condition), node.condition.span)
    if isinstance(condition, Poison):
        return POISON
    if isinstance(condition, Static):
        return state.expression(scope, node.then if condition.value else node.orelse)
    with state.new_block() as before_then:
        then = state.expression(scope, node.then)
    with state.new_block() as before_else:
        orelse = state.expression(scope, node.orelse)
    if isinstance(then, Poison) or isinstance(orelse, Poison):
        return POISON
    blocks = (before_then, before_else)
    met = meet_values(state, then, orelse, blocks, node.span)
    if met is None:
        return POISON
    a, b = met
    weak = all(weak_value(x) is not None or isinstance(x, Runtime) and x.weak for x in (then, orelse))
    if not before_then and not before_else:
        value = tir.Conditional(span=state.at(node.span), type=a.type, condition=condition.expr, then=a, orelse=b)
        if isinstance(a.type, StructType | TupleType | VectorType):
            return _chosen_object(state, state.spill(value, "chosen").local, (then, orelse), node.span)
        return Runtime(value, weak=weak)
    local = state.fresh("chosen", a.type)
    state.mutable.add(local)
    assign_then = tir.Assign(span=state.at(node.then.span), local=local, value=a)
    assign_else = tir.Assign(span=state.at(node.orelse.span), local=local, value=b)
    state.emit(tir.If(
        span=state.at(node.span), condition=condition.expr, then=(*before_then, assign_then),
        orelse=(*before_else, assign_else),
    ))
    if isinstance(a.type, StructType | TupleType | VectorType):
        return _chosen_object(state, local, (then, orelse), node.span)
    return Runtime(tir.Ref(span=state.at(node.span), type=a.type, local=local), weak=weak)


def _chosen_object(state: State, local: tir.Local, operands: tuple[Operand, ...], span: Span) -> Operand:
    """A struct, vector or tuple that is one of several: a copy of each of them."""
    for operand in operands:
        if isinstance(operand, Stored):
            note_copy(state, local, operand.place, span)
    return local_operand(local, span)


def meet_values(
    state: State, then: Operand, orelse: Operand, blocks: Sequence[list[tir.Stmt]], span: Span,
) -> tuple[tir.Expr, tir.Expr] | None:
    """Two alternatives as one type."""
    if isinstance(then, Stored | TupleOperand) or isinstance(orelse, Stored | TupleOperand) \
            or not _is_scalar(then) or not _is_scalar(orelse):
        a = to_expr(state, then, span)
        b = None if a is None else convert(state, orelse, a.type, span, "use")
        return None if a is None or b is None else (a, b)
    met = meet(state, then, orelse, span, "if-else")
    return None if met is None else (met[0], met[1])


def _is_scalar(operand: Operand) -> bool:
    return weak_value(operand) is not None or isinstance(operand, Runtime) and isinstance(operand.expr.type, ScalarType)
