"""Early returns as guards: ``if i >= n: return`` with ``rest`` after it becomes ``if i < n: rest``.

Both mean the same; what is found out about guards (``interior``, ``clipping``) then holds for both. Non-goals: returns
inside other statements, and conditions on floats, whose negation a NaN would make wrong.
"""
from __future__ import annotations

from dataclasses import replace

from simt.core.check import tir
from simt.core.check.tir import LogicalOp, UnaryOp
from simt.core.cpu.comparisons import NEGATED
from simt.core.types import ScalarType


def as_guards(body: tuple[tir.Stmt, ...]) -> tuple[tir.Stmt, ...]:
    """The statements of a kernel without a collective, with each early return at their level made a guard."""
    for position, statement in enumerate(body):
        rest = body[position + 1:]
        if isinstance(statement, tir.If) and rest and _only_returns(statement):
            opposite = _negation(statement.condition)
            if opposite is not None:
                return *body[:position], replace(statement, condition=opposite, then=as_guards(rest))
    return body


def _only_returns(node: tir.If) -> bool:
    return not node.orelse and len(node.then) == 1 and isinstance(node.then[0], tir.Return)


def _negation(condition: tir.Expr) -> tir.Expr | None:
    """What holds where ``condition`` does not; None where that cannot be said as simply."""
    match condition:
        case tir.Unary(op=UnaryOp.NOT, operand=operand):
            return operand
        case tir.Compare(op=op, lhs=lhs) if isinstance(lhs.type, ScalarType) and lhs.type.is_integer:
            return replace(condition, op=NEGATED[op])
        case tir.ShortCircuit(op=op, lhs=lhs, rhs=rhs):
            first, second = _negation(lhs), _negation(rhs)
            if first is None or second is None:
                return None
            return replace(condition, op=LogicalOp.OR if op is LogicalOp.AND else LogicalOp.AND, lhs=first, rhs=second)
        case _:
            return None
