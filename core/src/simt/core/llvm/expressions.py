"""TIR expressions to LLVM operands."""
from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from simt.core.check import tir
from simt.core.check.tir import BinaryOp, LogicalOp
from simt.core.llvm import places
from simt.core.llvm.arithmetic import binary, compare, unary
from simt.core.llvm.bits import bitcast
from simt.core.llvm.builder import Value
from simt.core.llvm.checks import check_bounds, check_divisor
from simt.core.llvm.complexes import make_complex
from simt.core.llvm.constants import constant
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.conversions import convert
from simt.core.llvm.memory import load_from
from simt.core.llvm.types import members_of, memory_type, register_type
from simt.core.llvm.views import View, make_view, sub_view
from simt.core.passes.ranges import cannot_wrap
from simt.core.types import ArrayType, Kind, PointerType, ScalarType, StructType, TupleType, VectorType

_INSTRUCTIONS = {BinaryOp.ADD: "add", BinaryOp.SUB: "sub", BinaryOp.MUL: "mul"}


def emit_expression(ctx: FunctionContext, node: tir.Expr) -> Value:
    """The operand that holds the value of ``node``."""
    with ctx.at(node.span):
        return _emit(ctx, node)


def emit_all(ctx: FunctionContext, nodes: tuple[tir.Expr, ...]) -> tuple[Value, ...]:
    """The operands of several expressions, in order."""
    return tuple(emit_expression(ctx, node) for node in nodes)


def view_of(ctx: FunctionContext, node: tir.Expr) -> View:
    """An array expression's view; a local's is read part by part from its slot."""
    assert isinstance(node.type, ArrayType)
    if isinstance(node, tir.Ref):
        return View(node.type, ctx.pointer_to(node.local), in_slot=True)
    return View(node.type, emit_expression(ctx, node), in_slot=False)


def scalar_of(node: tir.Expr) -> ScalarType:
    """The type of an expression that is a scalar."""
    assert isinstance(node.type, ScalarType), f"{node.type} is not a scalar"
    return node.type


def _emit(ctx: FunctionContext, node: tir.Expr) -> Value:
    match node:
        case tir.Const(value=value):
            return constant(scalar_of(node), value)
        case tir.Ref(local=local):
            return load_from(ctx, places.address_of(ctx, tir.Variable(span=node.span, type=local.type, local=local)))
        case tir.Unary(op=op, operand=operand):
            return unary(ctx, op, scalar_of(operand), emit_expression(ctx, operand))
        case tir.Binary():
            return _binary(ctx, node)
        case tir.Compare(op=op, lhs=lhs, rhs=rhs):
            return compare(ctx, op, scalar_of(lhs), emit_expression(ctx, lhs), emit_expression(ctx, rhs))
        case tir.ShortCircuit(op=op, lhs=lhs, rhs=rhs):
            return _short_circuit(ctx, op, lhs, rhs)
        case tir.Conditional(condition=condition, then=then, orelse=orelse):
            chosen = emit_expression(ctx, condition)
            return _branches(
                ctx, chosen, lambda: emit_expression(ctx, then), lambda: emit_expression(ctx, orelse)
            )
        case tir.Convert(value=value):
            return convert(ctx, emit_expression(ctx, value), scalar_of(value), scalar_of(node))
        case tir.Bitcast(value=value):
            return bitcast(ctx, emit_expression(ctx, value), value.type, node.type)
        case tir.Load(place=place):
            return places.load_place(ctx, place)
        case tir.Call(callee=callee, arguments=arguments):
            types = tuple(argument.type for argument in arguments)
            result = ctx.backend.intrinsic(ctx, callee, emit_all(ctx, arguments), types, node.type)
            assert result is not None, f"{callee.name} gives no value"
            return result
        case tir.Aggregate(elements=elements):
            return _aggregate(ctx, node, emit_all(ctx, elements))
        case tir.Extract(value=value, index=index):
            return _extract(ctx, value, index)
        case tir.Extent(array=array, axis=axis):
            return view_of(ctx, array).extent(ctx, axis)
        case tir.SubArray():
            return _sub_array(ctx, node)
        case tir.MakeArray(pointer=pointer, shape=shape):
            assert isinstance(node.type, ArrayType)
            return make_view(ctx, node.type, emit_expression(ctx, pointer), list(emit_all(ctx, shape)), [])
        case tir.AddressOf(place=place):
            return _address(ctx, node, place)
        case tir.Offset(pointer=pointer, count=count):
            t = pointer.type
            assert isinstance(t, PointerType)
            start, distance = emit_expression(ctx, pointer), emit_expression(ctx, count)
            return ctx.emitter.element_pointer(memory_type(ctx.module, t.element), start, distance, t.space)
        case tir.DynamicShared():
            return ctx.backend.dynamic_shared(ctx)
        case _:
            assert_never(node)


def _binary(ctx: FunctionContext, node: tir.Binary) -> Value:
    t = scalar_of(node)
    lhs, rhs = emit_expression(ctx, node.lhs), emit_expression(ctx, node.rhs)
    if ctx.checks and t.is_integer and node.op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD):
        check_divisor(ctx, node, lhs, rhs)
    if node.op in _INSTRUCTIONS and t.kind is Kind.SIGNED and cannot_wrap(node, ctx.facts):
        # LLVM extends an index out of a loop's body, and counts with it, only if it knows that it does not wrap.
        return ctx.emitter.binary(f"{_INSTRUCTIONS[node.op]} nsw", lhs, rhs)
    return binary(ctx, node.op, t, lhs, rhs)


def _short_circuit(ctx: FunctionContext, op: LogicalOp, lhs: tir.Expr, rhs: tir.Expr) -> Value:
    first = emit_expression(ctx, lhs)
    match op:
        case LogicalOp.AND:
            return _branches(ctx, first, lambda: emit_expression(ctx, rhs), lambda: Value("i1", "false"))
        case LogicalOp.OR:
            return _branches(ctx, first, lambda: Value("i1", "true"), lambda: emit_expression(ctx, rhs))
        case _:
            assert_never(op)


def _branches(ctx: FunctionContext, condition: Value, then: Callable[[], Value], orelse: Callable[[], Value]) -> Value:
    """One of two values, of which only the chosen one is computed."""
    emitter = ctx.emitter
    on_true, on_false, after = emitter.new_block("then"), emitter.new_block("else"), emitter.new_block("after")
    emitter.branch_if(condition, on_true, on_false)
    emitter.place(on_true)
    first, first_end = then(), emitter.block
    emitter.branch(after)
    emitter.place(on_false)
    second, second_end = orelse(), emitter.block
    emitter.place(after)
    return emitter.phi(first.type, [(first, first_end), (second, second_end)])


def _aggregate(ctx: FunctionContext, node: tir.Aggregate, parts: tuple[Value, ...]) -> Value:
    t, emitter = node.type, ctx.emitter
    if isinstance(t, ScalarType):
        return make_complex(ctx, t, parts[0], parts[1])
    value = Value(register_type(ctx.module, t), "undef")
    for index, part in enumerate(parts):
        if isinstance(t, VectorType):
            value = emitter.let(value.type, f"insertelement {value}, {part}, i32 {index}")
        else:
            value = emitter.insert(value, part, index)
    return value


def _extract(ctx: FunctionContext, aggregate: tir.Expr, index: int) -> Value:
    value, t = emit_expression(ctx, aggregate), aggregate.type
    assert isinstance(t, StructType | TupleType | VectorType | ScalarType)
    part = register_type(ctx.module, members_of(t)[index])
    if isinstance(t, VectorType):
        return ctx.emitter.let(part, f"extractelement {value}, i32 {index}")
    return ctx.emitter.extract(value, index, part)


def _sub_array(ctx: FunctionContext, node: tir.SubArray) -> Value:
    view = view_of(ctx, node.array)
    indices = list(emit_all(ctx, node.indices))
    if ctx.checks:
        check_bounds(ctx, node, indices, [view.extent(ctx, axis) for axis in range(len(indices))])
    assert isinstance(node.type, ArrayType)
    return sub_view(ctx, node.type, view, indices)


def _address(ctx: FunctionContext, node: tir.AddressOf, place: tir.Place) -> Value:
    """The address as a pointer of the node's space: a variable's generic address is cast to it."""
    address = places.address_of(ctx, place)
    t = node.type
    assert isinstance(t, PointerType)
    emitter, held = ctx.emitter, memory_type(ctx.module, t.element)
    pointer = emitter.cast_pointer(address.pointer, held, address.space)
    return emitter.cast("addrspacecast", pointer, emitter.module.pointer(held, t.space))
