"""Loops: ``while``, ``for`` over ranges and arrays, and unrolled ``for`` over tuples and static_range."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.assignment import assign_target
from simt.core.check.attributes import extent
from simt.core.check.naming import an, type_name
from simt.core.check.operand import Operand, Poison, RangeOperand, Runtime, Static
from simt.core.check.scope import Loop, Scope
from simt.core.check.sequences import elements_of
from simt.core.check.state import State
from simt.core.check.truth import truth
from simt.core.check.values import index
from simt.core.frontend import hir
from simt.core.types import ArrayType
from simt.core.types.scalar import BOOL, I64

MAX_UNROLLED = 4096


def check_while(state: State, scope: Scope, node: hir.While) -> bool:
    """``while``: its condition is evaluated in a header that ``continue`` returns to."""
    label = state.label("while")
    loop = Loop(label, label, unrolled=False)
    before = scope.enter_loop(node)
    with state.new_block() as header:
        condition = truth(state, state.expression(scope, node.condition), node.condition.span)
    if isinstance(condition, Static) and not condition.value:
        scope.resume(before)
        state.block.extend(header)
        return True
    scope.loops.append(loop)
    with state.new_block() as body:
        state.body(scope, node.body)
    scope.loops.pop()
    scope.leave_loop(before, node)
    if isinstance(condition, Poison):
        return True
    endless = isinstance(condition, Static)
    true = tir.Const(span=node.condition.span, type=BOOL, value=True)
    test = true if isinstance(condition, Static) else condition.expr
    state.emit(tir.While(
        span=state.at(node.span), label=label, header=tuple(header), condition=test, body=tuple(body),
    ))
    if endless:
        scope.join(loop.breaks)
    return not endless or loop.break_used


def check_for(state: State, scope: Scope, node: hir.For) -> bool:
    """``for``: what is iterated over decides whether the loop is unrolled."""
    iterable = state.expression(scope, node.iterable)
    match iterable:
        case Poison():
            _loop_body(state, scope, node, state.label("for"), None, Poison())
            return True
        case RangeOperand():
            _range_loop(state, scope, node, iterable)
            return True
        case Runtime(expr=expr) if isinstance(expr.type, ArrayType):
            _array_loop(state, scope, node, expr, expr.type)
            return True
        case Static(value=range() as bounds) if _rounds(bounds) > MAX_UNROLLED:
            _refuse_unrolling(state, node, _rounds(bounds))
            return True
        case _:
            elements = elements_of(iterable, node.iterable.span)
    if elements is None:
        state.error(
            "not-iterable", f"{an(type_name(iterable))} cannot be iterated over in a kernel", node.iterable.span,
            f"this is {an(type_name(iterable))}",
            help="iterate over range(...), static_range(...), a tuple or an array",
        )
        return True
    return _unrolled(state, scope, node, elements)


def _range_loop(state: State, scope: Scope, node: hir.For, bounds: RangeOperand) -> None:
    label = state.label("for")
    name = node.target.name if isinstance(node.target, hir.LocalName) else "i"
    counter = state.fresh(name, bounds.start.type)
    value = Runtime(tir.Ref(span=node.target.span, type=counter.type, local=counter), own=bounds.own)
    body = _loop_body(state, scope, node, label, counter, value)
    state.emit(tir.For(
        span=state.at(node.span), label=label, local=counter, start=bounds.start, stop=bounds.stop, step=bounds.step,
        body=body,
    ))


def _array_loop(state: State, scope: Scope, node: hir.For, expr: tir.Expr, array: ArrayType) -> None:
    """``for value in array``: the elements of the first axis, or its rows."""
    label = state.label("for")
    counter = state.fresh("k", I64)
    position = Runtime(tir.Ref(span=node.target.span, type=I64, local=counter))
    with state.new_block() as before:
        value = state.subscript(Runtime(expr), (position,), node.iterable.span)
    body = _loop_body(state, scope, node, label, None, value)
    state.emit(tir.For(
        span=state.at(node.span), label=label, local=counter, start=index(node.span, 0),
        stop=extent(state, expr, 0, node.span), step=index(node.span, 1), body=(*before, *body),
    ))


def _loop_body(
    state: State, scope: Scope, node: hir.For, label: tir.Label, counter: tir.Local | None, value: Operand,
) -> tuple[tir.Stmt, ...]:
    before = scope.enter_loop(node)
    scope.loops.append(Loop(label, label, unrolled=False))
    with state.new_block() as body:
        if counter is not None and isinstance(node.target, hir.LocalName) and scope.has_one_value(node.target.name):
            scope.bind(node.target.name, value)
        else:
            assign_target(state, scope, node.target, value, node.iterable)
        state.body(scope, node.body)
    scope.loops.pop()
    scope.leave_loop(before, node)
    return tuple(body)


def _rounds(bounds: range) -> int:
    """Length of a range; ``len`` fails for those beyond the machine's word."""
    return max(0, -((bounds.start - bounds.stop) // bounds.step))


def _refuse_unrolling(state: State, node: hir.For, rounds: int) -> None:
    state.error(
        "unrolled-too-often", f"this loop would be unrolled {rounds} times", node.iterable.span,
        f"at most {MAX_UNROLLED}", help="use `range` for a loop at run time",
    )


def _unrolled(state: State, scope: Scope, node: hir.For, elements: tuple[Operand, ...]) -> bool:
    """One copy of the body for each element; ``break`` and ``continue`` leave blocks."""
    if len(elements) > MAX_UNROLLED:
        _refuse_unrolling(state, node, len(elements))
        return True
    whole = state.label("unrolled")
    loop = Loop(whole, whole, unrolled=True)
    continues = True
    with state.new_block() as rounds:
        for element in elements:
            continues = _round(state, scope, node, element, loop)
            if not continues:
                break
    scope.join([*([scope.flow()] if continues else []), *loop.breaks])
    if loop.break_used:
        state.emit(tir.Block(span=state.at(node.span), label=whole, body=tuple(rounds)))
    else:
        state.block.extend(rounds)
    return continues or loop.break_used


def _round(state: State, scope: Scope, node: hir.For, element: Operand, loop: Loop) -> bool:
    """One copy of the body; whether control reaches the next."""
    loop.continue_label, loop.continue_used, loop.continues = state.label("round"), False, []
    scope.loops.append(loop)
    with state.new_block() as body:
        assign_target(state, scope, node.target, element, node.iterable)
        continues = state.body(scope, node.body)
    scope.loops.pop()
    scope.join([*([scope.flow()] if continues else []), *loop.continues])
    if loop.continue_used:
        state.emit(tir.Block(span=state.at(node.span), label=loop.continue_label, body=tuple(body)))
    else:
        state.block.extend(body)
    return continues or loop.continue_used
