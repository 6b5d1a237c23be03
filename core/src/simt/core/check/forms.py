"""What each language form means: memory, addresses, compile-time assertions, messages."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from simt.core import forms
from simt.core.check import tir
from simt.core.check.attributes import host_operand
from simt.core.check.classes import type_of_class
from simt.core.check.messages import message_of
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static, TupleOperand
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.subscripts import element_place
from simt.core.check.truth import truth
from simt.core.check.values import an, const, convert, index, static_int, to_expr, type_name
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import (
    Access,
    AddressSpace,
    ArrayType,
    PointerType,
    ScalarType,
    StructType,
    Type,
    VectorType,
)
from simt.core.types.layout import align_of, size_of
from simt.core.types.scalar import BOOL, I64, U8

Handler = Callable[[State, Scope, hir.Call], Operand]
MAX_STATIC_SHARED_BYTES = 48 * 1024
DYNAMIC_SHARED_ALIGNMENT = 16


def _arguments(state: State, scope: Scope, node: hir.Call, names: tuple[str, ...], required: int) -> list[Operand] | None:
    """Operands by parameter name; ``Static(None)`` for those left out."""
    operands = state.in_order(scope, (*node.arguments, *(value for _, value in node.keywords)))
    given = dict(zip(names, operands[: len(node.arguments)], strict=False))
    given.update(zip((name for name, _ in node.keywords), operands[len(node.arguments):], strict=True))
    unknown = [name for name in given if name not in names]
    missing = [name for name in names[:required] if name not in given]
    if unknown or missing or len(node.arguments) > len(names):
        problem = f"has no parameter `{unknown[0]}`" if unknown else f"needs {', '.join(f'`{n}`' for n in missing)}" \
            if missing else "is given too many arguments"
        state.error("wrong-arguments", f"this form {problem}", node.span, "in this call", help=f"its parameters are {', '.join(names)}")
        return None
    if any(isinstance(operand, Poison) for operand in operands):
        return None
    return [given.get(name, Static(None)) for name in names]


def _element_type(state: State, operand: Operand, span: Span) -> Type | None:
    found = type_of_class(operand.value) if isinstance(operand, Static) else None
    if not isinstance(found, ScalarType | StructType | VectorType):
        state.error(
            "bad-element-type", "the first argument is the element type", span, f"this is {an(type_name(operand))}",
            help="write f32, i32, a struct class or `x.dtype`",
        )
        return None
    return found


def _static_shape(state: State, operand: Operand, span: Span) -> tuple[int, ...] | None:
    items = operand.elements if isinstance(operand, TupleOperand) else None
    if isinstance(operand, Static) and isinstance(operand.value, tuple):
        items = tuple(Static(item) for item in cast("tuple[object, ...]", operand.value))
    extents = [static_int(item) for item in (items if items is not None else (operand,))]
    if None in extents:
        state.error(
            "not-constant", "the shape of a static array must be known at compile time", span, "known only at run time",
            help="use a literal, a global, a `Const[i32]` parameter, or `shared.dynamic(dtype, count)`",
        )
        return None
    shape = tuple(cast("list[int]", extents))
    if not 1 <= len(shape) <= 3 or any(item < 1 for item in shape):
        state.error("bad-shape", f"{shape} is not the shape of an array", span, "one to three positive extents")
        return None
    return shape


def _static_array(space: AddressSpace, name: str) -> Handler:
    def handle(state: State, scope: Scope, node: hir.Call) -> Operand:
        found = _arguments(state, scope, node, ("dtype", "shape", "alignment"), 2)
        if found is None:
            return POISON
        element = _element_type(state, found[0], node.span)
        shape = _static_shape(state, found[1], node.span)
        alignment = 0 if found[2] == Static(None) else static_int(found[2])
        if element is None or shape is None:
            return POISON
        if alignment is None or alignment < 0 or alignment & (alignment - 1):
            return state.error("bad-alignment", "the alignment is a power of two known at compile time", node.span)
        array = ArrayType(element, shape, Access.INOUT, space)
        local = state.fresh(name, array)
        state.allocations.append(
            tir.Allocation(span=state.at(node.span), local=local, alignment=max(alignment, align_of(element))),
        )
        if space is AddressSpace.SHARED and not _shared_fits(state, node.span):
            return POISON
        return Runtime(tir.Ref(span=node.span, type=array, local=local))

    return handle


def _shared_fits(state: State, span: Span) -> bool:
    total = sum(
        size_of(a.array.element) * _product(cast("tuple[int, ...]", a.array.shape)) for a in state.allocations
        if a.space is AddressSpace.SHARED
    )
    if total <= MAX_STATIC_SHARED_BYTES:
        return True
    state.error(
        "too-much-shared-memory", f"static shared arrays take {total} bytes, at most {MAX_STATIC_SHARED_BYTES} are allowed",
        span, "this one is too much", help="use `shared.dynamic(dtype, count)` and pass `shared_bytes` at the launch",
    )
    return False


def _product(shape: tuple[int, ...]) -> int:
    total = 1
    for item in shape:
        total *= item
    return total


def _dynamic_shared(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = _arguments(state, scope, node, ("dtype", "count"), 2)
    if found is None:
        return POISON
    element = _element_type(state, found[0], node.span)
    count = convert(state, found[1], I64, node.span, "pass")
    if element is None or count is None:
        return POISON
    if scope.loops:
        return state.error(
            "dynamic-shared-in-loop", "a slice of dynamic shared memory is taken once", node.span, "inside a loop",
            help="take the slice before the loop",
        )
    count = state.spill(count, "count")
    where = state.at(node.span)
    base = tir.DynamicShared(span=where, type=PointerType(U8, AddressSpace.SHARED))
    offset = _next_offset(state, count, size_of(element), node.span)
    start = tir.Offset(span=where, type=base.type, pointer=base, count=offset)
    pointer = tir.Bitcast(span=where, type=PointerType(element, AddressSpace.SHARED), value=start)
    array = ArrayType(element, (None,), Access.INOUT, AddressSpace.SHARED)
    view = state.fresh("dynamic", array)
    value = tir.MakeArray(span=where, type=array, pointer=pointer, shape=(count,))
    state.emit(tir.Assign(span=where, local=view, value=value))
    return Runtime(tir.Ref(span=node.span, type=array, local=view))


def _next_offset(state: State, count: tir.Expr, size: int, span: Span) -> tir.Expr:
    """Where this slice starts (bytes); the running offset moves past it, rounded up to 16."""
    def binary(op: tir.BinaryOp, lhs: tir.Expr, rhs: tir.Expr) -> tir.Expr:
        return tir.Binary(span=span, type=I64, op=op, lhs=lhs, rhs=rhs)

    start: tir.Expr = index(span, 0)
    if state.dynamic_offset is not None:
        start = tir.Ref(span=span, type=I64, local=state.dynamic_offset)
    size_bytes = binary(tir.BinaryOp.MUL, count, index(span, size))
    rounded = binary(tir.BinaryOp.ADD, size_bytes, index(span, DYNAMIC_SHARED_ALIGNMENT - 1))
    step = binary(tir.BinaryOp.AND, rounded, index(span, -DYNAMIC_SHARED_ALIGNMENT))
    state.dynamic_offset = state.spill(binary(tir.BinaryOp.ADD, start, step), "dynamic_offset").local
    return start


def _address_of(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = _arguments(state, scope, node, ("array", "index"), 2)
    if found is None:
        return POISON
    array, position = found
    if isinstance(array, Runtime) and isinstance(array.expr.type, PointerType):
        count = convert(state, position, I64, node.span, "use")
        return POISON if count is None else Runtime(
            tir.Offset(span=state.at(node.span), type=array.expr.type, pointer=array.expr, count=count))
    if not isinstance(array, Runtime) or not isinstance(array.expr.type, ArrayType):
        return state.error("type-mismatch", f"`array` must be an array, not {type_name(array)}", node.span, "in this call")
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
    found = _arguments(state, scope, node, ("value", "dtype"), 2)
    if found is None:
        return POISON
    target = _element_type(state, found[1], node.span)
    expr = to_expr(state, found[0], node.span)
    if target is None or expr is None:
        return POISON
    if not isinstance(expr.type, ScalarType) or not isinstance(target, ScalarType) or BOOL in (expr.type, target) \
            or expr.type.bits != target.bits:
        return state.error("type-mismatch", f"cannot see the bits of {expr.type} as {target}", node.span, "widths differ")
    return Runtime(tir.Bitcast(span=state.at(node.span), type=target, value=expr))


def _static_assert(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = _arguments(state, scope, node, ("condition", "message"), 1)
    if found is None:
        return POISON
    condition = truth(state, found[0], node.span)
    if isinstance(condition, Runtime):
        return state.error("not-constant", "the condition must be known at compile time", node.span, "known only at run time", help="use `assert`")
    if isinstance(condition, Static) and not condition.value:
        text = found[1].value if isinstance(found[1], Static) and found[1].value else "the condition is false"
        return state.error("static-assertion", f"static assertion failed: {text}", node.span, "asserted here")
    return Static(None)


def _own_index(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = _arguments(state, scope, node, ("value", "axes", "axis"), 3)
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
            return state.error("wrong-arguments", f"`print` in a kernel does not take `{name}` here", node.span, help="sep= and end= take text")
        if name == "sep":
            separator = text
        elif text != "\n":
            return state.error("wrong-arguments", "`print` in a kernel ends each call with a line break", node.span)
    state.emit(tir.Print(span=state.at(node.span), message=message_of(state, scope, node.arguments, separator)))
    return Static(None)


def _static_range(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = _arguments(state, scope, node, ("start", "stop", "step"), 1)
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
    forms.shared_array: _static_array(AddressSpace.SHARED, "shared"),
    forms.local_array: _static_array(AddressSpace.LOCAL, "array"),
    forms.dynamic_shared: _dynamic_shared,
    forms.address_of: _address_of,
    forms.bitcast: _bitcast,
    forms.static_assert: _static_assert,
    forms.static_range: _static_range,
    forms.own_index: _own_index,
    forms.fault: _fault,
    print: _print,
}
