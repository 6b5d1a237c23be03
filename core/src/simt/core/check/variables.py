"""Names: reading them, binding them, and finding the one type of a local that is assigned in several places."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.aliases import adopt, note_copy, note_view
from simt.core.check.naming import an, type_name, weak_value
from simt.core.check.operand import (
    ArrayMember,
    Closure,
    Method,
    Operand,
    Poison,
    RangeOperand,
    Runtime,
    Static,
    Stored,
    TupleOperand,
)
from simt.core.check.scope import Scope
from simt.core.check.stability import freeze
from simt.core.check.state import State
from simt.core.check.values import convert, default_type, to_expr
from simt.core.diagnostics.span import Span
from simt.core.types import ArrayType, Kind, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.conversion import arithmetic_type, is_lossless

RESULT = "return"
"""Under this name a plan keeps the type of a function's result: no local is called so."""


def read(state: State, scope: Scope, name: str, span: Span) -> Operand:
    """The present operand of a local."""
    if name not in scope.definite:
        if isinstance(scope.bindings.get(name), Poison):
            return Poison()
        if name in scope.bindings or name in scope.storage:
            return state.error(
                "possibly-unbound", f"`{name}` may have no value here", span, "read here",
                help=f"assign `{name}` before the branch or loop that sets it",
            )
        return state.error(
            "possibly-unbound", f"`{name}` is read before it is assigned", span, "no value yet",
            help=f"assign `{name}` on every path that leads here",
        )
    if name in scope.mixed and name not in scope.plan.stored:
        scope.plan.stored.add(name)
        scope.plan.changed = True
    if name in scope.bindings:
        return scope.bindings[name]
    local = scope.storage[name]
    return local_operand(local, span, weak=name in scope.plan.weak and not scope.plan.settled)


def local_operand(local: tir.Local, span: Span, *, weak: bool = False) -> Operand:
    """A local's value; structs, tuples and vectors by reference."""
    if isinstance(local.type, StructType | TupleType | VectorType):
        return Stored(tir.Variable(span=span, type=local.type, local=local))
    return Runtime(tir.Ref(span=span, type=local.type, local=local), weak=weak)


def assign(
    state: State, scope: Scope, name: str, operand: Operand, span: Span, *, value_span: Span | None = None,
) -> None:
    """``name = operand``. ``value_span``: where the operand is written, for messages about its conversion."""
    if isinstance(operand, Poison):
        scope.bind(name, operand)
    elif isinstance(scope.bindings.get(name), Poison):
        scope.definite.add(name)
    elif name in scope.declared:
        value = convert(state, operand, scope.declared[name], value_span or span, "store")
        _store(state, scope, name, value, span)
    elif scope.has_one_value(name):
        scope.bind(name, bind_once(state, name, operand, span))
    elif isinstance(operand, Static | Closure | Method | RangeOperand | ArrayMember) and weak_value(operand) is None \
            and not _is_static_tuple(operand):
        state.error(
            "compile-time-name", f"`{name}` is {an(type_name(operand))} and is assigned in more than one place", span,
            "assigned again", help="functions, types and other compile-time objects keep one name each",
        )
        scope.bind(name, Poison())
    else:
        _assign_inferred(state, scope, name, operand, span, value_span or span)


def _is_static_tuple(operand: Operand) -> bool:
    return isinstance(operand, Static) and isinstance(operand.value, tuple)


def bind_once(state: State, name: str, operand: Operand, span: Span) -> Operand:
    """The operand that a name assigned in one place stands for."""
    match operand:
        case Runtime(expr=expr, weak=weak, own=own):
            local = state.fresh(name, expr.type)
            state.emit(tir.Assign(span=state.at(span), local=local, value=expr))
            if isinstance(expr.type, ArrayType):
                note_view(state, local, expr)
            return Runtime(tir.Ref(span=span, type=expr.type, local=local), weak=weak, own=own)
        case Stored(place=place):
            return _copy_of_struct(state, name, place, span)
        case TupleOperand(elements=elements):
            return TupleOperand(tuple(bind_once(state, name, element, span) for element in elements))
        case RangeOperand():
            return freeze(state, operand, span)
        case _:
            return operand


def _copy_of_struct(state: State, name: str, place: tir.Place, span: Span) -> Operand:
    """A name for a struct, vector or tuple: a copy, unless the value has no name yet."""
    adopted = adopt(state, place)
    if adopted is not None:
        return adopted
    local = state.fresh(name, place.type)
    state.emit(tir.Assign(span=state.at(span), local=local, value=tir.Load(span=span, type=place.type, place=place)))
    note_copy(state, local, place, span)
    return Stored(tir.Variable(span=span, type=place.type, local=local))


def _assign_inferred(
    state: State, scope: Scope, name: str, operand: Operand, span: Span, value_span: Span,
) -> None:
    found = scope.plan.types.get(name)
    number = weak_value(operand)
    weak = number is not None or (isinstance(operand, Runtime) and operand.weak)
    if number is not None:
        incoming: Type | None = default_type(number)
    else:
        expr = to_expr(state, operand, span)
        incoming = None if expr is None else expr.type
    wanted = None if incoming is None else join(state, scope, name, found, incoming, weak, span)
    if wanted is None:
        scope.bind(name, Poison())
        return
    if wanted != found:
        scope.plan.types[name] = wanted
        scope.plan.changed = scope.plan.changed or found is not None
        scope.storage.pop(name, None)
    local = _store(state, scope, name, convert(state, operand, wanted, value_span, "store"), span)
    if local is not None and isinstance(operand, Stored):
        note_copy(state, local, operand.place, span)


def join(
    state: State, scope: Scope, name: str, found: Type | None, incoming: Type, weak: bool, span: Span,
) -> Type | None:
    """The type of a local, given its type so far and that of one more value. The name ``return`` is the result's."""
    plan = scope.plan
    if found is None:
        if weak:
            plan.weak.add(name)
        return incoming
    if name in plan.weak and not plan.settled:
        if not weak:
            plan.weak.discard(name)
            plan.changed = True
        return _weak_join(state, scope, name, found, incoming, weak, span)
    if weak or found == incoming:
        return found  # a literal takes the type there is; whether it fits, its conversion says
    joined = wider(found, incoming)
    if joined is None:
        fix = "use two names"
        if isinstance(found, ScalarType):
            fix += f", or convert: `{name} = {found}(...)`"
        state.error(
            "conflicting-types", f"{_subject(scope, name)} is {found} in one place and {incoming} in another", span,
            f"{incoming} here", help=f"convert it, or annotate the function `-> {found}`" if name == RESULT else fix,
        )
    return joined


def _subject(scope: Scope, name: str) -> str:
    return f"the result of `{scope.function.name}`" if name == RESULT else f"`{name}`"


def _weak_join(
    state: State, scope: Scope, name: str, met: Type, incoming: Type, weak: bool, span: Span,
) -> Type | None:
    """The type of a local that has met only literals, of type ``met`` by default, given one more value."""
    order = (Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT, Kind.COMPLEX)
    if met == incoming:
        return met
    if isinstance(met, ScalarType) and isinstance(incoming, ScalarType) and Kind.BOOL not in (met.kind, incoming.kind):
        if met.is_integer and incoming.is_integer:
            return wider(met, incoming) or met if weak else incoming
        if order.index(met.kind) <= order.index(incoming.kind):
            return incoming
        if weak:
            return met
    kind = "an int" if isinstance(met, ScalarType) and met.is_integer else f"a {met}"
    state.error(
        "conflicting-types", f"{_subject(scope, name)} starts as {kind} literal and becomes {incoming}", span,
        f"{incoming} here", help=f"convert to {met} here, or start with {an(str(incoming))}",
    )
    return None


def wider(a: Type, b: Type) -> Type | None:
    """The smallest type that holds every value of both, without changing the kind of number."""
    if a == b:
        return a
    if isinstance(a, ScalarType) and isinstance(b, ScalarType):
        if (a.kind is Kind.BOOL) != (b.kind is Kind.BOOL) or a.is_float != b.is_float or a.is_complex != b.is_complex:
            return None
        joined = arithmetic_type(a, b)
        return joined if joined and is_lossless(a, joined) and is_lossless(b, joined) else None
    if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.elements) == len(b.elements):
        parts = [wider(x, y) for x, y in zip(a.elements, b.elements, strict=True)]
        return None if None in parts else TupleType(tuple(part for part in parts if part is not None))
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        return a if (a.element, a.shape, a.space, a.strided) == (b.element, b.shape, b.space, b.strided) \
            and not a.access.writable else None
    return None


def _store(state: State, scope: Scope, name: str, value: tir.Expr | None, span: Span) -> tir.Local | None:
    if value is None:
        scope.bind(name, Poison())
        return None
    scope.definite.add(name)
    local = scope.storage.get(name)
    if local is None or local.type != value.type:
        local = state.fresh(name, value.type)
        state.mutable.add(local)
        scope.storage[name] = local
    state.emit(tir.Assign(span=state.at(span), local=local, value=value))
    return local


def settle(scope: Scope) -> bool:
    """After an attempt: whether another is needed. Names that met only literals get their default type for good."""
    plan = scope.plan
    if plan.changed:
        plan.changed = False
        return True
    if plan.weak and not plan.settled:
        plan.settled = True
        return True
    return False
