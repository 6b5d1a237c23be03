"""``value[indices]``: elements and rows of arrays, parts of tuples and vectors, pointers, tables, type arguments."""
from __future__ import annotations

from typing import Any, cast

import numpy as np

from simt.core.check import tir
from simt.core.check.aliases import note_view
from simt.core.check.attributes import load_or_refer
from simt.core.check.naming import an, static_int, type_name
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static, Stored, TupleOperand
from simt.core.check.overloading import method_of
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.tables import constant_table
from simt.core.check.uncalled import call_help
from simt.core.check.values import convert, index, operand_type, to_expr
from simt.core.check.written import written_value
from simt.core.diagnostics.source import source_text
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import Access, ArrayType, ImageType, PointerType, ScalarType, TupleType, VectorType
from simt.core.types.scalar import I64


def check_subscript(state: State, scope: Scope, node: hir.Subscript) -> Operand:
    """The value of ``node``."""
    value, *indices = state.in_order(scope, (node.value, *node.indices))
    if isinstance(value, Poison) or any(isinstance(i, Poison) for i in indices):
        return POISON
    return subscript(state, value, tuple(indices), node.span, tuple(item.span for item in node.indices))


def subscript(
    state: State, value: Operand, indices: tuple[Operand, ...], span: Span, spans: tuple[Span, ...] = (),
) -> Operand:
    """``value[indices]`` as a value. ``spans``: of each index, where they were written."""
    if len(indices) == 1 and isinstance(indices[0], TupleOperand):
        indices = indices[0].elements
    match value:
        case Static(value=python):
            return _static_subscript(state, python, indices, span)
        case TupleOperand(elements=elements):
            return _tuple_element(state, value, elements, indices, span)
        case Runtime(expr=expr) if isinstance(expr.type, ArrayType):
            return _array_subscript(state, value, expr, expr.type, indices, span, spans)
        case Stored() if (method := method_of(value, "__getitem__")) is not None:
            given = indices if len(indices) == 1 else (TupleOperand(indices),)
            return state.call(Static(method), (value, *given), (), span)
        case _:
            place = place_of(state, value, indices, span, spans)
            return POISON if place is None else load_or_refer(state, place, span)


def place_of(
    state: State, value: Operand, indices: tuple[Operand, ...], span: Span, spans: tuple[Span, ...] = (),
) -> tir.Place | None:
    """``value[indices]`` as a place; None (reported) where there is none."""
    if len(indices) == 1 and isinstance(indices[0], TupleOperand):
        indices = indices[0].elements
    match value:
        case Runtime(expr=expr) if isinstance(expr.type, ArrayType):
            return element_place(state, value, indices, span, spans)
        case Runtime(expr=expr) if isinstance(expr.type, PointerType) and len(indices) == 1:
            count = convert(state, indices[0], I64, span, "index with")
            if count is None:
                return None
            pointer = tir.Offset(span=state.at(span), type=expr.type, pointer=expr, count=count)
            return tir.Pointee(span=state.at(span), type=expr.type.element, pointer=pointer)
        case Stored(place=place) if isinstance(place.type, VectorType | TupleType) and len(indices) == 1:
            return _part_place(state, place, indices[0], span)
        case Poison():
            return None
        case Runtime(expr=expr) if isinstance(expr.type, ImageType):
            kind = expr.type.kind.lower()
            state.error(
                "not-subscriptable", f"{an(type_name(value))} cannot be indexed", span,
                f"this is {an(type_name(value))}",
                help=f"read a texel: `{kind}.load({kind}, {', '.join('xyz'[: expr.type.ndim])})`",
            )
            return None
        case _:
            state.error(
                "not-subscriptable", f"{an(type_name(value))} cannot be indexed", span,
                f"this is {an(type_name(value))}",
                help="arrays, tuples, vectors and pointers can; pointers, tuples and vectors by one index",
            )
            return None


def element_place(
    state: State, value: Runtime, indices: tuple[Operand, ...], span: Span, spans: tuple[Span, ...] = (),
) -> tir.Element | None:
    """One element of an array."""
    array = value.expr.type
    assert isinstance(array, ArrayType)
    if len(indices) != array.ndim:
        names = ", ".join("ijk"[: array.ndim])
        given = _count(len(indices), "index", "indices")
        state.error(
            "wrong-index-count", f"{array} has {_count(array.ndim, 'axis', 'axes')}, {given} given", span, given,
            help=f"write `{_array_text(span)}[{names}]`",
        )
        return None
    converted = _indices(state, array, indices, span, spans)
    good = tuple(item for item in converted if item is not None)
    if len(good) != len(converted) or not _owned(state, array, indices, span):
        return None
    return tir.Element(span=state.at(span), type=array.element, array=value.expr, indices=good)


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _indices(
    state: State, array: ArrayType, indices: tuple[Operand, ...], span: Span, spans: tuple[Span, ...],
) -> list[tir.Expr | None]:
    own = len(spans) == len(indices)
    where = spans if own else (span,) * len(indices)
    name = _array_text(span) or "x"
    lengths = [f"{name}.size" if array.ndim == 1 else f"{name}.shape[{axis}]" for axis in range(array.ndim)]
    items = zip(indices, array.shape, where, lengths, strict=False)
    return [_index(state, *item, own=own) for item in items]


def _array_text(span: Span) -> str:
    """The array of a subscript as it is written, or nothing where the text is something else."""
    text = source_text(span) or ""
    name = text.partition("[")[0]
    return name if name.replace(".", "").isidentifier() and text.endswith("]") else ""


def _index(
    state: State, operand: Operand, extent: int | None, span: Span, length: str, *, own: bool = False,
) -> tir.Expr | None:
    """One index as i64; a constant one is checked now.

    ``length``: how the length of the axis is written. ``own``: the span is that of the index alone.
    """
    if isinstance(operand, Poison):
        return None
    number = static_int(operand)
    if number is None:
        expr = to_expr(state, operand, span)
        if expr is None:
            return None
        if not isinstance(expr.type, ScalarType) or not expr.type.is_integer or expr.type.bits > 64:
            state.error(
                "bad-index", f"{an(type_name(operand))} is not an index", span, f"this is {type_name(operand)}",
                help=call_help(operand) or f"convert it: `i64({written_value(span) if own else '...'})`",
            )
            return None
        return expr if expr.type == I64 else tir.Convert(span=state.at(span), type=I64, value=expr)
    if number < 0:
        state.error(
            "negative-index", f"index {number} is negative", span, "negative indices do not count from the end",
            help=f"count from the length of the axis, `{length} - {-number}`",
        )
        return None
    if extent is not None and number >= extent:
        state.error(
            "index-out-of-range", f"index {number} is outside an axis of length {extent}", span,
            f"must be below {extent}",
        )
        return None
    return index(span, number)


def _owned(state: State, array: ArrayType, indices: tuple[Operand, ...], span: Span) -> bool:
    """Whether a ``DisjointOut`` is indexed by the thread's own index; true for every other array."""
    if array.access is not Access.DISJOINT_OUT:
        return True
    wanted = [(array.ndim, array.ndim - 1 - position) for position in range(array.ndim)]
    found = [operand.own if isinstance(operand, Runtime) else None for operand in indices]
    if found == wanted:
        return True
    names = {1: "i = thread.index_1d()", 2: "col, row = thread.index_2d()", 3: "x, y, z = thread.index_3d()"}
    state.error(
        "not-own-index", "a DisjointOut is indexed by the thread's own index only", span, "not this thread's own index",
        help=f"write `{names[array.ndim]}` and use it unchanged, or declare the parameter `Out[...]`",
    )
    return False


def _array_subscript(
    state: State, value: Runtime, expr: tir.Expr, array: ArrayType, indices: tuple[Operand, ...], span: Span,
    spans: tuple[Span, ...],
) -> Operand:
    if 0 < len(indices) < array.ndim and array.access is not Access.DISJOINT_OUT:
        return _row(state, expr, array, indices, span, spans)
    place = element_place(state, value, indices, span, spans)
    if place is None:
        return POISON
    if array.access in (Access.OUT, Access.DISJOINT_OUT):
        return state.error(
            "read-of-output", f"{array} is written only", span, "read here",
            help="declare the parameter `InOut[...]` to read it as well",
        )
    return load_or_refer(state, place, span)


def _row(
    state: State, expr: tir.Expr, array: ArrayType, indices: tuple[Operand, ...], span: Span, spans: tuple[Span, ...],
) -> Operand:
    """The view that is left when the leading axes are fixed."""
    converted = _indices(state, array, indices, span, spans)
    good = tuple(item for item in converted if item is not None)
    if len(good) != len(converted):
        return POISON
    row = ArrayType(array.element, array.shape[len(indices):], array.access, array.space, array.strided)
    view = state.spill(tir.SubArray(span=state.at(span), type=row, array=expr, indices=good), "row")
    note_view(state, view.local, expr)
    return Runtime(view)


def _tuple_element(
    state: State, value: Operand, elements: tuple[Operand, ...], indices: tuple[Operand, ...], span: Span,
) -> Operand:
    position = static_int(indices[0]) if len(indices) == 1 else None
    if position is not None:
        if not -len(elements) <= position < len(elements):
            return state.error("index-out-of-range", f"index {position} is outside a tuple of {len(elements)}", span)
        return elements[position]
    kind = operand_type(value)
    expr = to_expr(state, value, span) if isinstance(kind, TupleType) else None
    if expr is None:
        return state.error(
            "not-constant", "the elements of this tuple have no common type", span, help="index it with a constant",
        )
    local = state.spill(expr, "elements").local
    place = _part_place(state, tir.Variable(span=span, type=local.type, local=local), indices[0], span)
    return POISON if place is None else load_or_refer(state, place, span)


def _part_place(state: State, place: tir.Place, operand: Operand, span: Span) -> tir.Place | None:
    """Part of a vector, or element of a tuple."""
    kind = place.type
    assert isinstance(kind, VectorType | TupleType)
    types = (kind.element,) * kind.lanes if isinstance(kind, VectorType) else kind.elements
    position = static_int(operand)
    if position is not None:
        if not 0 <= position < len(types):
            state.error(
                "index-out-of-range", f"index {position} is outside {kind}", span, f"must be below {len(types)}",
            )
            return None
        return tir.Member(span=state.at(span), type=types[position], place=place, index=position)
    if len(set(types)) != 1:
        state.error(
            "not-constant", f"elements of {kind} differ in type", span, "index known only at run time",
            help="index it with a constant",
        )
        return None
    expr = _index(state, operand, None, span, f"{len(types)}")
    return None if expr is None else tir.Item(span=state.at(span), type=types[0], place=place, index=expr)


def _static_subscript(state: State, python: object, indices: tuple[Operand, ...], span: Span) -> Operand:
    """Captured tuples and arrays, and type arguments such as ``In[f32]``."""
    if isinstance(python, tuple | list | np.ndarray):
        table = cast("tuple[object, ...] | np.ndarray[Any, np.dtype[Any]]", python)  # Any: any dtype
        return constant_table(state, table, indices, span)
    values = [_annotation_argument(operand) for operand in indices]
    is_form = isinstance(python, type) or type(python).__module__ == "typing"
    getter = getattr(python, "__class_getitem__", None) or getattr(python, "__getitem__", None)
    if is_form and None not in values and callable(getter):
        given = [value for value in values if value is not None]
        return Static(getter(given[0].value if len(given) == 1 else tuple(value.value for value in given)))
    return state.error(
        "not-subscriptable", f"{an(type_name(Static(python)))} cannot be indexed in a kernel", span, "indexed here",
    )


def _annotation_argument(operand: Operand) -> Static | None:
    """What stands between the brackets of an annotation; ``[f32, i32]``, as in ``Callable``, as a list."""
    if isinstance(operand, TupleOperand):
        parts = [part for part in map(_annotation_argument, operand.elements) if part is not None]
        return Static([part.value for part in parts]) if len(parts) == len(operand.elements) else None
    return operand if isinstance(operand, Static) else None
