"""Python's builtins that kernels may call: ``range``, ``len``, ``min``, ``max``, ``abs``, ``divmod``, ``print`` ..."""
from __future__ import annotations

import builtins
import typing
from collections.abc import Callable, Sequence
from typing import Any, cast

from simt.core.check import tir
from simt.core.check.argument import Argument, arguments_of
from simt.core.check.arithmetic import fold, meet, widen
from simt.core.check.binding import Keywords
from simt.core.check.naming import an, type_name, weak_value
from simt.core.check.operand import (
    POISON,
    Operand,
    Poison,
    RangeOperand,
    Runtime,
    Static,
    TupleOperand,
)
from simt.core.check.operators import operate
from simt.core.check.overloading import method_of
from simt.core.check.sequences import (
    check_enumerate,
    check_len,
    check_reversed,
    check_sum,
    check_zip,
    elements_of,
    takes_positional,
)
from simt.core.check.state import State
from simt.core.check.values import const, literal, to_expr
from simt.core.check.written import written_value
from simt.core.diagnostics.diagnostic import Diagnostic, Label, Severity
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.intrinsics.declare import REGISTRY
from simt.core.types import Kind, ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import BOOL, BY_NAME, I32, I64

HYPOT = "cuda_std.math.hypot"
Handler = Callable[[State, tuple[Operand, ...], Keywords, Span], Operand]


def check_range(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    """``range(stop)``, ``range(start, stop)``, ``range(start, stop, step)``: the bounds meet in one integer type."""
    if not takes_positional(state, "range", arguments, keywords, 1, 3, span):
        return POISON
    given = arguments if len(arguments) > 1 else (Static(0), *arguments)
    bounds = (*given, Static(1))[:3]
    names = ("stop",) if len(arguments) == 1 else ("start", "stop", "step")[: len(arguments)]
    written = arguments_of(state.written.get(span), "range", names, len(arguments), span)
    common = _range_type(state, bounds, [written.get(name) for name in ("start", "stop", "step")], span)
    if common is None:
        return POISON
    parts: list[tir.Expr] = []
    for bound in bounds:
        number = weak_value(bound)
        part = literal(state, number, common, span) if number is not None else to_expr(state, bound, span)
        if part is None:
            return POISON
        parts.append(widen(part, common))
    if isinstance(parts[2], tir.Const) and parts[2].value == 0:
        return state.error("constant-evaluation", "range() with a step of zero never ends", span, "step is 0")
    own = bounds[0].own if isinstance(bounds[0], Runtime) else None
    return RangeOperand(parts[0], parts[1], parts[2], own)


def _range_type(
    state: State, bounds: tuple[Operand, ...], written: Sequence[Argument | None], span: Span,
) -> ScalarType | None:
    common: ScalarType | None = None
    for bound, argument in zip(bounds, written, strict=True):
        number = weak_value(bound)
        kind = None if number is None else I32
        if number is None:
            expr = to_expr(state, bound, span if argument is None else argument.span)
            if expr is None:
                return None
            kind = expr.type
        if not isinstance(kind, ScalarType) or not kind.is_integer or isinstance(number, float | bool | complex):
            state.error(
                "range-bound", "range() needs integers", span if argument is None else argument.span,
                f"this is {an(type_name(bound))}",
                help=f"convert it: `{'i32(...)' if argument is None else argument.within('i32')}`",
            )
            return None
        if number is None:
            common = kind if common is None else arithmetic_type(common, kind)
            if common is None:
                state.error(
                    "mixed-operands", "the bounds of range() have no common type",
                    span if argument is None else argument.span, f"this is {kind}",
                    help=f"convert it: `{'i64(...)' if argument is None else argument.within('i64')}`",
                )
                return None
    if common is not None:
        return common
    return I32 if all(I32.minimum <= cast("int", weak_value(bound)) <= I32.maximum for bound in bounds) else I64


def _extreme(op: tir.BinaryOp, function: Callable[..., Any]) -> Handler:  # Any: Python's min and max
    def handle(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
        items = elements_of(arguments[0], span) if len(arguments) == 1 and not keywords else arguments
        if items is None or not items or keywords:
            return state.error(
                "wrong-arguments", f"`{op}` takes two or more numbers", span, "in this call",
                help=f"write `{op}(a, b)`; over an array, in a loop: `best = {op}(best, x[i])`",
            )
        result = items[0]
        for item in items[1:]:
            left, right = weak_value(result), weak_value(item)
            if left is not None and right is not None:
                result = fold(state, function, (left, right), span)
                continue
            met = meet(state, result, item, span, str(op))
            if met is None:
                return POISON
            if met[2].is_complex:
                return state.error("unsupported-operator", f"{met[2]} values have no order", span)
            weak = all(weak_value(x) is not None or isinstance(x, Runtime) and x.weak for x in (result, item))
            result = Runtime(tir.Binary(span=state.at(span), type=met[2], op=op, lhs=met[0], rhs=met[1]), weak=weak)
        return result

    return handle


def check_abs(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    """``abs``: wraps for the most negative integer; the magnitude of a complex number."""
    if not takes_positional(state, "abs", arguments, keywords, 1, 1, span):
        return POISON
    number = weak_value(arguments[0])
    if number is not None:
        return Static(abs(number))
    if (method := method_of(arguments[0], "__abs__")) is not None:
        return state.call(Static(method), arguments, (), span)
    expr = to_expr(state, arguments[0], span)
    if expr is None:
        return POISON
    if not isinstance(expr.type, ScalarType) or expr.type.kind is Kind.BOOL:
        return state.error("type-mismatch", f"`abs` takes a number, not {expr.type}", span, f"this is {expr.type}")
    if expr.type.kind is Kind.UNSIGNED:
        return Runtime(expr)
    if expr.type.is_complex:
        return _magnitude(state, expr, expr.type, span)
    if expr.type.is_float:
        return Runtime(_without_sign(state, expr, expr.type, span))
    value = state.spill(expr, "value")
    zero = const(span, 0, expr.type)
    negative = tir.Compare(span=span, type=BOOL, op=tir.CompareOp.LT, lhs=value, rhs=zero)
    negated = tir.Unary(span=span, type=expr.type, op=tir.UnaryOp.NEGATE, operand=value)
    return Runtime(tir.Conditional(span=state.at(span), type=expr.type, condition=negative, then=negated, orelse=value))


def _without_sign(state: State, expr: tir.Expr, scalar: ScalarType, span: Span) -> tir.Expr:
    """The float with its sign bit cleared, which also makes 0.0 of -0.0."""
    bits = BY_NAME[f"u{scalar.bits}"]
    pattern = tir.Bitcast(span=span, type=bits, value=expr)
    mask = const(span, bits.maximum >> 1, bits)
    cleared = tir.Binary(span=span, type=bits, op=tir.BinaryOp.AND, lhs=pattern, rhs=mask)
    return tir.Bitcast(span=state.at(span), type=scalar, value=cleared)


def _magnitude(state: State, expr: tir.Expr, scalar: ScalarType, span: Span) -> Operand:
    if HYPOT not in REGISTRY:
        return state.error(
            "unsupported-operator", "`abs` of a complex number is a function of simt.cuda_std", span, "called here",
            help="import simt.cuda_std.math",
        )
    value = state.spill(expr, "z")
    parts = (tir.Extract(span=span, type=scalar.component, value=value, index=index) for index in (0, 1))
    return state.call(Static(REGISTRY[HYPOT]), tuple(map(Runtime, parts)), (), span)


def check_divmod(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    if not takes_positional(state, "divmod", arguments, keywords, 2, 2, span):
        return POISON
    quotient = operate(state, hir.BinaryOp.FLOOR_DIV, arguments[0], arguments[1], span)
    remainder = operate(state, hir.BinaryOp.MOD, arguments[0], arguments[1], span)
    return POISON if isinstance(quotient, Poison) or isinstance(remainder, Poison) else TupleOperand(
        (quotient, remainder),
    )


def _ambiguous(name: str, offers: str) -> Handler:
    def handle(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
        number = weak_value(arguments[0]) if len(arguments) == 1 and not keywords else None
        if number is not None:
            return fold(state, getattr(builtins, name), (number,), span)
        written = arguments_of(state.written.get(span), name, ("x",), len(arguments), span)["x"]
        shown = offers.replace("(x)", f"({written_value(written.span)})") if written.written else offers
        return state.error(
            "ambiguous-conversion", f"`{name}(...)` does not say how wide", span, "in this call", help=f"write {shown}",
        )

    return handle


def check_reveal_type(state: State, arguments: tuple[Operand, ...], keywords: Keywords, span: Span) -> Operand:
    """Shows the type of its argument as a note, as type checkers do."""
    if not takes_positional(state, "reveal_type", arguments, keywords, 1, 1, span):
        return POISON
    state.add(Diagnostic(
        code="revealed-type", message=f"the type is {type_name(arguments[0])}", severity=Severity.WARNING,
        primary=Label(span=state.at(span), text=type_name(arguments[0])),
    ))
    return arguments[0]



BUILTINS: dict[object, Handler] = {
    builtins.range: check_range,
    builtins.len: check_len,
    builtins.min: _extreme(tir.BinaryOp.MIN, min),
    builtins.max: _extreme(tir.BinaryOp.MAX, max),
    builtins.abs: check_abs,
    builtins.divmod: check_divmod,
    builtins.int: _ambiguous("int", "`i32(x)`, `i64(x)` or another integer type"),
    builtins.float: _ambiguous("float", "`f32(x)` or `f64(x)`"),
    builtins.complex: _ambiguous("complex", "`c64(re, im)` or `c128(re, im)`"),
    builtins.round: _ambiguous("round", "`math.rint(x)` with `from simt.cuda_std import math`"),
    builtins.enumerate: check_enumerate,
    builtins.zip: check_zip,
    builtins.reversed: check_reversed,
    builtins.sum: check_sum,
    typing.reveal_type: check_reveal_type,
}
