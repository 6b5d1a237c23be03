"""Calls of intrinsics: choose the overload, then an expression, an effect or a collective."""
from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, TypeVar, cast

from simt.core.architecture import Architecture
from simt.core.check import tir
from simt.core.check.argument import Argument, arguments_of
from simt.core.check.binding import Keywords, adapt
from simt.core.check.naming import counted, weak_value
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static
from simt.core.check.resolve import resolve_annotation
from simt.core.check.state import State
from simt.core.check.values import convert, operand_type, to_expr
from simt.core.check.variables import local_operand
from simt.core.diagnostics.span import Span
from simt.core.intrinsics.declare import Behavior, Intrinsic
from simt.core.intrinsics.recipe import Body, PerLane, SpecialRegister
from simt.core.target import Cpu, Gpu
from simt.core.types import Access, AddressSpace, ArrayType, ScalarType, Type
from simt.core.types.scalar import BOOL, I32, U32

AnyIntrinsic = Intrinsic[Any, Any]  # Any: intrinsics of every signature


def call_intrinsic(
    state: State, callee: AnyIntrinsic, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """The operand of one call; effects and collectives become statements."""
    given = _bind(state, callee, arguments, keywords, span)
    if given is None or not _available(state, callee, span):
        return POISON
    if isinstance(_recipe(state, callee), Body):
        return state.call(Static(callee.reference), tuple(given), (), span)
    folded = _fold(state, callee, given, span)
    if folded is not None:
        return folded
    bound: dict[str, Type] = {}
    names = [parameter.name for parameter in callee.parameters]
    written = arguments_of(state.written.get(span), _short(callee), names, len(arguments), span)
    expressions = _typed_arguments(state, callee, given, bound, list(written.values()))
    if expressions is None:
        return POISON
    result = _result_type(state, callee, bound, span)
    return _emit(state, callee, expressions, result, span)


def _recipe(state: State, callee: AnyIntrinsic) -> object:
    return callee.cpu if isinstance(state.target, Cpu) else callee.gpu


def _short(callee: AnyIntrinsic) -> str:
    return callee.name.removeprefix("cuda_std.")


def _bind(
    state: State, callee: AnyIntrinsic, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> list[Operand] | None:
    names = [parameter.name for parameter in callee.parameters]
    signature = f"{_short(callee)}({', '.join(names)})"
    given = dict(zip(names, arguments, strict=False))
    wrong = None
    if len(arguments) > len(names):
        wrong = f"takes {counted(len(names), 'argument')}, {len(arguments)} given"
    for name, operand in keywords:
        if name not in names or name in given:
            wrong = f"has no parameter `{name}`" if name not in names else f"is given `{name}` twice"
        given[name] = operand
    for parameter in callee.parameters:
        if parameter.name not in given:
            if parameter.default is inspect.Parameter.empty:
                wrong = wrong or f"needs `{parameter.name}`"
            given[parameter.name] = Static(parameter.default)
    if wrong is not None:
        state.error(
            "wrong-arguments", f"`{_short(callee)}` {wrong}", span, "in this call",
            help=f"its signature is `{signature}`",
        )
        return None
    return [given[name] for name in names]


def _available(state: State, callee: AnyIntrinsic, span: Span) -> bool:
    if not isinstance(state.target, Gpu):
        return True
    needed = Architecture(callee.since.number, callee.since.suffix)
    if state.target.architecture.has(needed):
        return True
    state.error(
        "needs-newer-architecture", f"`{_short(callee)}` needs {needed.sm}, compiling for {state.target}", span,
        f"needs {needed.sm}", help=f'guard it: `if cfg.has("{needed.compute}"): ...`, or compile for {needed.sm}',
    )
    return False


def _fold(state: State, callee: AnyIntrinsic, given: list[Operand], span: Span) -> Operand | None:
    """A pure function of literals keeps being a literal, at full precision."""
    if callee.behavior is not Behavior.PURE or not given or isinstance(callee.gpu, SpecialRegister):
        return None
    if not any(isinstance(parameter.annotation, TypeVar) for parameter in callee.parameters):
        return None
    numbers = [weak_value(operand) for operand in given]
    if any(number is None for number in numbers):
        return None
    try:
        value = cast("object", callee.reference(*numbers))
    except (ArithmeticError, ValueError) as error:
        return state.error(
            "constant-evaluation", f"evaluating `{_short(callee)}` at compile time fails: {error}", span, str(error),
        )
    except TypeError:
        return None
    return Static(value) if isinstance(value, bool | int | float | complex) else None


def _typed_arguments(
    state: State, callee: AnyIntrinsic, given: list[Operand], bound: dict[str, Type], written: list[Argument],
) -> list[tir.Expr] | None:
    order = sorted(range(len(given)), key=lambda i: weak_value(given[i]) is not None)
    adapted: dict[int, Operand] = {}
    for i in order:
        adapted[i] = adapt(state, callee.parameters[i].annotation, given[i], bound, written[i])
        if isinstance(adapted[i], Poison):
            return None
    expressions: list[tir.Expr] = []
    for i in range(len(given)):
        operand, argument = adapted[i], written[i]
        target = resolve_annotation(state, callee.parameters[i].annotation, bound, argument.call, quiet=True)
        expr = to_expr(state, operand, argument.span) if target is None or operand_type(operand) is not None \
            else convert(state, operand, target, argument.span, "pass", argument=argument)
        if expr is None:
            return None
        expressions.append(expr)
    return expressions


def _result_type(state: State, callee: AnyIntrinsic, bound: dict[str, Type], span: Span) -> Type | None:
    if callee.result is None or callee.result is type(None):
        return None
    return resolve_annotation(state, callee.result, bound, span)


def _emit(
    state: State, callee: AnyIntrinsic, arguments: list[tir.Expr], result: Type | None, span: Span,
) -> Operand:
    where = state.at(span)
    name = callee.name.rpartition(".")[2]
    if callee.behavior is Behavior.PURE and result is not None:
        call = tir.Call(span=where, type=result, callee=callee, arguments=tuple(arguments))
        if isinstance(result, ScalarType):
            return Runtime(call)
        return local_operand(state.spill(call, name).local, span)
    target = None if result is None else state.fresh(name, result)
    if callee.behavior in (Behavior.WARP, Behavior.BLOCK):
        scope = tir.Scope(callee.behavior.value)
        meaning = _meaning(state, callee, arguments, scope, result, span) if isinstance(state.target, Cpu) else None
        state.emit(tir.Collective(
            span=where, target=target, callee=callee, arguments=tuple(arguments), scope=scope, meaning=meaning,
        ))
    else:
        state.emit(tir.Effect(span=where, target=target, callee=callee, arguments=tuple(arguments)))
    return Static(None) if target is None else local_operand(target, span)


def _meaning(
    state: State, callee: AnyIntrinsic, arguments: list[tir.Expr], scope: tir.Scope, result: Type | None, span: Span,
) -> tir.Meaning | None:
    """Compile what the collective computes in each thread."""
    if not isinstance(callee.cpu, PerLane):
        return None
    values = arguments[:-1] if scope is tir.Scope.WARP else arguments
    lane = state.fresh("lane", I32)
    lanes = [state.fresh("lanes", lanes_of(value.type)) for value in values]
    members = state.fresh("members", U32 if scope is tir.Scope.WARP else lanes_of(BOOL))
    operands: list[Operand] = [
        Runtime(tir.Ref(span=span, type=local.type, local=local)) for local in (lane, members, *lanes)
    ]
    with state.new_block() as body:
        value = state.call(Static(cast("FunctionType", callee.cpu.fn)), tuple(operands), (), span)
        target = None
        if result is not None and not isinstance(value, Poison):
            expr = convert(state, value, result, span, "return")
            target = state.fresh("outcome", result)
            if expr is not None:
                state.emit(tir.Assign(span=state.at(span), local=target, value=expr))
    return tir.Meaning(lane=lane, members=members, arguments=tuple(lanes), body=tuple(body), result=target)


def lanes_of(element: Type) -> ArrayType:
    """The view over one value of each thread of a scope."""
    return ArrayType(element, (None,), Access.IN, AddressSpace.GENERIC)
