"""Python's builtins over tuples and arrays: ``len``, ``enumerate``, ``zip``, ``reversed``, ``sum``."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.attributes import extent
from simt.core.check.binding import Keywords
from simt.core.check.host_values import static_elements
from simt.core.check.naming import an, type_name
from simt.core.check.operand import POISON, Operand, Runtime, Static, Stored, TupleOperand
from simt.core.check.operators import operate
from simt.core.check.state import State
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import ArrayType, ScalarType, TupleType

WANTED = {
    "range": "write `range(stop)`, `range(start, stop)` or `range(start, stop, step)`",
    "len": "write `len(x)` of one array or tuple",
}


def takes_positional(
    state: State, name: str, arguments: tuple[Operand, ...], keywords: Keywords, low: int, high: int, span: Span,
) -> bool:
    """Whether a call of a builtin has the right number of arguments, none of them named; reported."""
    if keywords or not low <= len(arguments) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        state.error(
            "wrong-arguments", f"`{name}` takes {wanted} arguments without names", span, "in this call",
            help=WANTED.get(name),
        )
        return False
    return True


def check_len(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    if not takes_positional(state, "len", arguments, keywords, 1, 1, span):
        return POISON
    match arguments[0]:
        case TupleOperand(elements=elements):
            return Static(len(elements))
        case Static() if (elements := static_elements(arguments[0], span)) is not None:
            return Static(len(elements))
        case Stored(place=place) if isinstance(place.type, TupleType):
            return Static(len(place.type.elements))
        case Runtime(expr=expr) if isinstance(expr.type, ArrayType):
            length = extent(state, expr, 0, span)
            return Static(length.value) if isinstance(length, tir.Const) else Runtime(length)
        case other:
            return state.error(
                "type-mismatch", f"{an(type_name(other))} has no length", span, f"this is {an(type_name(other))}",
                help="arrays and tuples have a length",
            )


def elements_of(operand: Operand, span: Span) -> tuple[Operand, ...] | None:
    """The elements of a tuple known at compile time, or None."""
    match operand:
        case TupleOperand(elements=elements):
            return elements
        case Static():
            return static_elements(operand, span)
        case Stored(place=place) if isinstance(place.type, TupleType):
            members = [tir.Member(span=span, type=t, place=place, index=i) for i, t in enumerate(place.type.elements)]
            return tuple(
                Runtime(tir.Load(span=span, type=m.type, place=m)) if isinstance(m.type, ScalarType) else Stored(m)
                for m in members
            )
        case _:
            return None


def check_enumerate(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    items = elements_of(arguments[0], span) if len(arguments) == 1 and not keywords else None
    if items is None:
        return state.error(
            "type-mismatch", "`enumerate` takes a tuple in a kernel", span, help="write `for i in range(x.size)`",
        )
    return TupleOperand(tuple(TupleOperand((Static(i), item)) for i, item in enumerate(items)))


def check_zip(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    columns = [elements_of(argument, span) for argument in arguments]
    known = [column for column in columns if column is not None]
    strict = dict(keywords).pop("strict", Static(False))
    if strict == Static(True) and len({len(column) for column in known}) > 1:
        return state.error(
            "wrong-arguments", "`zip(..., strict=True)` of tuples of different lengths", span, "in this call",
        )
    if [name for name, _ in keywords if name != "strict"] or len(known) != len(columns):
        return state.error(
            "type-mismatch", "`zip` takes tuples in a kernel", span, help="write `for i in range(x.size)`",
        )
    return TupleOperand(tuple(TupleOperand(row) for row in zip(*known, strict=False)))


def check_reversed(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    items = elements_of(arguments[0], span) if len(arguments) == 1 and not keywords else None
    if items is None:
        return state.error(
            "type-mismatch", "`reversed` takes a tuple in a kernel", span, help="write `range(n - 1, -1, -1)`",
        )
    return TupleOperand(tuple(reversed(items)))


def check_sum(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    items = elements_of(arguments[0], span) if len(arguments) == 1 and not keywords else None
    if items is None:
        return state.error("type-mismatch", "`sum` takes a tuple in a kernel", span, help="add up in a loop")
    total: Operand = Static(0)
    for item in items:
        total = operate(state, hir.BinaryOp.ADD, total, item, span)
    return total
