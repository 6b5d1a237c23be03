"""The operands of an operator as the user wrote them, for messages that show what to write instead."""
from __future__ import annotations

import ast
from dataclasses import dataclass

from simt.core.diagnostics.source import source_text
from simt.core.diagnostics.span import Span

MAX_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Written:
    """``left op right``, or ``left op= right``: each side's text, without parentheses around the whole of it."""

    left: str
    right: str
    operator: str
    augmented: bool

    def operands(self) -> tuple[str, str]:
        """Both sides as operands of another operator: in parentheses where they need them."""
        return grouped(self.left), grouped(self.right)


def written_operands(span: Span) -> Written | None:
    """The two sides of the operator at ``span``; None where its text cannot be had, is long, or is something else."""
    text = source_text(span)
    if text is None:
        return None
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return None
    left: ast.expr
    augmented = False
    match body:
        case [ast.Expr(ast.BinOp(left, _, right))]:
            pass
        case [ast.Expr(ast.Compare(left, [_], [right]))]:
            pass
        case [ast.AugAssign(target, _, right)]:
            left, augmented = target, True
        case _:
            return None
    sides = [ast.get_source_segment(text, side) for side in (left, right)]
    if any(side is None or len(side) > MAX_SHOWN for side in sides):
        return None
    assert left.end_col_offset is not None
    between = text.encode()[left.end_col_offset : right.col_offset].decode()
    return Written(sides[0] or "", sides[1] or "", between.strip(" ()").removesuffix("="), augmented)


def written_value(span: Span) -> str:
    """The expression at ``span``, or ``...`` where its text cannot be had, is long, or is a statement."""
    text = source_text(span)
    if text is None or len(text) > MAX_SHOWN:
        return "..."
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return "..."
    return text


def grouped(text: str) -> str:
    """An expression's text as the operand of an operator."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return text
    simple = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.Constant | ast.Tuple
    return text if isinstance(tree, simple) else f"({text})"
