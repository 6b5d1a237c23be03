"""Memory that a kernel declares: static shared and local arrays, slices of dynamic shared memory."""
from __future__ import annotations

from collections.abc import Callable
from typing import cast

from simt.core.check import tir
from simt.core.check.classes import type_of_class
from simt.core.check.host_values import static_elements
from simt.core.check.naming import an, static_int, type_name
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static, TupleOperand
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.values import convert, index
from simt.core.diagnostics.source import source_text
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.intrinsics.launch_bytes import DYNAMIC_SHARED_BYTES
from simt.core.target import checks_are_on
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
from simt.core.types.scalar import BOOL, I32, I64, U8

Handler = Callable[[State, Scope, hir.Call], Operand]
MAX_STATIC_SHARED_BYTES = 48 * 1024
DYNAMIC_SHARED_ALIGNMENT = 16


def form_arguments(
    state: State, scope: Scope, node: hir.Call, names: tuple[str, ...], required: int,
) -> list[Operand] | None:
    """A form's operands by parameter name; ``Static(None)`` for those left out."""
    operands = state.in_order(scope, (*node.arguments, *(value for _, value in node.keywords)))
    given = dict(zip(names, operands[: len(node.arguments)], strict=False))
    given.update(zip((name for name, _ in node.keywords), operands[len(node.arguments):], strict=True))
    unknown = [name for name in given if name not in names]
    missing = [name for name in names[:required] if name not in given]
    if unknown or missing or len(node.arguments) > len(names):
        problem = f"has no parameter `{unknown[0]}`" if unknown else f"needs {', '.join(f'`{n}`' for n in missing)}" \
            if missing else "is given too many arguments"
        name = source_text(node.callee.span) or "this form"
        state.error(
            "wrong-arguments", f"`{name}` {problem}", node.span, "in this call",
            help=f"its signature is `{name}({', '.join(names)})`",
        )
        return None
    if any(isinstance(operand, Poison) for operand in operands):
        return None
    return [given.get(name, Static(None)) for name in names]


def element_type_of(state: State, operand: Operand, span: Span) -> Type | None:
    found = type_of_class(operand.value) if isinstance(operand, Static) else None
    if not isinstance(found, ScalarType | StructType | VectorType):
        state.error(
            "bad-element-type", "the first argument is the element type", span, f"this is {an(type_name(operand))}",
            help="write f32, i32, a struct class or `x.dtype`",
        )
        return None
    return found


def _static_shape(state: State, operand: Operand, span: Span) -> tuple[int, ...] | None:
    items = operand.elements if isinstance(operand, TupleOperand) else static_elements(operand, span)
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


def static_array(space: AddressSpace, name: str) -> Handler:
    def handle(state: State, scope: Scope, node: hir.Call) -> Operand:
        found = form_arguments(state, scope, node, ("dtype", "shape", "alignment"), 2)
        if found is None:
            return POISON
        element = element_type_of(state, found[0], node.span)
        shape = _static_shape(state, found[1], node.span)
        alignment = 0 if found[2] == Static(None) else static_int(found[2])
        if element is None or shape is None:
            return POISON
        if alignment is None or alignment < 0 or alignment & (alignment - 1):
            return state.error(
                "bad-alignment", "the alignment is a power of two known at compile time", node.span, "this is not",
            )
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
        "too-much-shared-memory",
        f"static shared arrays take {total} bytes, at most {MAX_STATIC_SHARED_BYTES} are allowed",
        span, "this one is too much", help="use `shared.dynamic(dtype, count)` and pass `shared_bytes` at the launch",
    )
    return False


def _product(shape: tuple[int, ...]) -> int:
    total = 1
    for item in shape:
        total *= item
    return total


def dynamic_shared(state: State, scope: Scope, node: hir.Call) -> Operand:
    found = form_arguments(state, scope, node, ("dtype", "count"), 2)
    if found is None:
        return POISON
    element = element_type_of(state, found[0], node.span)
    count = convert(state, found[1], I64, node.span, "pass")
    if element is None or count is None:
        return POISON
    if state.nesting:
        return state.error(
            "dynamic-shared-in-loop", "a slice of dynamic shared memory is taken once", node.span,
            "inside a loop or branch", help="take the slice before the loop or branch",
        )
    count = state.spill(count, "count")
    where = state.at(node.span)
    base = tir.DynamicShared(span=where, type=PointerType(U8, AddressSpace.SHARED))
    offset = _next_offset(state, count, size_of(element), node.span)
    if checks_are_on(state.target, state.options):
        _require_bytes(state, offset, count, size_of(element), node.span)
    start = tir.Offset(span=where, type=base.type, pointer=base, count=offset)
    pointer = tir.Bitcast(span=where, type=PointerType(element, AddressSpace.SHARED), value=start)
    array = ArrayType(element, (None,), Access.INOUT, AddressSpace.SHARED)
    view = state.fresh("dynamic", array)
    value = tir.MakeArray(span=where, type=array, pointer=pointer, shape=(count,))
    state.emit(tir.Assign(span=where, local=view, value=value))
    return Runtime(tir.Ref(span=node.span, type=array, local=view))


def _require_bytes(state: State, start: tir.Expr, count: tir.Expr, size: int, span: Span) -> None:
    """Assert that the slice lies in the memory that the launch gave."""
    where = state.at(span)
    register = tir.Call(span=where, type=I32, callee=DYNAMIC_SHARED_BYTES, arguments=())
    given = state.spill(tir.Convert(span=where, type=I64, value=register), "shared_bytes")
    length = tir.Binary(span=where, type=I64, op=tir.BinaryOp.MUL, lhs=count, rhs=index(span, size))
    end = state.spill(tir.Binary(span=where, type=I64, op=tir.BinaryOp.ADD, lhs=start, rhs=length), "needed_bytes")
    limit = tir.Binary(span=where, type=I64, op=tir.BinaryOp.FLOOR_DIV, lhs=given, rhs=index(span, size))
    fits = tir.ShortCircuit(
        span=where, type=BOOL, op=tir.LogicalOp.AND, rhs=_at_most(end, given, where),
        lhs=tir.ShortCircuit(
            span=where, type=BOOL, op=tir.LogicalOp.AND, lhs=_at_most(index(span, 0), count, where),
            rhs=_at_most(count, limit, where),  # so that the product above cannot have wrapped
        ),
    )
    message = tir.Message(parts=(
        "a slice of ", (count, ""), f" elements of {size} bytes from byte ", (start, ""),
        " does not fit the launch's shared_bytes = ", (given, ""), ": pass more, kernel[grid, block, shared_bytes]",
    ))
    state.emit(tir.Assert(span=where, condition=fits, message=message))


def _at_most(lhs: tir.Expr, rhs: tir.Expr, span: Span) -> tir.Expr:
    return tir.Compare(span=span, type=BOOL, op=tir.CompareOp.LE, lhs=lhs, rhs=rhs)


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
