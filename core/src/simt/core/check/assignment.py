"""Assignments: names, elements, fields, tuples; plain and augmented."""
from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType

from simt.core.check import tir
from simt.core.check.aliases import refuse_change_of_copy, root_of
from simt.core.check.expressions import check_binary
from simt.core.check.naming import an, counted, type_name
from simt.core.check.operand import Operand, Poison, Runtime, Static, Stored
from simt.core.check.overloading import METHODS, method_of
from simt.core.check.scope import Scope
from simt.core.check.sequences import elements_of
from simt.core.check.stability import freeze, stable_place
from simt.core.check.state import State
from simt.core.check.subscripts import place_of
from simt.core.check.values import convert
from simt.core.check.variables import assign, read
from simt.core.diagnostics.nearest import offer
from simt.core.diagnostics.span import Span
from simt.core.errors import InternalCompilerError
from simt.core.frontend import hir
from simt.core.types import Access, ArrayType, ScalarType, StructType, VectorType

VECTOR_PARTS = "xyzw"


def assign_target(state: State, scope: Scope, target: hir.Target | hir.Expr, operand: Operand, value: hir.Expr) -> None:
    """``target = operand``. A tuple's elements are all evaluated before the first is assigned."""
    match target:
        case hir.LocalName(name=name):
            assign(state, scope, name, operand, target.span, value_span=value.span)
        case hir.Tuple(elements=targets):
            _unpack(state, scope, target, targets, operand, value)
        case hir.Subscript() | hir.Attribute():
            mark = len(state.block)
            place = target_place(state, scope, target)
            if place is not None:
                [kept] = state.kept_from(mark, (operand,), value.span)
                store(state, place, kept, value.span)
        case _:
            raise InternalCompilerError(f"HIR with {type(target).__name__} as the target of an assignment")


def _unpack(
    state: State, scope: Scope, target: hir.Tuple, targets: tuple[hir.Expr, ...], operand: Operand, value: hir.Expr,
) -> None:
    if isinstance(operand, Poison):
        for part in targets:
            assign_target(state, scope, part, operand, value)
        return
    elements = elements_of(operand, value.span)
    if elements is None or len(elements) != len(targets):
        given = f"{an(type_name(operand))}" if elements is None else f"{len(elements)} values"
        state.error(
            "unpacking", f"cannot unpack {given} into {len(targets)} names", target.span, f"{len(targets)} names",
            help=_unpacking_help(operand, elements),
        )
        for part in targets:
            assign_target(state, scope, part, Poison(), value)
        return
    kept = [_kept(state, element, value.span) for element in elements]
    written = value.elements if isinstance(value, hir.Tuple) and len(value.elements) == len(targets) \
        else (value,) * len(targets)
    for part, element, source in zip(targets, kept, written, strict=True):
        assign_target(state, scope, part, element, source)


def _unpacking_help(operand: Operand, elements: Sequence[Operand] | None) -> str:
    if elements is not None:
        return f"write {counted(len(elements), 'name')}"
    kind = operand.place.type if isinstance(operand, Stored) else None
    if isinstance(kind, VectorType | StructType):
        parts = _fields(operand)
        return f"take its parts by name: {', '.join(f'`.{part}`' for part in parts)}"
    return "only tuples can be unpacked"


def _kept(state: State, operand: Operand, span: Span) -> Operand:
    """The element's present value, safe from the assignments to come."""
    if isinstance(operand, Stored):
        value = state.spill(tir.Load(span=span, type=operand.place.type, place=operand.place))
        return Stored(tir.Variable(span=span, type=value.type, local=value.local))
    return freeze(state, operand, span)


def target_place(state: State, scope: Scope, target: hir.Subscript | hir.Attribute) -> tir.Place | None:
    """Where an element or field is stored; None (reported) where nothing can be."""
    if isinstance(target, hir.Subscript):
        value, *indices = state.in_order(scope, (target.value, *target.indices))
        place = place_of(state, value, tuple(indices), target.span, tuple(item.span for item in target.indices))
    else:
        place = _field_place(state, state.expression(scope, target.value), target)
    return place if place is not None and _is_writable(state, place, target.span) else None


def _field_place(state: State, value: Operand, target: hir.Attribute) -> tir.Place | None:
    if isinstance(value, Poison):
        return None
    if isinstance(value, Stored):
        kind = value.place.type
        if isinstance(kind, StructType) and (position := kind.index_of(target.name)) is not None:
            return tir.Member(
                span=state.at(target.span), type=kind.fields[position].type, place=value.place, index=position,
            )
        if isinstance(kind, VectorType) and target.name in VECTOR_PARTS[: kind.lanes]:
            return tir.Member(
                span=state.at(target.span), type=kind.element, place=value.place, index=VECTOR_PARTS.index(target.name),
            )
    state.error(
        "unknown-attribute", f"{type_name(value)} has no field `{target.name}`", target.span, "assigned here",
        help=offer(target.name, _fields(value)),
    )
    return None


def _fields(value: Operand) -> list[str]:
    kind = value.place.type if isinstance(value, Stored) else None
    if isinstance(kind, StructType):
        return [field.name for field in kind.fields]
    return list(VECTOR_PARTS[: kind.lanes]) if isinstance(kind, VectorType) else []


def _is_writable(state: State, place: tir.Place, span: Span) -> bool:
    """Whether the memory may be written, and no second name would see the change."""
    root = root_of(place)
    if isinstance(root, tir.Element):
        array = root.array.type
        assert isinstance(array, ArrayType)
        if not array.access.writable:
            state.error(
                "read-only-array", f"{array} is read-only", span, "written here",
                help="declare the parameter `Out[...]` or `InOut[...]`" if array.access is Access.IN else None,
            )
            return False
    if refuse_change_of_copy(state, place, span):
        return False
    return True


def store(state: State, place: tir.Place, operand: Operand, span: Span) -> None:
    """Store a converted value."""
    value = convert(state, operand, place.type, span, "store")
    if value is not None:
        state.emit(tir.Store(span=state.at(span), place=place, value=value))


def augmented_assign(state: State, scope: Scope, node: hir.AugmentedAssign) -> None:
    """``target op= value``: the target's parts are evaluated once, before the value."""
    target = node.target
    if isinstance(target, hir.LocalName):
        before = read(state, scope, target.name, target.span)
        if (method := method_of(before, f"__i{METHODS[node.op]}__")) is not None:
            _assign_in_place(state, scope, node, target, before, method)
            return
        result = _combined(state, scope, node, before)
        assign(state, scope, target.name, result, node.span)
        return
    if not isinstance(target, hir.Subscript | hir.Attribute):
        raise InternalCompilerError(f"HIR with {type(target).__name__} as the target of an augmented assignment")
    place = target_place(state, scope, target)
    if place is None:
        state.expression(scope, node.value)
        return
    place = stable_place(state, place)
    if isinstance(place, tir.Element) and isinstance(place.array.type, ArrayType) \
            and place.array.type.access in (Access.OUT, Access.DISJOINT_OUT):
        state.error(
            "read-of-output", f"{place.array.type} is written only", target.span, "read and written here",
            help="declare the parameter `InOut[...]` to read it as well",
        )
        return
    before = Runtime(tir.Load(span=state.at(target.span), type=place.type, place=place)) \
        if isinstance(place.type, ScalarType) else Stored(place)
    store(state, place, _combined(state, scope, node, before), node.span)


def _assign_in_place(
    state: State, scope: Scope, node: hir.AugmentedAssign, target: hir.LocalName, before: Operand, method: FunctionType,
) -> None:
    """``name op= value`` of a struct with the method for it, which most often returns the struct itself."""
    value = state.expression(scope, node.value)
    result = state.call(Static(method), (before, value), (), node.span)
    same = isinstance(result, Stored) and isinstance(before, Stored) and result.place == before.place
    if not same:
        assign(state, scope, target.name, result, node.span)


def _combined(state: State, scope: Scope, node: hir.AugmentedAssign, before: Operand) -> Operand:
    mark = len(state.block)
    value = state.expression(scope, node.value)
    [kept] = state.kept_from(mark, (before,), node.span)
    return check_binary(state, node.op, kept, value, node.span)
