"""What each language form means: memory, addresses, compile-time assertions, messages."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from simt.core import forms
from simt.core.annotations import PointerAnnotation
from simt.core.check import tir
from simt.core.check.allocations import dynamic_shared, element_type_of, form_arguments, static_array
from simt.core.check.host_values import host_operand
from simt.core.check.messages import message_of
from simt.core.check.naming import static_int, type_name
from simt.core.check.operand import POISON, Operand, Runtime, Static, TupleOperand
from simt.core.check.resolve import resolve_annotation
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.subscripts import element_place
from simt.core.check.truth import truth
from simt.core.check.values import const, convert, to_expr
from simt.core.frontend import hir
from simt.core.types import (
    AddressSpace,
    ArrayType,
    ImageType,
    PointerType,
    ScalarType,
    Type,
)
from simt.core.types.scalar import BOOL, I64, U64

Handler = Callable[[State, Scope, hir.Call], Operand]



def _address_of(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = form_arguments(state, scope, node, ("array", "index"), 2)
    if found is None:
        return POISON
    array, position = found
    if isinstance(array, Runtime) and isinstance(array.expr.type, PointerType):
        count = convert(state, position, I64, node.span, "use")
        return POISON if count is None else Runtime(
            tir.Offset(span=state.at(node.span), type=array.expr.type, pointer=array.expr, count=count))
    if not isinstance(array, Runtime) or not isinstance(array.expr.type, ArrayType):
        return state.error(
            "type-mismatch", f"`array` must be an array or a pointer, not {type_name(array)}", node.span,
            f"this is {type_name(array)}", help="pass the array and the index apart: `(array, index)`",
        )
    if not array.expr.type.access.writable:
        return state.error(
            "read-only-array", "the address of a read-only array's element cannot be taken", node.span,
            f"this is {array.expr.type}", help="declare the parameter `InOut[...]`",
        )
    indices = position.elements if isinstance(position, TupleOperand) else (position,)
    place = element_place(state, array, indices, node.span)
    if place is None:
        return POISON
    pointer = PointerType(place.type, array.expr.type.space)
    return Runtime(tir.AddressOf(span=state.at(node.span), type=pointer, place=place))


def _bitcast(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = form_arguments(state, scope, node, ("value", "dtype"), 2)
    if found is None:
        return POISON
    target = _pointer_named(state, found[1], node) or element_type_of(state, found[1], node.span)
    expr = to_expr(state, found[0], node.span)
    if target is None or expr is None:
        return POISON
    if isinstance(expr.type, ImageType) and target == U64 or isinstance(target, PointerType) and expr.type == U64:
        return Runtime(tir.Bitcast(span=state.at(node.span), type=target, value=expr))
    if not isinstance(expr.type, ScalarType) or not isinstance(target, ScalarType) or BOOL in (expr.type, target):
        return state.error(
            "type-mismatch", f"cannot see the bits of {expr.type} as {target}", node.span, f"this is {expr.type}",
            help="pass a number and the type of a number",
        )
    if expr.type.bits != target.bits:
        return state.error(
            "type-mismatch", f"cannot see the bits of {expr.type} as {target}", node.span, "widths differ",
            help=f"write a type of {expr.type.bits} bits, or convert the value: `{target}(...)`",
        )
    return Runtime(tir.Bitcast(span=state.at(node.span), type=target, value=expr))


def _pointer_named(state: State, operand: Operand, node: hir.Call) -> Type | None:
    """The type that ``Ptr[T]`` names as a value; None for anything else."""
    if not isinstance(operand, Static) or not isinstance(operand.value, PointerAnnotation):
        return None
    return resolve_annotation(state, operand.value, {}, node.span)


def _static_assert(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = form_arguments(state, scope, node, ("condition", "message"), 1)
    if found is None:
        return POISON
    condition = truth(state, found[0], node.span)
    if isinstance(condition, Runtime):
        return state.error(
            "not-constant", "the condition must be known at compile time", node.span, "known only at run time",
            help="use `assert`",
        )
    if isinstance(condition, Static) and not condition.value:
        text = found[1].value if isinstance(found[1], Static) and found[1].value else "the condition is false"
        return state.error("static-assertion", f"static assertion failed: {text}", node.span, "asserted here")
    return Static(None)


def _own_index(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = form_arguments(state, scope, node, ("value", "axes", "axis"), 3)
    if found is None:
        return POISON
    axes, axis = static_int(found[1]), static_int(found[2])
    if not isinstance(found[0], Runtime) or axes is None or axis is None:
        return state.error("wrong-arguments", "own_index needs a run-time value and two constants", node.span)
    return Runtime(found[0].expr, own=(axes, axis))


def _fault(state: State, scope: Scope, node: hir.Call) -> Operand:
    if len(node.arguments) != 1 or node.keywords:
        return state.error("wrong-arguments", "fault takes one message", node.span)
    message = message_of(state, scope, node.arguments)
    false = const(node.span, False, BOOL)
    state.emit(tir.Assert(span=state.at(node.span), condition=false, message=message))
    return Static(None)


def _print(state: State, scope: Scope, node: hir.Call) -> Operand:
    separator = " "
    for name, value in node.keywords:
        operand = state.expression(scope, value)
        text = operand.value if isinstance(operand, Static) else None
        if name not in ("sep", "end") or not isinstance(text, str):
            return state.error(
                "wrong-arguments", f"`print` in a kernel does not take `{name}` here", node.span,
                help="sep= and end= take text",
            )
        if name == "sep":
            separator = text
        elif text != "\n":
            return state.error("wrong-arguments", "`print` in a kernel ends each call with a line break", node.span)
    state.emit(tir.Print(span=state.at(node.span), message=message_of(state, scope, node.arguments, separator)))
    return Static(None)


def _static_range(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = form_arguments(state, scope, node, ("start", "stop", "step"), 1)
    if found is None:
        return POISON
    given = [operand for operand in found if operand != Static(None)]
    bounds = [static_int(operand) for operand in given]
    if None in bounds:
        return state.error(
            "not-constant", "static_range needs bounds known at compile time", node.span, "known only at run time",
            help="use `range`, or make the bound a `Const[i32]` parameter",
        )
    if len(bounds) == 3 and bounds[2] == 0:
        return state.error("constant-evaluation", "static_range with a step of zero never ends", node.span, "step is 0")
    return host_operand(range(*cast("list[int]", bounds)), node.span)


FORMS: dict[Any, Handler] = {  # Any: forms of every signature, and Python's print
    forms.shared_array: static_array(AddressSpace.SHARED, "shared"),
    forms.local_array: static_array(AddressSpace.LOCAL, "array"),
    forms.dynamic_shared: dynamic_shared,
    forms.address_of: _address_of,
    forms.bitcast: _bitcast,
    forms.static_assert: _static_assert,
    forms.static_range: _static_range,
    forms.own_index: _own_index,
    forms.fault: _fault,
    print: _print,
}
