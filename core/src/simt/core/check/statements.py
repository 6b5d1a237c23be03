"""HIR statements to TIR statements."""
from __future__ import annotations

from typing import assert_never

from simt.core.check import tir
from simt.core.check.assignment import assign_target, augmented_assign
from simt.core.check.branches import check_branches
from simt.core.check.inline import make_closure, record_return
from simt.core.check.loops import check_for, check_while
from simt.core.check.matching import check_match
from simt.core.check.messages import message_of
from simt.core.check.operand import POISON, Poison, Runtime, Static
from simt.core.check.resolve import resolve_annotation
from simt.core.check.scope import Scope
from simt.core.check.stability import freeze
from simt.core.check.state import State
from simt.core.check.truth import truth
from simt.core.check.uncalled import call_of, is_function
from simt.core.check.variables import assign
from simt.core.diagnostics.source import source_text
from simt.core.frontend import hir
from simt.core.types.scalar import BOOL


def check_body(state: State, scope: Scope, statements: tuple[hir.Stmt, ...]) -> bool:
    """Check statements in order; whether control reaches their end. What follows a jump is not checked."""
    for position, statement in enumerate(statements):
        is_last = position == len(statements) - 1 and statements is scope.function.body
        if not check_statement(state, scope, statement, is_last):
            return False
    return True


def check_statement(state: State, scope: Scope, node: hir.Stmt, is_last: bool) -> bool:
    """One statement; whether control goes on behind it. ``is_last``: nothing of the function follows."""
    match node:
        case hir.Assign(targets=targets, value=value):
            operand = state.expression(scope, value)
            if len(targets) > 1:
                operand = freeze(state, operand, value.span)
            for target in targets:
                assign_target(state, scope, target, operand, value)
        case hir.AugmentedAssign():
            augmented_assign(state, scope, node)
        case hir.AnnotatedAssign():
            _annotated_assign(state, scope, node)
        case hir.Evaluate(value=value):
            return _evaluate(state, scope, value)
        case hir.If():
            return _check_if(state, scope, node)
        case hir.While():
            return check_while(state, scope, node)
        case hir.For():
            return check_for(state, scope, node)
        case hir.Match():
            return check_match(state, scope, node)
        case hir.Break() | hir.Continue():
            _leave(state, scope, node)
            return False
        case hir.Return():
            _check_return(state, scope, node, is_last)
            return False
        case hir.Assert():
            return _check_assert(state, scope, node)
        case hir.Define(local=local, function=function):
            assign(state, scope, local.name, make_closure(state, scope, function), node.span)
        case _:
            assert_never(node)
    return True


def _annotated_assign(state: State, scope: Scope, node: hir.AnnotatedAssign) -> None:
    annotation = state.expression(scope, node.annotation)
    if isinstance(annotation, Static):
        target = resolve_annotation(state, annotation.value, scope.all_types(), node.annotation.span)
        if target is not None:
            before = scope.declared.setdefault(node.local.name, target)
            if before != target:
                state.error(
                    "conflicting-types", f"`{node.local.name}` is declared {before} and {target}", node.span,
                    "declared again",
                )
    if node.value is not None:
        value = state.expression(scope, node.value)
        assign(state, scope, node.local.name, value, node.local.span, value_span=node.value.span)


def _evaluate(state: State, scope: Scope, value: hir.Expr) -> bool:
    """An expression as a statement; control goes on behind it unless it is a ``fault(...)``."""
    operand = state.expression(scope, value)
    if isinstance(value, hir.Call) or isinstance(operand, Poison) or operand == Static(None):
        pass
    elif is_function(operand):
        text = source_text(value.span)
        state.error(
            "uncalled-function", f"`{text}` is named and not called" if text else "a function is named and not called",
            value.span, "does nothing", help=f"call it: `{call_of(operand, text)}`",
        )
    else:
        state.warn(
            "unused-value", "this value is computed and dropped", value.span, "never used",
            help="assign it, or remove the line",
        )
    return not (isinstance(value, hir.Call) and state.block and always_fails(state.block[-1]))


def always_fails(statement: tir.Stmt) -> bool:
    """Whether no thread goes on behind this statement."""
    return isinstance(statement, tir.Assert) and isinstance(statement.condition, tir.Const)


def _check_if(state: State, scope: Scope, node: hir.If) -> bool:
    condition = truth(state, state.expression(scope, node.condition), node.condition.span)
    if isinstance(condition, Static):
        return state.body(scope, node.then if condition.value else node.orelse)
    return check_branches(
        state, scope, condition, lambda: state.body(scope, node.then), lambda: state.body(scope, node.orelse),
        node.span,
    )


def _leave(state: State, scope: Scope, node: hir.Break | hir.Continue) -> None:
    loop = scope.loops[-1]
    where = state.at(node.span)
    if isinstance(node, hir.Break):
        loop.break_used = True
        loop.breaks.append(scope.flow())
        state.emit(tir.Break(span=where, label=loop.break_label))
    else:
        loop.continue_used = True
        loop.continues.append(scope.flow())
        leave = tir.Break if loop.unrolled else tir.Continue
        state.emit(leave(span=where, label=loop.continue_label))


def _check_return(state: State, scope: Scope, node: hir.Return, is_last: bool) -> None:
    if not scope.is_kernel:
        operand = Static(None) if node.value is None else state.expression(scope, node.value)
        record_return(state, scope, operand, is_last, node)
        return
    if node.value is not None and state.expression(scope, node.value) not in (Static(None), POISON):
        state.error(
            "kernel-returns-value", "a kernel returns nothing", node.value.span, "returned here",
            help="write the result to an `Out[...]` parameter",
        )
    if not is_last:
        state.emit(tir.Return(span=state.at(node.span)))


def _check_assert(state: State, scope: Scope, node: hir.Assert) -> bool:
    condition = truth(state, state.expression(scope, node.condition), node.condition.span)
    with state.new_block() as before_message:
        message = tir.Message(parts=()) if node.message is None else message_of(state, scope, (node.message,))
    if isinstance(condition, Static):
        if not condition.value:
            state.error(
                "static-assertion", "this assertion is false at compile time", node.span, "always fails",
                help="use `static_assert` where it is meant, or remove the code that leads here",
            )
            return False
        return True
    if isinstance(condition, Runtime):
        _emit_assert(state, condition.expr, before_message, message, node)
    return True


def _emit_assert(
    state: State, condition: tir.Expr, before_message: list[tir.Stmt], message: tir.Message, node: hir.Assert,
) -> None:
    """The message's own statements run only where the assertion fails."""
    where = state.at(node.span)
    if not before_message:
        state.emit(tir.Assert(span=where, condition=condition, message=message))
        return
    false = tir.Const(span=where, type=BOOL, value=False)
    failure = tir.Assert(span=where, condition=false, message=message)
    fails = tir.Unary(span=where, type=BOOL, op=tir.UnaryOp.NOT, operand=condition)
    state.emit(tir.If(span=where, condition=fails, then=(*before_message, failure), orelse=()))
