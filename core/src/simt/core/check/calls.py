"""Calls: what the callee is decides. Functions are expanded in place, intrinsics become nodes, types convert."""
from __future__ import annotations

import inspect
import math as python_math
from types import BuiltinFunctionType, FunctionType
from typing import cast

from simt.core.architecture import parse_architecture
from simt.core.check import tir
from simt.core.check.binding import Keywords
from simt.core.check.builtins import BUILTINS
from simt.core.check.construct import construct_struct, construct_vector, convert_explicitly, copy_struct
from simt.core.check.forms import FORMS
from simt.core.check.host_values import scalar_type_of_class
from simt.core.check.inline import call_closure, call_function
from simt.core.check.intrinsics import AnyIntrinsic, call_intrinsic
from simt.core.check.naming import an, type_name, weak_value
from simt.core.check.operand import POISON, ArrayMember, Closure, Method, Operand, Poison, Runtime, Static, Stored
from simt.core.check.overloading import method_of
from simt.core.check.scope import Scope
from simt.core.check.state import State, is_of_library
from simt.core.diagnostics.span import Span
from simt.core.forms import Configuration, Form
from simt.core.frontend import hir
from simt.core.intrinsics.declare import REGISTRY, Intrinsic
from simt.core.target import Gpu
from simt.core.types import ArrayType, ScalarType

INSTEAD = {
    "isinstance": "compare types: `x.dtype == f32`; each call of a device function is compiled for its own types",
    "type": "write `x.dtype`",
    "hasattr": "each call of a device function is compiled for its own types: use the attribute",
    "getattr": "write the attribute: `x.name`",
    "pow": "write `x ** y`",
    "all": "write `a and b and c`",
    "any": "write `a or b or c`",
    "sorted": "sort in a loop over a local array",
    "map": "write a loop",
    "filter": "write a loop with `if`",
    "list": "write a tuple, or declare `local_array(dtype, length)`",
    "str": "use the value in an f-string of a message",
    "open": "a kernel has no files",
    "input": "pass the value as an argument",
}
"""What to write for the builtins that users try, by name."""


def check_call(state: State, scope: Scope, node: hir.Call) -> Operand:
    """The operand of a call; arguments are evaluated left to right."""
    callee = state.expression(scope, node.callee)
    if isinstance(callee, Poison):
        for argument in (*node.arguments, *(value for _, value in node.keywords)):
            if not isinstance(argument, hir.FormattedText):
                state.expression(scope, argument)
        return POISON
    if isinstance(callee, Static) and isinstance(callee.value, Form | type(print)) and callee.value in FORMS:
        return FORMS[callee.value](state, scope, node)
    if not is_of_library(scope.python):
        state.written[node.span] = node
    names = [name for name, _ in node.keywords]
    mark = len(state.block)
    operands = state.in_order(scope, (*node.arguments, *(value for _, value in node.keywords)))
    [callee] = state.kept_from(mark, (callee,), node.span)
    arguments = tuple(operands[: len(node.arguments)])
    keywords = tuple(zip(names, operands[len(node.arguments):], strict=True))
    if any(isinstance(operand, Poison) for operand in operands):
        return POISON
    return call_operand(state, callee, arguments, keywords, node.span)


def call_operand(
    state: State, callee: Operand, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """Call ``callee``, whatever kind of callable it is."""
    match callee:
        case Static(value=value):
            return _call_static(state, value, arguments, keywords, span)
        case Closure():
            return call_closure(state, callee, arguments, keywords, span)
        case Method(receiver=receiver, function=function):
            return call_function(state, function, (receiver, *arguments), keywords, span)
        case ArrayMember(receiver=Static(value=Configuration()), name="has"):
            return _has_feature(state, arguments, span)
        case ArrayMember(receiver=Runtime(expr=expr), name="conjugate") if isinstance(expr.type, ScalarType):
            return _conjugate(state, expr, expr.type, span)
        case ArrayMember(receiver=receiver, name="copy") if not arguments and not keywords:
            return copy_struct(state, receiver, span)
        case Stored() if (method := method_of(callee, "__call__")) is not None:
            return call_function(state, method, (callee, *arguments), keywords, span)
        case Poison():
            return POISON
        case _:
            return _not_callable(state, callee, span)


def _call_static(
    state: State, value: object, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    if isinstance(value, Intrinsic):
        return call_intrinsic(state, cast("AnyIntrinsic", value), arguments, keywords, span)
    scalar = scalar_type_of_class(value)
    if scalar is not None:
        return convert_explicitly(state, scalar, arguments, keywords, span)
    if isinstance(value, type) and hasattr(value, "struct_type"):
        return construct_struct(state, value, arguments, keywords, span)
    if isinstance(value, type) and hasattr(value, "vector_type"):
        return construct_vector(state, value, arguments, keywords, span)
    builtin = BUILTINS.get(value) if _is_hashable(value) else None
    if builtin is not None:
        return builtin(state, arguments, keywords, span)
    if isinstance(value, FunctionType):
        return call_function(state, value, arguments, keywords, span)
    wrapped = inspect.unwrap(value) if callable(value) else value
    if isinstance(wrapped, FunctionType):
        return call_function(state, wrapped, arguments, keywords, span)
    return _refuse(state, value, span)


def _is_hashable(value: object) -> bool:
    return isinstance(value, type | BuiltinFunctionType | FunctionType)


def _refuse(state: State, value: object, span: Span) -> Operand:
    name = getattr(value, "__name__", type(value).__name__)
    ours = f"write `math.{name}` with `from simt.cuda_std import math`" if f"cuda_std.math.{name}" in REGISTRY else None
    if getattr(value, "__module__", None) == python_math.__name__:
        help = ours or "the functions a kernel can call are listed in simt.cuda_std.math"
        return state.error(
            "python-function", f"Python's `math.{name}` cannot run in a kernel", span, "called here", help=help,
        )
    if not callable(value):
        return _not_callable(state, Static(value), span)
    return state.error(
        "python-function", f"`{name}` cannot run in a kernel", span, "called here",
        help=INSTEAD.get(name) or ours or "call functions of simt.cuda_std or your own functions written in Python",
    )


def _not_callable(state: State, callee: Operand, span: Span) -> Operand:
    what = an(type_name(callee))
    help = "use its attributes, or call a function of it" if isinstance(callee, Static) else None
    if isinstance(callee, Runtime):
        help = "elements are in brackets: `x[i]`" if isinstance(callee.expr.type, ArrayType) else None
    if help is None or weak_value(callee) is not None:
        help = "a product is written with `*`"
    return state.error("not-callable", f"{what} cannot be called", span, f"this is {what}", help=help)


def _has_feature(state: State, arguments: tuple[Operand, ...], span: Span) -> Operand:
    name = arguments[0].value if len(arguments) == 1 and isinstance(arguments[0], Static) else None
    try:
        feature = parse_architecture(name if isinstance(name, str) else "")
    except ValueError as error:
        return state.error(
            "wrong-arguments", f"cfg.has: {error}", span, "in this call", help='write `cfg.has("compute_90a")`',
        )
    return Static(isinstance(state.target, Gpu) and state.target.architecture.has(feature))


def _conjugate(state: State, expr: tir.Expr, scalar: ScalarType, span: Span) -> Operand:
    value = state.spill(expr, "z")
    part = scalar.component
    real = tir.Extract(span=span, type=part, value=value, index=0)
    imaginary = tir.Extract(span=span, type=part, value=value, index=1)
    negated = tir.Unary(span=span, type=part, op=tir.UnaryOp.NEGATE, operand=imaginary)
    return Runtime(tir.Aggregate(span=state.at(span), type=scalar, elements=(real, negated)))
