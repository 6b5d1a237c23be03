"""A ``def`` or a ``lambda`` to ``hir.Function``."""
from __future__ import annotations

import ast
from collections.abc import Iterable

from simt.core.diagnostics.diagnostic import Diagnostic
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.frontend.expressions import lower_annotation, lower_expression
from simt.core.frontend.nesting import MAXIMUM_NESTING, deeper_than, too_deep
from simt.core.frontend.scope import FunctionNode, Scope
from simt.core.frontend.statements import lower_body


def lower_outermost(
    node: FunctionNode | ast.AsyncFunctionDef, filename: str, class_name: str | None
) -> tuple[hir.Function | None, list[Diagnostic]]:
    """HIR of a function that the host has made, and everything refused in it.

    Its annotations and defaults are expressions of the host, which Python has evaluated: they are lowered only where
    they happen to be expressions of the language, are not part of ``captured``, and nothing in them is refused.
    """
    host = Scope(filename=filename, class_name=class_name, locals=frozenset(), diagnostics=[])
    deep = deeper_than(node, MAXIMUM_NESTING)
    if deep is not None:
        return None, [too_deep(host.first_line(host.span(deep)))]
    if isinstance(node, ast.AsyncFunctionDef):
        host.refuse("AsyncFunctionDef", _header(host, node))
        return None, host.diagnostics
    inner = host.nested(node)
    inner.diagnostics = []
    body = lower_body(inner, node)
    parameters = _lower_parameters(inner, host, node.args)
    if not has_fixed_parameters(node):
        return None, inner.diagnostics
    returns = node.returns if isinstance(node, ast.FunctionDef) else None
    function = hir.Function(
        span=_header(host, node), name=_name(node), parameters=parameters,
        returns=None if returns is None else lower_annotation(host, returns), body=body,
        captured=tuple(sorted(inner.captured)), refused=in_source_order(inner.diagnostics),
    )
    return function, inner.diagnostics


def in_source_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Reports on one file, by line and column."""
    return tuple(sorted(diagnostics, key=lambda d: (d.primary.span.line, d.primary.span.col)))


def has_fixed_parameters(node: FunctionNode) -> bool:
    """Whether a function takes neither ``*args`` nor ``**kwargs``, so that calls of it can be checked."""
    return node.args.vararg is None and node.args.kwarg is None


def lower_function(scope: Scope, node: FunctionNode) -> hir.Function:
    """HIR of a function nested in ``scope``. Its annotations and defaults are read where it is defined."""
    if isinstance(node, ast.FunctionDef):
        for decorator in node.decorator_list:
            scope.refuse("decorator", scope.span(decorator))
        if getattr(node, "type_params", None):  # since Python 3.12
            scope.refuse("type parameters", _header(scope, node))
    inner = scope.nested(node)
    parameters = _lower_parameters(inner, scope, node.args)
    returns = node.returns if isinstance(node, ast.FunctionDef) else None
    lowered = None if returns is None else lower_annotation(scope, returns)
    body = lower_body(inner, node)
    function = hir.Function(
        span=_header(scope, node), name=_name(node), parameters=parameters, returns=lowered, body=body,
        captured=tuple(sorted(inner.captured)),
    )
    scope.capture_through(function)
    return function


def _name(node: FunctionNode) -> str:
    return node.name if isinstance(node, ast.FunctionDef) else "<lambda>"


def _header(scope: Scope, node: FunctionNode | ast.AsyncFunctionDef) -> Span:
    """From ``def`` to the end of its line, for carets; a lambda as a whole."""
    span = scope.span(node)
    if isinstance(node, ast.Lambda):
        return span
    last = max(
        (part for part in (*ast.walk(node.args), node.returns) if isinstance(part, ast.arg | ast.expr)),
        key=lambda part: (part.end_lineno or 0, part.end_col_offset or 0), default=None,
    )
    keyword = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
    if last is None or last.end_lineno is None or last.end_col_offset is None:
        end_line, end_col = node.lineno, node.col_offset + len((keyword + node.name).encode())
    else:
        end_line, end_col = last.end_lineno, last.end_col_offset
    return Span(filename=span.filename, line=span.line, col=span.col, end_line=end_line, end_col=end_col)


def _lower_parameters(inner: Scope, outer: Scope, arguments: ast.arguments) -> tuple[hir.Parameter, ...]:
    """Parameters in order. ``inner`` is the function's scope; annotations and defaults belong to ``outer``."""
    if arguments.vararg is not None:
        inner.refuse("*args", inner.span(arguments.vararg))
    if arguments.kwarg is not None:
        inner.refuse("**kwargs", inner.span(arguments.kwarg))
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    pairs = [(a, d, False) for a, d in zip(positional, defaults, strict=True)]
    pairs += [(a, d, True) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return tuple(
        hir.Parameter(
            span=inner.span(argument), name=inner.mangle(argument.arg),
            annotation=None if argument.annotation is None else lower_annotation(outer, argument.annotation),
            default=None if default is None else lower_expression(outer, default), keyword_only=keyword_only,
        )
        for argument, default, keyword_only in pairs
    )
