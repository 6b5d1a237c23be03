"""Operands evaluated now: what keeps a value from the statements that come after it."""
from __future__ import annotations

from typing import TYPE_CHECKING

from simt.core.check import tir
from simt.core.check.operand import Method, Operand, RangeOperand, Runtime, Stored, TupleOperand
from simt.core.types import TupleType

if TYPE_CHECKING:
    from simt.core.check.state import State
    from simt.core.diagnostics.span import Span


def is_stable(state: State, expr: tir.Expr) -> bool:
    """Whether statements made later cannot change the value of ``expr``."""
    return not any(
        isinstance(node, tir.Load) or (isinstance(node, tir.Ref) and node.local in state.mutable)
        for node in tir.walk(expr)
    )


def freeze(state: State, operand: Operand, span: Span) -> Operand:
    """``operand`` evaluated now, unless nothing later can change it. Structs and vectors are objects, and stay."""
    match operand:
        case Runtime(expr=expr, weak=weak, own=own) if not is_stable(state, expr):
            return Runtime(state.spill(expr), weak=weak, own=own)
        case Stored(place=place) if isinstance(place.type, TupleType):
            value = state.spill(tir.Load(span=span, type=place.type, place=place))
            return Stored(tir.Variable(span=span, type=place.type, local=value.local))
        case Stored(place=place):
            return Stored(stable_place(state, place))
        case Method(receiver=receiver, function=function):
            return Method(freeze(state, receiver, span), function)
        case TupleOperand(elements=elements):
            return TupleOperand(tuple(freeze(state, element, span) for element in elements))
        case RangeOperand(start=start, stop=stop, step=step, own=own):
            return RangeOperand(_kept(state, start), _kept(state, stop), _kept(state, step), own)
        case _:
            return operand


def _kept(state: State, expr: tir.Expr) -> tir.Expr:
    return expr if is_stable(state, expr) else state.spill(expr)


def stable_place(state: State, place: tir.Place) -> tir.Place:
    """The place with its array, indices and pointer evaluated once."""
    match place:
        case tir.Element(array=array, indices=indices):
            kept = tuple(_kept(state, item) for item in indices)
            return tir.Element(span=place.span, type=place.type, array=_kept(state, array), indices=kept)
        case tir.Pointee(pointer=pointer):
            return tir.Pointee(span=place.span, type=place.type, pointer=_kept(state, pointer))
        case tir.Member(place=inner, index=index):
            return tir.Member(span=place.span, type=place.type, place=stable_place(state, inner), index=index)
        case tir.Item(place=inner, index=index):
            return tir.Item(
                span=place.span, type=place.type, place=stable_place(state, inner), index=_kept(state, index),
            )
        case tir.Variable():
            return place
