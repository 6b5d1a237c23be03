"""The same bits as another type."""
from __future__ import annotations

from simt.core.llvm.builder import Value
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.memory import Address, load_from, store_to
from simt.core.llvm.types import memory_type, register_type
from simt.core.types import AddressSpace, PointerType, ScalarType, StructType, TupleType, Type
from simt.core.types.layout import align_of


def bitcast(ctx: FunctionContext, value: Value, source: Type, target: Type) -> Value:
    """``value``'s bits as ``target``, which has the same size."""
    emitter, kind = ctx.emitter, register_type(ctx.module, target)
    if value.type == kind:
        return value
    if isinstance(source, PointerType):
        return emitter.cast("bitcast" if isinstance(target, PointerType) else "ptrtoint", value, kind)
    if isinstance(target, PointerType):
        return emitter.cast("inttoptr", value, kind)
    if _is_first_class(source) and _is_first_class(target):
        return emitter.cast("bitcast", value, kind)
    return _through_memory(ctx, value, source, target)


def _is_first_class(t: Type) -> bool:
    """Whether LLVM's ``bitcast`` takes values of ``t``: not aggregates, to which complex numbers belong."""
    return not isinstance(t, StructType | TupleType) and not (isinstance(t, ScalarType) and t.is_complex)


def _through_memory(ctx: FunctionContext, value: Value, source: Type, target: Type) -> Value:
    """Store as one type, load as the other; LLVM's SROA removes the slot."""
    held = memory_type(ctx.module, source)
    slot = ctx.emitter.alloca(held, hint="bits", alignment=max(align_of(source), align_of(target)))
    store_to(ctx, Address(slot, source, held, AddressSpace.GENERIC, align_of(source)), value)
    held = memory_type(ctx.module, target)
    pointer = ctx.emitter.cast_pointer(slot, held)
    return load_from(ctx, Address(pointer, target, held, AddressSpace.GENERIC, align_of(target)))
