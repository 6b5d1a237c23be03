"""Loading from and storing to an address, member by member for aggregates."""
from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.types import members_of, memory_type, register_type
from simt.core.types import (
    AddressSpace,
    ArrayType,
    ImageType,
    Kind,
    PointerType,
    ScalarType,
    StructType,
    TupleType,
    Type,
    VectorType,
)
from simt.core.types.layout import offsets_of, size_of


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer to a value of ``type``; ``held`` is LLVM's type of what it points to.

    ``alignment`` (bytes) is what is known of the address.
    """

    pointer: Value
    type: Type
    held: str
    space: AddressSpace
    alignment: int


def load_from(ctx: FunctionContext, address: Address, suffix: str = "") -> Value:
    """The value at ``address``, as an operand; ``suffix`` follows each load instruction."""
    t, emitter = address.type, ctx.emitter
    end = f", align {address.alignment}{suffix}"
    match t:
        case StructType() | TupleType():
            return _load_members(ctx, address, suffix)
        case ScalarType() if t.is_complex:
            return _load_members(ctx, address, suffix)
        case ScalarType() | VectorType() | PointerType() | ArrayType() | ImageType():
            loaded = emitter.load(address.held, address.pointer, end)
            return _to_register(ctx, loaded, t)
        case _:
            assert_never(t)


def store_to(ctx: FunctionContext, address: Address, value: Value) -> None:
    """Store an operand at ``address``."""
    t, emitter = address.type, ctx.emitter
    match t:
        case StructType() | TupleType():
            _store_members(ctx, address, value)
        case ScalarType() if t.is_complex:
            _store_members(ctx, address, value)
        case ScalarType() | VectorType() | PointerType() | ArrayType() | ImageType():
            if value.type != address.held:
                value = emitter.cast("zext", value, address.held)
            emitter.store(value, address.pointer, f", align {address.alignment}")
        case _:
            assert_never(t)


def member_address(ctx: FunctionContext, address: Address, index: int) -> Address:
    """The address of part ``index`` of the aggregate at ``address``."""
    t = address.type
    assert isinstance(t, StructType | TupleType | VectorType | ScalarType)
    members = members_of(t)
    held = memory_type(ctx.module, members[index])
    offset = index * size_of(members[0]) if isinstance(t, VectorType) else offsets_of(members)[index]
    pointer = ctx.emitter.member_pointer(address.held, address.pointer, integer(32, index), held, address.space)
    return Address(pointer, members[index], held, address.space, _common_alignment(address.alignment, offset))


def _load_members(ctx: FunctionContext, address: Address, suffix: str) -> Value:
    assert isinstance(address.type, StructType | TupleType | ScalarType)
    value = Value(register_type(ctx.module, address.type), "undef")
    for index in range(len(members_of(address.type))):
        part = load_from(ctx, member_address(ctx, address, index), suffix)
        value = ctx.emitter.insert(value, part, index)
    return value


def _store_members(ctx: FunctionContext, address: Address, value: Value) -> None:
    assert isinstance(address.type, StructType | TupleType | ScalarType)
    for index, member in enumerate(members_of(address.type)):
        part = ctx.emitter.extract(value, index, register_type(ctx.module, member))
        store_to(ctx, member_address(ctx, address, index), part)


def _to_register(ctx: FunctionContext, loaded: Value, t: Type) -> Value:
    """A bool's byte is cut to i1: any byte that a kernel or the host stored is 0 or 1."""
    is_bool = isinstance(t, ScalarType) and t.kind is Kind.BOOL
    if is_bool or (isinstance(t, VectorType) and t.element.kind is Kind.BOOL):
        return ctx.emitter.cast("trunc", loaded, register_type(ctx.module, t))
    return loaded


def _common_alignment(alignment: int, offset: int) -> int:
    """The alignment of an address ``offset`` bytes past one with ``alignment``."""
    return alignment if offset == 0 else min(alignment, offset & -offset)
