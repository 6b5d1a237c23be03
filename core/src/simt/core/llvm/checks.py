"""Checks that the compiled code makes where they are on: bounds, alignment, division, steps, assertions.

Each is one comparison and a branch to a cold block, which records the site and the values and ends the thread.
"""
from __future__ import annotations

from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import Value
from simt.core.llvm.complexes import parts_of
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.conversions import convert, float_to_float
from simt.core.llvm.faults import MAXIMUM_VALUES, FaultKind, Piece, Site, SiteValue, recorded_type, source_text
from simt.core.types import ArrayType, ScalarType
from simt.core.types.scalar import BOOL, F64, I64, U64

Recorded = list[tuple[str, ScalarType, Value]]  # name, type, operand


def require(ctx: FunctionContext, condition: Value, site: Site, values: tuple[Value, ...]) -> None:
    """Continue where ``condition`` holds; else record ``site`` with ``values`` (i64) and end the thread."""
    emitter = ctx.emitter
    failed, passed = emitter.new_block("fault"), emitter.new_block("checked")
    emitter.branch_if(condition, passed, failed, likely(ctx))
    emitter.place(failed)
    ctx.backend.fault(ctx, site, values)
    assert emitter.block.terminated, "a back end's fault ends the thread"
    emitter.place(passed)


def likely(ctx: FunctionContext) -> str:
    """Metadata for a branch that nearly always goes to its first target."""
    node = '!{!"branch_weights", i32 1048576, i32 1}'
    metadata = ctx.module.metadata
    number = metadata.index(node) if node in metadata else None
    return f", !prof {ctx.module.add_metadata(node) if number is None else f'!{number}'}"


def check_index(
    ctx: FunctionContext, node: tir.Node, index: Value, extent: Value, index_name: str, extent_name: str,
) -> None:
    """``0 <= index < extent``, as one unsigned comparison."""
    values: Recorded = [(index_name, I64, index), (extent_name, I64, extent)]
    site, bits = _site(ctx, FaultKind.OUT_OF_BOUNDS, node.span, values)
    require(ctx, ctx.emitter.compare("icmp ult", index, extent), site, bits)


def check_bounds(
    ctx: FunctionContext, node: tir.Element | tir.SubArray, indices: list[Value], extents: list[Value],
) -> None:
    """Every index within its axis."""
    if id(node) in ctx.proven:
        return
    assert isinstance(node.array.type, ArrayType)
    dimensions = node.array.type.ndim
    for axis, (expression, index, extent) in enumerate(zip(node.indices, indices, extents, strict=True)):
        extent_name = "size" if dimensions == 1 else f"shape[{axis}]"
        check_index(ctx, node, index, extent, _name_of(expression, f"index {axis}"), extent_name)


def check_alignment(ctx: FunctionContext, node: tir.Pointee, pointer: Value, alignment: int) -> None:
    """The address is a multiple of ``alignment`` (bytes, a power of two)."""
    if alignment == 1:
        return
    emitter = ctx.emitter
    address = emitter.cast("ptrtoint", pointer, "i64")
    low = emitter.binary("and", address, integer(64, alignment - 1))
    values: Recorded = [("address", U64, address), ("alignment", I64, integer(64, alignment))]
    site, bits = _site(ctx, FaultKind.MISALIGNED, node.span, values)
    require(ctx, emitter.compare("icmp eq", low, integer(64, 0)), site, bits)


def check_divisor(ctx: FunctionContext, node: tir.Binary, lhs: Value, rhs: Value) -> None:
    """An integer divisor is not zero."""
    t = node.type
    assert isinstance(t, ScalarType)
    if id(node) in ctx.proven or (isinstance(node.rhs, tir.Const) and node.rhs.value):
        return
    values: Recorded = [(_name_of(node.lhs, "dividend"), t, lhs), (_name_of(node.rhs, "divisor"), t, rhs)]
    site, bits = _site(ctx, FaultKind.DIVISION_BY_ZERO, node.span, values)
    require(ctx, ctx.emitter.compare("icmp ne", rhs, integer(t.bits, 0)), site, bits)


def check_step(ctx: FunctionContext, node: tir.For, step: Value) -> None:
    """The step of a ``range`` is not zero."""
    t = node.step.type
    assert isinstance(t, ScalarType)
    site, bits = _site(ctx, FaultKind.ZERO_STEP, node.step.span, [(_name_of(node.step, "step"), t, step)])
    require(ctx, ctx.emitter.compare("icmp ne", step, integer(t.bits, 0)), site, bits)


def fail_assertion(ctx: FunctionContext, node: tir.Assert, values: list[tuple[tir.Expr, Value]]) -> None:
    """Record a failed assertion with the values of its message, and end the thread.

    ``values`` are the message's expressions, evaluated in the failing branch, in order.
    """
    named: Recorded = []
    message: list[str | Piece] = []
    operands = iter(values)
    for part in node.message.parts:
        if isinstance(part, str):
            message.append(part)
            continue
        expression, operand = next(operands)
        t, name = expression.type, _name_of(expression, f"value {len(named)}")
        assert isinstance(t, ScalarType)
        message.append(Piece(len(named), part[1], t.is_complex))
        if t.is_complex:
            re, im = parts_of(ctx, t, operand)
            named += [(f"{name}.real", t.component, re), (f"{name}.imag", t.component, im)]
        else:
            named.append((name, t, operand))
    site, bits = _site(ctx, FaultKind.ASSERTION, node.condition.span, named, tuple(message))
    ctx.backend.fault(ctx, site, bits)


def as_bits(ctx: FunctionContext, value: Value, t: ScalarType) -> Value:
    """A scalar as the i64 that a fault record holds: see ``recorded_type``."""
    emitter = ctx.emitter
    kind = recorded_type(t)
    if kind == F64:
        return emitter.cast("bitcast", float_to_float(ctx, value, t, F64), "i64")
    if kind == BOOL:
        return emitter.cast("zext", value, "i64")
    return convert(ctx, value, t, I64) if t.bits != 64 else value


def _site(
    ctx: FunctionContext, kind: FaultKind, span: Span, values: Recorded, message: tuple[str | Piece, ...] = (),
) -> tuple[Site, tuple[Value, ...]]:
    kept = values[:MAXIMUM_VALUES]
    site = Site(
        kind=kind, span=span, expression=source_text(span, kind.value),
        values=tuple(SiteValue(name, recorded_type(t)) for name, t, _ in kept), message=message,
    )
    return site, tuple(as_bits(ctx, value, t) for _, t, value in kept)


def _name_of(expression: tir.Expr, otherwise: str) -> str:
    """The user's text for ``expression``: its local's name, or its source."""
    match expression:
        case tir.Ref(local=local):
            return local.name
        case tir.Convert(value=value):
            return _name_of(value, otherwise)
        case _:
            return source_text(expression.span, otherwise)
