"""Expressions of ``ast`` to HIR. A refused construct is reported and stands as ``Refused`` from there on."""
from __future__ import annotations

import ast
from typing import cast

from simt.core.errors import InternalCompilerError
from simt.core.frontend import hir
from simt.core.frontend.scope import Scope
from simt.core.frontend.unsupported import refusal_of

UNARY: dict[type[ast.unaryop], hir.UnaryOp] = {
    ast.USub: hir.UnaryOp.NEGATE, ast.UAdd: hir.UnaryOp.PLUS, ast.Invert: hir.UnaryOp.INVERT, ast.Not: hir.UnaryOp.NOT,
}
BINARY: dict[type[ast.operator], hir.BinaryOp] = {
    ast.Add: hir.BinaryOp.ADD, ast.Sub: hir.BinaryOp.SUB, ast.Mult: hir.BinaryOp.MUL, ast.Div: hir.BinaryOp.TRUE_DIV,
    ast.FloorDiv: hir.BinaryOp.FLOOR_DIV, ast.Mod: hir.BinaryOp.MOD, ast.Pow: hir.BinaryOp.POW,
    ast.BitAnd: hir.BinaryOp.AND, ast.BitOr: hir.BinaryOp.OR, ast.BitXor: hir.BinaryOp.XOR,
    ast.LShift: hir.BinaryOp.SHL, ast.RShift: hir.BinaryOp.SHR, ast.MatMult: hir.BinaryOp.MATMUL,
}
COMPARE: dict[type[ast.cmpop], hir.CompareOp] = {
    ast.Eq: hir.CompareOp.EQ, ast.NotEq: hir.CompareOp.NE, ast.Lt: hir.CompareOp.LT, ast.LtE: hir.CompareOp.LE,
    ast.Gt: hir.CompareOp.GT, ast.GtE: hir.CompareOp.GE, ast.Is: hir.CompareOp.IS, ast.IsNot: hir.CompareOp.IS_NOT,
}


def lower_expression(scope: Scope, node: ast.expr) -> hir.Expr:
    """HIR of one expression that is read.

    Raises:
        InternalCompilerError: a construct that is neither supported nor in the table of refusals.
    """
    refusal = refusal_of(node)
    if refusal is not None:
        scope.refuse(refusal, scope.span(node))
        return scope.refused(scope.span(node), node)
    span = scope.span(node)
    match node:
        case ast.Constant():
            return _lower_constant(scope, node)
        case ast.Name() | ast.Attribute():
            return _lower_dotted(scope, node)
        case ast.Subscript():
            return hir.Subscript(
                span=span, value=lower_expression(scope, node.value), indices=lower_indices(scope, node.slice)
            )
        case ast.Slice(start, stop, step):
            return hir.Slice(
                span=span, start=_lower_optional(scope, start), stop=_lower_optional(scope, stop),
                step=_lower_optional(scope, step),
            )
        case ast.UnaryOp(op, operand):
            return hir.Unary(span=span, op=UNARY[type(op)], operand=lower_expression(scope, operand))
        case ast.BinOp(left, op, right):
            lhs, rhs = lower_expression(scope, left), lower_expression(scope, right)
            return hir.Binary(span=span, op=BINARY[type(op)], lhs=lhs, rhs=rhs)
        case ast.Compare():
            return _lower_comparison(scope, node)
        case ast.BoolOp(op, values):
            logical = hir.LogicalOp.AND if isinstance(op, ast.And) else hir.LogicalOp.OR
            return hir.Logical(span=span, op=logical, operands=_lower_all(scope, values))
        case ast.IfExp(test, body, orelse):
            condition, then = lower_expression(scope, test), lower_expression(scope, body)
            return hir.Conditional(span=span, condition=condition, then=then, orelse=lower_expression(scope, orelse))
        case ast.Call():
            return _lower_call(scope, node)
        case ast.Tuple(elts):
            return hir.Tuple(span=span, elements=_lower_all(scope, elts))
        case ast.Lambda():
            # Here because functions hold statements and statements hold expressions: the cycle is in the language.
            from simt.core.frontend.functions import has_fixed_parameters, lower_function

            if not has_fixed_parameters(node):
                lower_function(scope, node)
                return scope.refused(span)
            return hir.Lambda(span=span, function=lower_function(scope, node))
        case ast.JoinedStr():
            return _lower_formatted(scope, node)
        case _:
            raise InternalCompilerError(f"no lowering for the expression {type(node).__name__} of this Python version")


def lower_indices(scope: Scope, node: ast.expr) -> tuple[hir.Expr, ...]:
    """What stands between the brackets: ``x[i, j]`` and ``x[(i, j)]`` have two indices."""
    return _lower_all(scope, node.elts) if isinstance(node, ast.Tuple) else (lower_expression(scope, node),)


def lower_annotation(scope: Scope, node: ast.expr) -> hir.Expr:
    """HIR of an annotation: text in quotes is parsed, and a list (as in ``Callable[[f32], f32]``) is a tuple.

    Nodes of a quoted annotation all have the span of the text.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except SyntaxError:
            return lower_expression(scope, node)  # the checker says that a text is not a type
        for part in ast.walk(inner):
            ast.copy_location(part, node)
        node = inner
    return lower_expression(scope, _ListsAsTuples().visit(node))


class _ListsAsTuples(ast.NodeTransformer):
    """Tuples for lists, in new nodes: the tree that is walked belongs to the file's cache."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        fields = {name: self._visit_field(value) for name, value in ast.iter_fields(node)}
        return ast.copy_location(type(node)(**fields), node)

    def visit_List(self, node: ast.List) -> ast.AST:
        return ast.copy_location(ast.Tuple([self.visit(e) for e in node.elts], ast.Load()), node)

    def _visit_field(self, value: object) -> object:
        if isinstance(value, list):
            return [self._visit_field(item) for item in cast("list[object]", value)]
        return self.visit(value) if isinstance(value, ast.AST) else value


def _lower_all(scope: Scope, nodes: list[ast.expr]) -> tuple[hir.Expr, ...]:
    return tuple(lower_expression(scope, node) for node in nodes)


def _lower_optional(scope: Scope, node: ast.expr | None) -> hir.Expr | None:
    return None if node is None else lower_expression(scope, node)


def _lower_constant(scope: Scope, node: ast.Constant) -> hir.Expr:
    span = scope.span(node)
    match node.value:
        case bool() | int() | float() | complex() | str() | None:
            return hir.Constant(span=span, value=node.value)
        case bytes():
            scope.refuse("bytes", span)
        case _:
            scope.refuse("...", span)
    return scope.refused(span)


def _lower_dotted(scope: Scope, node: ast.Name | ast.Attribute) -> hir.Expr:
    """A name with its attributes. The whole chain on a captured name is recorded as one dotted name."""
    attributes: list[ast.Attribute] = []
    base: ast.expr = node
    while isinstance(base, ast.Attribute):
        attributes.append(base)
        base = base.value
    attributes.reverse()
    if isinstance(base, ast.Name):
        name = scope.mangle(base.id)
        if name in scope.locals:
            value: hir.Expr = hir.LocalName(span=scope.span(base), name=name)
        else:
            value = hir.CapturedName(span=scope.span(base), name=name)
            scope.captured.add(".".join([name, *(scope.mangle(a.attr) for a in attributes)]))
    else:
        value = lower_expression(scope, base)
    for attribute in attributes:
        value = hir.Attribute(span=scope.span(attribute), value=value, name=scope.mangle(attribute.attr))
    return value


def _lower_comparison(scope: Scope, node: ast.Compare) -> hir.Expr:
    first = lower_expression(scope, node.left)
    rest: list[tuple[hir.CompareOp, hir.Expr]] = []
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        operand = lower_expression(scope, comparator)
        if isinstance(op, ast.In | ast.NotIn):
            scope.refuse("in" if isinstance(op, ast.In) else "not in", scope.span(node))
            return scope.refused(scope.span(node), node)
        rest.append((COMPARE[type(op)], operand))
    return hir.Comparison(span=scope.span(node), first=first, rest=tuple(rest))


def _lower_call(scope: Scope, node: ast.Call) -> hir.Expr:
    callee = lower_expression(scope, node.func)
    arguments: list[hir.Expr] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            scope.refuse("f(*)", scope.span(argument))
        else:
            arguments.append(lower_expression(scope, argument))
    keywords: list[tuple[str, hir.Expr]] = []
    for keyword in node.keywords:
        if keyword.arg is None:
            scope.refuse("f(**)", scope.span(keyword))
        else:
            keywords.append((keyword.arg, lower_expression(scope, keyword.value)))
    if len(arguments) < len(node.args) or len(keywords) < len(node.keywords):
        return scope.refused(scope.span(node), node)
    return hir.Call(span=scope.span(node), callee=callee, arguments=tuple(arguments), keywords=tuple(keywords))


def _lower_formatted(scope: Scope, node: ast.JoinedStr) -> hir.Expr:
    """An f-string. ``!r``, ``!s`` and ``!a`` change nothing: the text of a number is the same for all three."""
    parts: list[str | tuple[hir.Expr, str]] = []
    for part in node.values:
        match part:
            case ast.Constant(value=str(text)):
                parts.append(text)
            case ast.FormattedValue(value, _, None):
                parts.append((lower_expression(scope, value), ""))
            case ast.FormattedValue(value, _, ast.JoinedStr([ast.Constant(value=str(text))])):
                parts.append((lower_expression(scope, value), text))
            case ast.FormattedValue(value, _, ast.JoinedStr([])):
                parts.append((lower_expression(scope, value), ""))
            case _:
                scope.refuse("nested format", scope.span(part))
    return hir.FormattedText(span=scope.span(node), parts=tuple(parts))
