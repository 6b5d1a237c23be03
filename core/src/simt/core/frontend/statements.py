"""Statements of ``ast`` to HIR. A refused statement is reported, with all that is refused inside it."""
from __future__ import annotations

import ast
from collections.abc import Sequence

from simt.core.diagnostics.span import Span
from simt.core.errors import InternalCompilerError
from simt.core.frontend import hir
from simt.core.frontend.expressions import (
    BINARY,
    lower_annotation,
    lower_expression,
    lower_indices,
)
from simt.core.frontend.patterns import lower_cases
from simt.core.frontend.scope import FunctionNode, Scope
from simt.core.frontend.unsupported import refusal_of


def lower_body(scope: Scope, function: FunctionNode) -> tuple[hir.Stmt, ...]:
    """The statements of a function, without its docstring; a lambda returns its expression."""
    if isinstance(function, ast.Lambda):
        value = lower_expression(scope, function.body)
        return (hir.Return(span=value.span, value=value),)
    return lower_block(scope, function.body)


def lower_block(scope: Scope, nodes: Sequence[ast.stmt]) -> tuple[hir.Stmt, ...]:
    """HIR of statements in order. ``pass``, ``...`` and bare texts say nothing and leave nothing."""
    return tuple(statement for node in nodes if (statement := _lower_statement(scope, node)) is not None)


def _lower_statement(scope: Scope, node: ast.stmt) -> hir.Stmt | None:
    refusal = refusal_of(node)
    if refusal is not None:
        return _refuse_statement(scope, node)
    span = scope.span(node)
    match node:
        case ast.Pass():
            return None
        case ast.Expr(ast.Constant(value)) if isinstance(value, str) or value is ...:
            return None
        case ast.Expr(value):
            return hir.Evaluate(span=span, value=lower_expression(scope, value))
        case ast.Assign():
            return _lower_assign(scope, node)
        case ast.AugAssign(target, op, value):
            place = lower_target(scope, target)
            lowered = lower_expression(scope, value)
            return None if place is None else hir.AugmentedAssign(
                span=span, target=place, op=BINARY[type(op)], value=lowered
            )
        case ast.AnnAssign():
            return _lower_annotated(scope, node)
        case ast.If(test, body, orelse):
            condition, then = lower_expression(scope, test), lower_block(scope, body)
            return hir.If(span=span, condition=condition, then=then, orelse=lower_block(scope, orelse))
        case ast.While() | ast.For():
            return _lower_loop(scope, node)
        case ast.Match(subject, cases):
            matched = lower_expression(scope, subject)
            return hir.Match(span=span, subject=matched, cases=lower_cases(scope, cases, lower_block))
        case ast.Break():
            return hir.Break(span=span)
        case ast.Continue():
            return hir.Continue(span=span)
        case ast.Return(value):
            return hir.Return(span=span, value=None if value is None else lower_expression(scope, value))
        case ast.Assert(test, message):
            condition = lower_expression(scope, test)
            text = None if message is None else lower_expression(scope, message)
            return hir.Assert(span=span, condition=condition, message=text)
        case ast.FunctionDef():
            # Here because functions hold statements and statements hold functions: the cycle is in the language.
            from simt.core.frontend.functions import has_fixed_parameters, lower_function

            function = lower_function(scope, node)
            if not has_fixed_parameters(node):
                return _nothing_of(scope, span, node)
            local = hir.LocalName(span=function.span, name=scope.mangle(node.name))
            return hir.Define(span=span, local=local, function=function)
        case _:
            raise InternalCompilerError(f"no lowering for the statement {type(node).__name__} of this Python version")


def lower_target(scope: Scope, node: ast.expr) -> hir.Target | None:
    """What an assignment writes to, or None where it is refused."""
    span = scope.span(node)
    match node:
        case ast.Name(name):
            return hir.LocalName(span=span, name=scope.mangle(name))
        case ast.Attribute(value, name):
            return hir.Attribute(span=span, value=lower_expression(scope, value), name=scope.mangle(name))
        case ast.Subscript(value, index):
            return hir.Subscript(
                span=span, value=lower_expression(scope, value), indices=lower_indices(scope, index)
            )
        case ast.Tuple(elts) | ast.List(elts):
            elements = [lower_target(scope, element) for element in elts]
            return hir.Tuple(span=span, elements=tuple(element for element in elements if element is not None))
        case _:
            lower_expression(scope, node)  # refuses it: only `*rest` is left
            return None


def _lower_assign(scope: Scope, node: ast.Assign) -> hir.Stmt | None:
    value = lower_expression(scope, node.value)
    before = len(scope.diagnostics)
    targets = [lower_target(scope, target) for target in node.targets]
    if len(scope.diagnostics) > before:
        return _nothing_of(scope, scope.span(node), *node.targets)
    return hir.Assign(
        span=scope.span(node), targets=tuple(target for target in targets if target is not None), value=value
    )


def _lower_annotated(scope: Scope, node: ast.AnnAssign) -> hir.Stmt | None:
    annotation = lower_annotation(scope, node.annotation)
    value = None if node.value is None else lower_expression(scope, node.value)
    if not isinstance(node.target, ast.Name):
        scope.refuse("annotated target", scope.span(node.target))
        return None
    local = hir.LocalName(span=scope.span(node.target), name=scope.mangle(node.target.id))
    return hir.AnnotatedAssign(span=scope.span(node), local=local, annotation=annotation, value=value)


def _lower_loop(scope: Scope, node: ast.While | ast.For) -> hir.Stmt | None:
    span = scope.span(node)
    if node.orelse:
        scope.refuse("loop else", scope.span(node.orelse[0]))
        lower_block(scope, node.orelse)
    if isinstance(node, ast.While):
        condition = lower_expression(scope, node.test)
        return hir.While(span=span, condition=condition, body=lower_block(scope, node.body))
    iterable = lower_expression(scope, node.iter)
    before = len(scope.diagnostics)
    target = lower_target(scope, node.target)
    is_refused = target is None or len(scope.diagnostics) > before
    body = lower_block(scope, node.body)
    if target is None or is_refused:
        return _nothing_of(scope, span, node)
    return hir.For(span=span, target=target, iterable=iterable, body=body)


def _nothing_of(scope: Scope, span: Span, *parts: ast.AST) -> hir.Stmt:
    """The statement in place of one that was reported: it binds the same names, to nothing that is known."""
    return hir.Evaluate(span=span, value=scope.refused(span, *parts))


def _refuse_statement(scope: Scope, node: ast.stmt) -> hir.Stmt:
    """Report a statement at its first line, and all that is refused in the blocks it holds."""
    span = scope.span(node)
    parts: list[Sequence[ast.stmt]] = []
    match node:
        case ast.With() | ast.AsyncWith() | ast.AsyncFor():
            parts = [node.body]
        case ast.Try() | ast.TryStar():
            parts = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
        case _:
            pass
    refusal = refusal_of(node)
    assert refusal is not None
    scope.refuse(refusal, scope.first_line(span))
    returns = [statement for part in parts for statement in lower_block(scope, part) if _returns(statement)]
    nothing = _nothing_of(scope, span, node)
    if not returns:
        return nothing
    leave = hir.Return(span=span, value=scope.refused(span))
    return hir.If(span=span, condition=scope.refused(span, node), then=(leave,), orelse=())


def _returns(statement: hir.Stmt) -> bool:
    """Whether a function may end within a statement."""
    match statement:
        case hir.Return():
            return True
        case hir.If(then=then, orelse=orelse):
            return any(map(_returns, (*then, *orelse)))
        case hir.While(body=body) | hir.For(body=body):
            return any(map(_returns, body))
        case hir.Match(cases=cases):
            return any(_returns(inner) for case in cases for inner in case.body)
        case _:
            return False
