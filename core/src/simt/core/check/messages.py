"""Messages of ``print``, ``assert`` and ``fault``: text with values in between."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.naming import an, weak_value
from simt.core.check.operand import Operand, Poison, Static, TupleOperand
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.values import to_expr
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import ScalarType

Parts = list[str | tuple[tir.Expr, str]]


def message_of(state: State, scope: Scope, items: tuple[hir.Expr, ...], separator: str = " ") -> tir.Message:
    """The items one after the other, as ``print`` writes them."""
    pieces: list[str | tuple[hir.Expr, str]] = []
    for position, item in enumerate(items):
        if position:
            pieces.append(separator)
        pieces.extend(item.parts if isinstance(item, hir.FormattedText) else ((item, ""),))
    values = [piece for piece in pieces if not isinstance(piece, str)]
    operands = iter(state.in_order(scope, [node for node, _ in values]))
    parts: Parts = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(piece)
        else:
            _append(state, parts, next(operands), piece[1], piece[0].span)
    return tir.Message(parts=tuple(_joined(parts)))


def _append(state: State, parts: Parts, operand: Operand, spec: str, span: Span) -> None:
    match operand:
        case Poison():
            return
        case Static(value=str() as text):
            parts.append(format(text, spec))
            return
        case Static(value=value) if weak_value(operand) is not None or value is None:
            parts.append(_formatted(state, value, spec, span))
            return
        case TupleOperand(elements=elements):
            for position, element in enumerate(elements):
                parts.append("(" if position == 0 else ", ")
                _append(state, parts, element, spec, span)
            parts.append(")" if len(elements) != 1 else ",)")
            return
        case _:
            pass
    expr = to_expr(state, operand, span)
    if expr is None:
        return
    if not isinstance(expr.type, ScalarType):
        state.error(
            "not-printable", f"{an(str(expr.type))} cannot be part of a message", span, f"this is {expr.type}",
            help="show its fields or elements one by one",
        )
        return
    if expr.type.is_complex:
        value = state.spill(expr, "z")
        real = tir.Extract(span=span, type=expr.type.component, value=value, index=0)
        imaginary = tir.Extract(span=span, type=expr.type.component, value=value, index=1)
        parts.extend(["(", (real, spec), "+" if not spec else "", (imaginary, spec), "j)"])
        return
    sample: object = 0.0 if expr.type.is_float else 0
    _formatted(state, sample, spec, span)
    parts.append((expr, spec))


def _formatted(state: State, value: object, spec: str, span: Span) -> str:
    try:
        return format(value, spec)
    except (ValueError, TypeError) as error:
        state.error("bad-format", f"`{spec}` does not format this value: {error}", span, "formatted here")
        return ""


def _joined(parts: Parts) -> Parts:
    """Neighbouring texts as one."""
    joined: Parts = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return joined
