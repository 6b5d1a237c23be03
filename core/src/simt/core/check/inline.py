"""Calls of device functions, lambdas and nested functions: checked in place for the arguments of each call."""
from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, cast

from simt.core.check import tir
from simt.core.check.argument import Argument, arguments_of
from simt.core.check.binding import Keywords, bind_arguments, bind_parameter
from simt.core.check.naming import an, weak_value
from simt.core.check.operand import POISON, Closure, Operand, Poison, Runtime, Static, TupleOperand
from simt.core.check.resolve import resolve_annotation
from simt.core.check.scope import Plan, Scope, assignment_sites
from simt.core.check.stability import freeze
from simt.core.check.state import MAX_CALL_DEPTH, State
from simt.core.check.values import convert, operand_type, to_expr
from simt.core.check.variables import RESULT, join, local_operand, settle
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError
from simt.core.frontend import hir
from simt.core.frontend.read import read_with_refusals
from simt.core.types import Type

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_ATTEMPTS = 12


def call_function(
    state: State, python: FunctionType, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """Call a plain Python function as a device function."""
    if python in state.calls:
        return state.error(
            "recursion", f"`{python.__name__}` calls itself", span, "recursive call",
            help="write a loop: device functions are expanded in place, so they cannot recurse",
        )
    if len(state.calls) >= MAX_CALL_DEPTH:
        return state.error("recursion", f"calls are nested more than {MAX_CALL_DEPTH} deep", span, "this call")
    try:
        function = read_with_refusals(python)
        annotations = state.annotations(python)
    except CompileError as error:
        for diagnostic in error.diagnostics:
            state.add(diagnostic)
        return POISON
    for diagnostic in function.refused:
        label = diagnostic.primary
        state.add(replace(diagnostic, primary=replace(label, span=replace(label.span, call_site=state.at(span)))))
    defaults = _defaults(python)
    return _call(state, function, python, None, annotations, defaults, arguments, keywords, span)


def call_closure(
    state: State, closure: Closure, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """Call a lambda or a function defined inside the kernel."""
    if closure.function in state.calls:
        return state.error(
            "recursion", f"`{closure.function.name}` calls itself", span, "recursive call", help="write a loop",
        )
    annotations: dict[str, object] = {}
    outer = closure.scope
    for parameter in closure.function.parameters:
        if parameter.annotation is not None:
            value = state.expression(outer, parameter.annotation)
            annotations[parameter.name] = value.value if isinstance(value, Static) else object
    if closure.function.returns is not None:
        value = state.expression(outer, closure.function.returns)
        annotations["return"] = value.value if isinstance(value, Static) else object
    return _call(
        state, closure.function, outer.python, outer, annotations, dict(closure.defaults), arguments, keywords, span,
    )


def make_closure(state: State, scope: Scope, function: hir.Function) -> Closure:
    """A lambda or nested ``def`` as a value, its defaults evaluated now."""
    given = [(p.name, p.default) for p in function.parameters if p.default is not None]
    values = state.in_order(scope, [default for _, default in given])
    kept = [freeze(state, value, function.span) for value in values]
    return Closure(function, scope, tuple(zip((name for name, _ in given), kept, strict=True)))


def _defaults(python: FunctionType) -> dict[str, Operand]:
    code = python.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = cast("tuple[object, ...]", python.__defaults__ or ())
    found: dict[str, object] = dict(zip(positional[len(positional) - len(values):], values, strict=True))
    found.update(cast("dict[str, object]", python.__kwdefaults__ or {}))
    return {name: Static(value) for name, value in found.items()}


def _call(
    state: State, function: hir.Function, python: FunctionType, parent: Scope | None,
    annotations: Mapping[str, object], defaults: dict[str, Operand], arguments: tuple[Operand, ...],
    keywords: Keywords, span: Span,
) -> Operand:
    bound = bind_arguments(state, function, defaults, arguments, keywords, span)
    if bound is None:
        return POISON
    key = (id(function), id(parent.plan) if parent else 0, tuple(_shape_of(operand) for operand in bound))
    plan = cast("Plan", state.plans.setdefault(key, Plan()))
    sites = assignment_sites(function)
    names = [parameter.name for parameter in function.parameters]
    written = arguments_of(state.written.get(span), function.name, names, len(arguments), span)
    outer_site = state.call_site
    result: Operand = POISON
    try:
        for remaining in reversed(range(MAX_ATTEMPTS)):
            mark = state.snapshot()
            scope = Scope(function=function, host=python, plan=plan, parent=parent, sites=sites)
            result = _attempt(state, scope, annotations, bound, written, outer_site, span)
            if not settle(scope):
                break
            if remaining == 0:
                result = state.error(
                    "conflicting-types", f"the types in `{function.name}` do not settle", span, "this call",
                )
                break
            state.rollback(mark)
        return result
    finally:
        state.call_site = outer_site


def _shape_of(operand: Operand) -> object:
    """What of an argument decides the types inside the function."""
    match operand:
        case Static(value=bool() | int() | float() | complex() | str() | None as value):
            return type(value), repr(value)
        case Static(value=value):
            return id(value)
        case TupleOperand(elements=elements):
            return tuple(map(_shape_of, elements))
        case Closure(function=function, scope=scope):
            return id(function), id(scope.plan)
        case _:
            return operand_type(operand) or type(operand)


def _attempt(
    state: State, scope: Scope, annotations: Mapping[str, object], bound: list[Operand],
    written: Mapping[str, Argument], outer: Span | None, span: Span,
) -> Operand:
    scope.returns = annotations.get("return", object)
    pairs = list(zip(scope.function.parameters, bound, strict=True))
    for parameter, operand in sorted(pairs, key=lambda pair: isinstance(pair[1], Static)):
        # typed arguments first: they bind the type variables that literals then take
        bind_parameter(state, scope, parameter, annotations.get(parameter.name), operand, written[parameter.name])
    state.call_site = state.at(span) if outer is not None else span
    scope.return_label = state.label(scope.function.name.strip("<>"))
    state.calls.append(scope.host if scope.parent is None else scope.function)
    try:
        with state.new_block(nested=False) as body:
            if state.body(scope, scope.function.body):
                _end_without_return(state, scope)
    finally:
        state.calls.pop()
    state.call_site = outer
    if scope.return_used:
        state.emit(tir.Block(span=state.at(span), label=scope.return_label, body=tuple(body)))
    else:
        state.block.extend(body)
    if scope.result_local is not None and scope.result != POISON:
        return local_operand(scope.result_local, span)
    return Static(None) if scope.result is None else scope.result


def _end_without_return(state: State, scope: Scope) -> None:
    """Control reaches the end of a function: right only where no path gives a value."""
    function = scope.function
    declared = return_type(state, scope)
    if scope.result == POISON or (scope.result_local is None and declared is None):
        return
    message = f"`{function.name}` returns a value on some paths only" if scope.result_local is not None \
        else f"`{function.name}` is annotated `-> {declared}` and returns nothing"
    scope.result = state.error(
        "missing-return", message, function.span, "its end can be reached without a `return`",
        help="return a value at the end as well" if declared is None else f"end with `return` and {an(str(declared))}",
    )


def _as_declared(state: State, scope: Scope, operand: Operand, value: hir.Expr | None, span: Span) -> Operand:
    """The operand of the only ``return`` in the type that the function declares; aggregates get their own place."""
    expected = return_type(state, scope)
    if expected is None or isinstance(operand, Poison):
        return operand
    if operand_type(operand) == expected and not isinstance(operand, Static):
        return operand
    result = convert(state, operand, expected, span, "return", parts=_spans_of_elements(value))
    return POISON if result is None else local_operand(state.spill(result, "result").local, result.span)


def _spans_of_elements(value: hir.Expr | None) -> tuple[Span, ...]:
    return tuple(element.span for element in value.elements) if isinstance(value, hir.Tuple) else ()


def return_type(state: State, scope: Scope) -> Type | None:
    """The declared type of a function's result; None where it declares none that is a value's."""
    if scope.returns is None or scope.returns is object:
        return None
    written = scope.function.returns
    return resolve_annotation(
        state, scope.returns, scope.types, scope.function.span if written is None else written.span,
    )


def _fits_declaration(state: State, scope: Scope, nothing: bool, span: Span) -> bool:
    """Whether a function that is annotated ``-> None`` returns nothing, and one with a type something."""
    declared = return_type(state, scope)
    name = scope.function.name
    if nothing and declared is not None:
        state.error(
            "missing-return", f"`{name}` is annotated `-> {declared}` and returns nothing", span, "no value here",
            help=f"write `return` and {an(str(declared))}",
        )
        return False
    if not nothing and scope.returns is None:
        state.error(
            "type-mismatch", f"`{name}` is annotated `-> None` and returns a value", span, "a value here",
            help="annotate the function with the type that it returns, or write `return` alone",
        )
        return False
    return True


def record_return(state: State, scope: Scope, operand: Operand, is_last: bool, node: hir.Return) -> None:
    """A ``return`` statement of an inlined function."""
    plan, span = scope.plan, node.span if node.value is None else node.value.span
    nothing = isinstance(operand, Static) and operand.value is None
    if not isinstance(operand, Poison) and not _fits_declaration(state, scope, nothing, span):
        operand, nothing = POISON, False
    if is_last and not plan.returns_late and scope.result is None:
        scope.result = _as_declared(state, scope, operand, node.value, span)
        return
    if not plan.returns_late:
        plan.returns_late = plan.changed = True
    if scope.returns_nothing not in (None, nothing) and not isinstance(operand, Poison):
        state.error(
            "missing-return", f"`{scope.function.name}` returns a value on some paths only", span,
            "no value here" if nothing else "a value here", help="return a value on every path, or on none",
        )
    scope.returns_nothing = nothing
    expr = None if nothing else to_expr(state, operand, span)
    if expr is not None:
        _assign_result(state, scope, operand, expr, node.value, span)
    elif not nothing:
        scope.result = POISON
    if scope.return_label is not None and not is_last:
        scope.return_used = True
        state.emit(tir.Break(span=state.at(span), label=scope.return_label))


def _assign_result(
    state: State, scope: Scope, operand: Operand, expr: tir.Expr, written: hir.Expr | None, span: Span,
) -> None:
    plan = scope.plan
    declared = return_type(state, scope)
    found = plan.types.get(RESULT)
    weak = weak_value(operand) is not None or (isinstance(operand, Runtime) and operand.weak)
    target = declared or join(state, scope, RESULT, found, expr.type, weak, span)
    if target is None:
        scope.result = POISON
        return
    if target != found:
        plan.changed = plan.changed or found is not None
        plan.types[RESULT] = target
    value = convert(state, operand, target, span, "return", parts=_spans_of_elements(written))
    if value is None:
        scope.result = POISON
        return
    if scope.result_local is None or scope.result_local.type != target:
        scope.result_local = state.fresh("result", target)
        state.mutable.add(scope.result_local)
    state.emit(tir.Assign(span=state.at(span), local=scope.result_local, value=value))
