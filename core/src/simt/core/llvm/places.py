"""Places: their addresses with the checks that these need, and the values there."""
from __future__ import annotations

from typing import assert_never

from simt.core.check import tir
from simt.core.llvm import expressions
from simt.core.llvm.builder import Value
from simt.core.llvm.checks import check_alignment, check_bounds, check_index
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Access, FunctionContext
from simt.core.llvm.memory import Address, load_from, member_address, store_to
from simt.core.llvm.types import members_of, memory_type, storage_type
from simt.core.llvm.views import element_address
from simt.core.types import AddressSpace, PointerType, TupleType, VectorType
from simt.core.types.layout import align_of, size_of


def address_of(ctx: FunctionContext, place: tir.Place) -> Address:
    """The address of ``place``, with its index and alignment checks."""
    match place:
        case tir.Variable(local=local):
            pointer = ctx.pointer_to(local)
            held = storage_type(ctx.module, local.type)
            return Address(pointer, local.type, held, AddressSpace.GENERIC, align_of(local.type))
        case tir.Element():
            return _element(ctx, place)
        case tir.Pointee():
            return _pointee(ctx, place)
        case tir.Member(place=outer, index=index):
            return member_address(ctx, address_of(ctx, outer), index)
        case tir.Item():
            return _item(ctx, place)
        case _:
            assert_never(place)


def load_place(ctx: FunctionContext, place: tir.Place) -> Value:
    """The value at ``place``, as an operand."""
    with ctx.at(place.span):
        address = address_of(ctx, place)
        _announce(ctx, place, address, None)
        return load_from(ctx, address, ctx.backend.load_suffix(ctx, place))


def store_place(ctx: FunctionContext, place: tir.Place, value: Value) -> None:
    """Store ``value`` at ``place``."""
    address = address_of(ctx, place)
    _announce(ctx, place, address, value)
    store_to(ctx, address, value)


def _element(ctx: FunctionContext, place: tir.Element) -> Address:
    view = expressions.view_of(ctx, place.array)
    indices = [expressions.emit_expression(ctx, index) for index in place.indices]
    if ctx.checks:
        check_bounds(ctx, place, indices, [view.extent(ctx, axis) for axis in range(len(indices))])
    t = view.type
    pointer = element_address(ctx, view, indices)
    return Address(pointer, t.element, memory_type(ctx.module, t.element), t.space, align_of(t.element))


def _pointee(ctx: FunctionContext, place: tir.Pointee) -> Address:
    pointer, t = expressions.emit_expression(ctx, place.pointer), place.pointer.type
    assert isinstance(t, PointerType)
    if ctx.checks:
        check_alignment(ctx, place, pointer, align_of(t.element))
    return Address(pointer, t.element, memory_type(ctx.module, t.element), t.space, align_of(t.element))


def _item(ctx: FunctionContext, place: tir.Item) -> Address:
    """A part chosen at run time. Parts of equal type lie like an array's elements: LLVM's structs cannot be indexed."""
    outer, emitter = address_of(ctx, place.place), ctx.emitter
    index = expressions.emit_expression(ctx, place.index)
    t = outer.type
    assert isinstance(t, TupleType | VectorType)
    members = members_of(t)
    if ctx.checks:
        check_index(ctx, place, index, integer(64, len(members)), "index", "size")
    held, space = memory_type(ctx.module, members[0]), outer.space
    start = emitter.cast_pointer(outer.pointer, held, space)
    pointer = emitter.element_pointer(held, start, index, space)
    return Address(pointer, members[0], held, outer.space, align_of(members[0]))


def _announce(ctx: FunctionContext, place: tir.Place, address: Address, value: Value | None) -> None:
    """Show the access to the back end, unless it is one of the thread's own variable."""
    base: tir.Place = place
    while isinstance(base, tir.Member | tir.Item):
        base = base.place
    if ctx.checks and not isinstance(base, tir.Variable):
        ctx.backend.before_access(ctx, Access(address.pointer, size_of(address.type), address.space, place, value))
