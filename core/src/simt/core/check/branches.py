"""Alternatives: bodies of which one runs, and what is known of the names where they meet again."""
from __future__ import annotations

from collections.abc import Callable

from simt.core.check import tir
from simt.core.check.operand import Poison, Runtime
from simt.core.check.scope import Flow, Scope
from simt.core.check.state import State
from simt.core.diagnostics.span import Span


def check_branches(
    state: State, scope: Scope, condition: Runtime | Poison, then: Callable[[], bool], orelse: Callable[[], bool],
    span: Span,
) -> bool:
    """``then`` or ``orelse``, each checked from what is known here; whether control goes on behind either.

    A condition that was already reported makes no statement, but its bodies' mistakes are found all the same.
    """
    before = scope.flow()
    ends: list[Flow] = []
    blocks: list[tuple[tir.Stmt, ...]] = []
    for body in (then, orelse):
        scope.resume(before)
        with state.new_block() as statements:
            if body():
                ends.append(scope.flow())
        blocks.append(tuple(statements))
    scope.join(ends)
    if isinstance(condition, Runtime):
        state.emit(tir.If(span=state.at(span), condition=condition.expr, then=blocks[0], orelse=blocks[1]))
    return bool(ends)
