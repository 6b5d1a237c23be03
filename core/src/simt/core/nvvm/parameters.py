"""The kernel's parameter list: an array is a pointer, then its run-time extents, then its strides; all else one piece.

In order and packed at natural alignment, the pieces are the argument buffer that the launch fills. Structs, tuples and
complex numbers are passed by value in their memory layout.

An extent has 64 bits. Where all extents are small it is declared as two halves, of which the lower one is read: ptxas
unrolls a loop to a bound that it has read with 32 bits, and not one to the lower half of a number of 64.
"""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check import tir
from simt.core.intrinsics.declare import Behavior
from simt.core.llvm.builder import Module, Value, plain_name
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.types import members_of, memory_type, register_type
from simt.core.llvm.views import make_view
from simt.core.types import Access, ArrayType, PointerType, ScalarType, StructType, TupleType, Type, VectorType


@dataclass(frozen=True, slots=True)
class Piece:
    """One parameter of the LLVM function. ``attributes`` has a trailing space, or is empty."""

    type: str
    attributes: str
    value: Value


HALVES = "{ i32, i32 }"


def pieces_of(module: Module, kernel: tir.Kernel, parameter: tir.Local, small: bool) -> list[Piece]:
    """The pieces of one kernel parameter. ``small``: every extent has fewer than 31 bits."""
    t = parameter.type
    name = f"%{plain_name(parameter.name)}.{kernel.parameters.index(parameter)}"
    if not isinstance(t, ArrayType):
        held = memory_type(module, t)
        return [Piece(held, "", Value(held, name))]
    pointer = module.pointer(memory_type(module, t.element), t.space)
    pieces = [Piece(pointer, _pointer_attributes(kernel, t), Value(pointer, name))]
    extent = HALVES if small else "i64"
    named = [(extent, f"{name}.shape{axis}") for axis, known in enumerate(t.shape) if known is None]
    named += [("i64", f"{name}.stride{axis}") for axis in range(t.ndim)] if t.strided else []
    return pieces + [Piece(kind, "", Value(kind, text)) for kind, text in named]


def assemble(ctx: FunctionContext, t: Type, pieces: list[Piece]) -> Value:
    """The operand of type ``t`` from its pieces."""
    if isinstance(t, ArrayType):
        return make_view(ctx, t, pieces[0].value, [_whole(ctx, piece.value) for piece in pieces[1:]], [])
    return _from_memory(ctx, pieces[0].value, t)


def _whole(ctx: FunctionContext, value: Value) -> Value:
    """An extent or a stride as i64."""
    if value.type != HALVES:
        return value
    return ctx.emitter.cast("sext", ctx.emitter.extract(value, 0, "i32"), "i64")


def _from_memory(ctx: FunctionContext, value: Value, t: Type) -> Value:
    """An operand from a value of its memory type: bools become i1, at any depth."""
    emitter, kind = ctx.emitter, register_type(ctx.module, t)
    if value.type == kind:
        return value
    if isinstance(t, ScalarType | VectorType):
        return emitter.cast("trunc", value, kind)
    assert isinstance(t, StructType | TupleType)
    result = Value(kind, "undef")
    for index, member in enumerate(members_of(t)):
        part = emitter.extract(value, index, memory_type(ctx.module, member))
        result = emitter.insert(result, _from_memory(ctx, part, member), index)
    return result


def _pointer_attributes(kernel: tir.Kernel, t: ArrayType) -> str:
    """``noalias`` where no other pointer of the kernel reaches the elements.

    The launch refuses outputs that overlap another array, but a raw pointer may reach anything. LLVM also takes a
    ``noalias`` argument's memory as out of every call's reach, a barrier's too, and would keep a value across it that
    another thread has replaced; so an array that is written has the attribute only in kernels whose threads do not
    communicate.
    """
    if any(_holds_pointer(parameter.type) for parameter in kernel.parameters):
        return ""
    if t.access is Access.IN:
        return "" if waits_for_launch(kernel) else "noalias readonly "
    return "" if _communicates(kernel) else "noalias "


def _holds_pointer(t: Type) -> bool:
    match t:
        case PointerType():
            return True
        case StructType() | TupleType():
            return any(_holds_pointer(member) for member in members_of(t))
        case _:
            return False


def waits_for_launch(kernel: tir.Kernel) -> bool:
    """Whether the kernel may start before the launch before it has ended, which then still writes this one's inputs."""
    return any(isinstance(node, tir.Effect) and node.callee.behavior is Behavior.LAUNCH for node in tir.walk(kernel))


def _communicates(kernel: tir.Kernel) -> bool:
    return any(isinstance(node, tir.Collective | tir.Effect) for node in tir.walk(kernel))
