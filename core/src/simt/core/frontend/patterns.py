"""The cases of ``match`` to HIR: a case is a list of values to compare with, or the wildcard."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from simt.core.frontend import hir
from simt.core.frontend.expressions import lower_expression
from simt.core.frontend.scope import Scope

LowerBlock = Callable[[Scope, Sequence[ast.stmt]], tuple[hir.Stmt, ...]]


def lower_cases(scope: Scope, cases: list[ast.match_case], lower_block: LowerBlock) -> tuple[hir.Case, ...]:
    """Every case in order. ``case True`` and ``case None`` are patterns with that constant.

    A case that is refused for binding a name still matches everything; one that takes the value apart is poison.
    """
    lowered: list[hir.Case] = []
    for case in cases:
        values = _values(scope, case.pattern)
        guard = None if case.guard is None else lower_expression(scope, case.guard)
        body = lower_block(scope, case.body)
        if values is None and (bound := scope.refused(scope.span(case.pattern), case.pattern)).names:
            body = (hir.Evaluate(span=bound.span, value=bound), *body)
        lowered.append(hir.Case(span=scope.span(case.pattern), patterns=values or (), guard=guard, body=body))
    return tuple(lowered)


def _values(scope: Scope, pattern: ast.pattern) -> tuple[hir.Expr, ...] | None:
    """The values of a pattern, or None where it matches everything or is refused."""
    match pattern:
        case ast.MatchValue(value):
            return (lower_expression(scope, value),)
        case ast.MatchSingleton(value):
            return (hir.Constant(span=scope.span(pattern), value=value),)
        case ast.MatchOr(patterns):
            parts = [_values(scope, part) for part in patterns]
            known = [part for part in parts if part is not None]
            return tuple(value for part in known for value in part) if len(known) == len(parts) else None
        case ast.MatchAs(pattern=None, name=None):
            return None
        case ast.MatchAs():
            scope.refuse("case name", scope.span(pattern))
        case _:
            scope.refuse("case parts", scope.span(pattern))
            return (scope.refused(scope.span(pattern), pattern),)
    return None
