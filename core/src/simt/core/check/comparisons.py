"""Comparisons of any operands: numbers, and structs, vectors and tuples part by part or by the struct's own methods."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.arithmetic import compare
from simt.core.check.attributes import load_or_refer
from simt.core.check.host_values import static_elements
from simt.core.check.inline import call_function
from simt.core.check.naming import type_name
from simt.core.check.operand import POISON, Operand, Poison, Static, Stored, TupleOperand
from simt.core.check.overloading import method_of
from simt.core.check.state import State
from simt.core.check.truth import both, negate
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import StructType, TupleType, VectorType

COMPARISONS = {  # a method, and the one that the other operand is asked for
    hir.CompareOp.EQ: ("__eq__", "__eq__"), hir.CompareOp.NE: ("__ne__", "__ne__"),
    hir.CompareOp.LT: ("__lt__", "__gt__"), hir.CompareOp.LE: ("__le__", "__ge__"),
    hir.CompareOp.GT: ("__gt__", "__lt__"), hir.CompareOp.GE: ("__ge__", "__le__"),
}


def overloaded_compare(state: State, op: hir.CompareOp, left: Operand, right: Operand, span: Span) -> Operand:
    """A comparison of structs, vectors or tuples. Equality without a method of their own compares part by part."""
    if isinstance(left, Poison) or isinstance(right, Poison):
        return POISON
    if op in COMPARISONS:
        own, mirrored = COMPARISONS[op]
        for receiver, other, name in ((left, right, own), (right, left, mirrored)):
            method = method_of(receiver, name)
            if method is not None:
                return call_function(state, method, (receiver, other), (), span)
    if op is hir.CompareOp.NE and (method_of(left, "__eq__") or method_of(right, "__eq__")):
        return negate(state, overloaded_compare(state, hir.CompareOp.EQ, left, right, span), span)
    a, b = parts_of(state, left, span), parts_of(state, right, span)
    if op in (hir.CompareOp.EQ, hir.CompareOp.NE) and a is not None and b is not None and len(a) == len(b) \
            and _same_kind(left, right):
        equal = _all_equal(state, a, b, span)
        return equal if op is hir.CompareOp.EQ else negate(state, equal, span)
    return state.error(
        "mixed-operands", f"`{op}` cannot compare {type_name(left)} and {type_name(right)}", span,
        f"{type_name(left)} {op} {type_name(right)}", help="compare the fields or elements that matter",
    )


def compare_any(state: State, op: hir.CompareOp, left: Operand, right: Operand, span: Span) -> Operand:
    """One comparison of any operands. A value of the run is never None, so ``is None`` is known at compile time."""
    if op in (hir.CompareOp.IS, hir.CompareOp.IS_NOT) and (left == Static(None)) != (right == Static(None)):
        if not isinstance(right if left == Static(None) else left, Static | Poison):
            return Static(op is hir.CompareOp.IS_NOT)
    if isinstance(left, Stored | TupleOperand) or isinstance(right, Stored | TupleOperand):
        return overloaded_compare(state, op, left, right, span)
    return compare(state, op, left, right, span)


def _same_kind(left: Operand, right: Operand) -> bool:
    """Whether both are of one struct or vector type, or both tuples."""
    return _named_type(left) == _named_type(right)


def _named_type(operand: Operand) -> StructType | VectorType | None:
    kind = operand.place.type if isinstance(operand, Stored) else None
    return kind if isinstance(kind, StructType | VectorType) else None


def parts_of(state: State, operand: Operand, span: Span) -> tuple[Operand, ...] | None:
    """The fields of a struct, the elements of a tuple or vector; None for what has no parts."""
    match operand:
        case TupleOperand(elements=elements):
            return elements
        case Static():
            return static_elements(operand, span)
        case Stored(place=place):
            match place.type:
                case StructType(fields=fields):
                    kinds = tuple(field.type for field in fields)
                case TupleType(elements=kinds):
                    pass
                case VectorType(element=element, lanes=lanes):
                    kinds = (element,) * lanes
                case _:
                    return None
            return tuple(
                load_or_refer(state, tir.Member(span=span, type=kind, place=place, index=position), span)
                for position, kind in enumerate(kinds)
            )
        case _:
            return None


def _all_equal(state: State, left: tuple[Operand, ...], right: tuple[Operand, ...], span: Span) -> Operand:
    result: Operand = Static(True)
    for a, b in zip(left, right, strict=True):
        result = both(state, result, compare_any(state, hir.CompareOp.EQ, a, b, span), span)
    return result
