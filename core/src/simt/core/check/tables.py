"""Tables: captured tuples and NumPy arrays indexed in a kernel. Read-only; they become constant memory."""
from __future__ import annotations

from typing import Any, cast

import numpy as np

from simt.core.check import tir
from simt.core.check.host_values import host_constant, scalar_type_of_dtype
from simt.core.check.naming import Number, static_int, weak_value
from simt.core.check.operand import POISON, Operand, Runtime, Static
from simt.core.check.state import State
from simt.core.check.values import default_type
from simt.core.diagnostics.span import Span
from simt.core.types import Access, AddressSpace, ArrayType, ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import BF16

MAX_CONSTANT_BYTES = 64 * 1024
Table = tuple[object, ...] | list[object] | np.ndarray[Any, np.dtype[Any]]  # Any: any dtype


def constant_table(state: State, table: Table, indices: tuple[Operand, ...], span: Span) -> Operand:
    """``table[indices]``: an element now where the indices are known, else a load from constant memory."""
    positions = [static_int(operand) for operand in indices]
    if None not in positions:
        return _element(state, table, cast("list[int]", positions), span)
    array = as_array(state, table, span)
    if array is None:
        return POISON
    return state.subscript(array, indices, span)


def _element(state: State, table: Table, positions: list[int], span: Span) -> Operand:
    value: object = table
    for position in positions:
        try:
            value = cast("Any", value)[position]  # Any: tuple, list or array
        except (IndexError, TypeError) as error:
            return state.error("index-out-of-range", f"{error}", span, f"index {position}")
    constant = host_constant(value, span)
    return Static(value) if constant is None else Runtime(constant)


def as_array(state: State, table: Table, span: Span) -> Runtime | None:
    """The table in constant memory; made once a kernel."""
    known = state.tables.get(id(table))
    if known is not None:
        return Runtime(tir.Ref(span=span, type=known[1].type, local=known[1]))
    found = _contents(state, table, span)
    if found is None:
        return None
    element, values = found
    if values.nbytes > MAX_CONSTANT_BYTES:
        state.error(
            "too-much-constant-memory", f"this table takes {values.nbytes} bytes, at most {MAX_CONSTANT_BYTES} fit",
            span,
            "indexed here", help="pass it as an `In[...]` argument",
        )
        return None
    kind = ArrayType(element, values.shape, Access.IN, AddressSpace.CONSTANT)
    local = state.fresh("table", kind)
    state.tables[id(table)] = table, local  # the table is kept, so that its id stays its own
    state.allocations.append(
        tir.Allocation(span=state.at(span), local=local, alignment=16, data=np.ascontiguousarray(values).tobytes()),
    )
    return Runtime(tir.Ref(span=span, type=kind, local=local))


def _contents(state: State, table: Table, span: Span) -> tuple[ScalarType, np.ndarray[Any, np.dtype[Any]]] | None:
    if isinstance(table, np.ndarray):
        element = scalar_type_of_dtype(table.dtype)
        if element is not None and 1 <= table.ndim <= 3 and table.size:
            return element, table
        state.error(
            "bad-table", f"an array of {table.dtype} with {table.ndim} axes cannot be captured", span, "indexed here",
        )
        return None
    element = _common_type(list(table))
    if element is None or element == BF16:
        state.error(
            "bad-table", "the elements of this tuple have no common number type", span, "indexed by a run-time value",
            help="use numbers of one kind, or index it with a constant",
        )
        return None
    dtype = np.dtype({"bool": np.bool_}.get(element.name, _dtype_name(element)))
    return element, np.array([_number(item) for item in table], dtype)


def _dtype_name(element: ScalarType) -> str:
    return {"i": "int", "u": "uint", "f": "float", "c": "complex"}[element.name[0]] + str(element.bits)


def _number(item: object) -> Number:
    constant = host_constant(item, NO_SPAN)
    return constant.value if constant is not None else cast("Number", item)


def _common_type(items: list[object]) -> ScalarType | None:
    common: ScalarType | None = None
    for item in items:
        constant = host_constant(item, NO_SPAN)
        number = weak_value(Static(item))
        kind = constant.type if constant is not None else None if number is None else default_type(number)
        if not isinstance(kind, ScalarType):
            return None
        common = kind if common is None else arithmetic_type(common, kind)
        if common is None:
            return None
    return common


NO_SPAN = Span(filename="", line=1, col=0, end_line=1, end_col=0)
