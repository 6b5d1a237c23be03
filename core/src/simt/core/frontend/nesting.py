"""How deep a function's syntax nests: the compiler recurses over it, so there is an end.

A chain counts as deep as it is long: each ``elif`` is inside the one before, and so is the left operand of each ``+``,
``and``, comparison or ``case``.
"""
from __future__ import annotations

import ast

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.span import Span

MAXIMUM_NESTING = 2000
"""Levels of syntax in one function."""


def deeper_than(node: ast.AST, levels: int) -> ast.expr | ast.stmt | None:
    """The statement of ``node``, or its expression if it is a lambda, that holds a part more than ``levels`` deep."""
    pending: list[tuple[ast.AST, int, ast.expr | ast.stmt | None]] = [(node, 0, None)]
    while pending:
        part, depth, inside = pending.pop()
        if isinstance(part, ast.stmt) or (inside is None and isinstance(part, ast.expr)):
            inside = part
        if depth > levels:
            return inside
        for name, value in ast.iter_fields(part):
            if isinstance(value, ast.AST):
                pending.append((value, depth + 1, inside))
            elif isinstance(value, list):
                step = name in ("values", "comparators", "cases")
                pending += [
                    (item, depth + 1 + position * step, inside)
                    for position, item in enumerate(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] -- lists of nodes, and of names
                    if isinstance(item, ast.AST)
                ]
    return None


def too_deep(span: Span) -> Diagnostic:
    """The report on a part that the compiler cannot reach."""
    return Diagnostic(
        code="nests-too-deep", message=f"this nests deeper than {MAXIMUM_NESTING} levels, with what is called from it",
        primary=Label(span=span, text="too long a chain, or too deep"),
        help="give parts of a long expression names, look long chains of `elif` and `case` up in an array,\n"
        "or write a loop",
    )
