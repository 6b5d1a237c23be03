"""``match`` on integers and enumerations: a chain of comparisons; compile-time subjects choose their case now."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.arithmetic import compare
from simt.core.check.branches import check_branches
from simt.core.check.naming import type_name
from simt.core.check.operand import Operand, Poison, Runtime, Static
from simt.core.check.scope import Scope
from simt.core.check.stability import freeze
from simt.core.check.state import State
from simt.core.check.truth import truth
from simt.core.frontend import hir
from simt.core.types import ScalarType
from simt.core.types.scalar import BOOL


def check_match(state: State, scope: Scope, node: hir.Match) -> bool:
    """Check a ``match`` statement; whether control reaches its end."""
    subject = freeze(state, state.expression(scope, node.subject), node.subject.span)
    if isinstance(subject, Runtime) and not isinstance(subject.expr.type, ScalarType) \
            or not isinstance(subject, Runtime | Static | Poison):
        if any(isinstance(pattern, hir.Refused) for case in node.cases for pattern in case.patterns):
            return True  # reported: the cases take the subject apart
        state.error(
            "match-subject", f"`match` compares numbers and compile-time values, not {type_name(subject)}",
            node.subject.span, f"this is {type_name(subject)}",
        )
        return True
    return _cases(state, scope, subject, node.cases)


def _cases(state: State, scope: Scope, subject: Operand, cases: tuple[hir.Case, ...]) -> bool:
    if not cases:
        return True
    case, rest = cases[0], cases[1:]
    condition = _condition(state, scope, subject, case)
    if isinstance(condition, Static):
        return state.body(scope, case.body) if condition.value else _cases(state, scope, subject, rest)
    return check_branches(
        state, scope, condition, lambda: state.body(scope, case.body), lambda: _cases(state, scope, subject, rest),
        case.span,
    )


def _condition(state: State, scope: Scope, subject: Operand, case: hir.Case) -> Static | Runtime | Poison:
    """Whether the case is chosen."""
    matched: Static | Runtime | Poison = Static(not case.patterns)
    for pattern in case.patterns:
        value = state.expression(scope, pattern)
        link = truth(state, compare(state, hir.CompareOp.EQ, subject, value, pattern.span), pattern.span)
        matched = _combine(state, tir.LogicalOp.OR, matched, link, case)
    if case.guard is None:
        return matched
    if isinstance(matched, Static) and not matched.value:
        return matched
    with state.new_block() as statements:
        guard = truth(state, state.expression(scope, case.guard), case.guard.span)
    if statements:
        return _refuse_guard(state, case.guard)
    return _combine(state, tir.LogicalOp.AND, matched, guard, case)


def _refuse_guard(state: State, guard: hir.Expr) -> Poison:
    return state.error(
        "match-guard", "this guard does more than compute", guard.span, "has effects",
        help="test it with `if` inside the case",
    )


def _combine(
    state: State, op: tir.LogicalOp, lhs: Static | Runtime | Poison, rhs: Static | Runtime | Poison, case: hir.Case,
) -> Static | Runtime | Poison:
    if isinstance(lhs, Poison) or isinstance(rhs, Poison):
        return Poison()
    decided = op is tir.LogicalOp.OR
    for one, other in ((lhs, rhs), (rhs, lhs)):
        if isinstance(one, Static):
            return Static(decided) if bool(one.value) == decided else other
    assert isinstance(lhs, Runtime) and isinstance(rhs, Runtime)
    return Runtime(tir.ShortCircuit(span=state.at(case.span), type=BOOL, op=op, lhs=lhs.expr, rhs=rhs.expr))
