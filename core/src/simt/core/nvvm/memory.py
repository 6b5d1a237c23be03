"""Static and dynamic memory of a kernel: stack slots, shared arrays, constant arrays."""
from __future__ import annotations

from typing import assert_never

from simt.core.check import tir
from simt.core.llvm.builder import Emitter, Module, Value, plain_name
from simt.core.llvm.types import memory_type, register_type
from simt.core.types import AddressSpace
from simt.core.types.layout import size_of

_DYNAMIC = "simt_dynamic_shared"
DYNAMIC_ALIGNMENT = 16


def allocate(emitter: Emitter, allocation: tir.Allocation, symbol: str) -> Value:
    """The view of an allocation of the kernel ``symbol``, whose memory is declared on the way."""
    array, module = allocation.array, emitter.module
    element = memory_type(module, array.element)
    match allocation.space:
        case AddressSpace.LOCAL:
            slot = emitter.alloca(f"[{_length(allocation)} x {element}]", allocation.local.name, allocation.alignment)
        case AddressSpace.SHARED:
            slot = _global(module, allocation, symbol, f"[{_length(allocation)} x {element}]", "undef", "global")
        case AddressSpace.CONSTANT:
            assert allocation.data is not None, "constant memory has contents"
            held = f"[{len(allocation.data)} x i8]"
            slot = _global(module, allocation, symbol, held, quoted_bytes(allocation.data), "constant")
        case AddressSpace.GENERIC | AddressSpace.GLOBAL:
            raise AssertionError(f"a kernel does not allocate {allocation.space} memory")
        case _:
            assert_never(allocation.space)
    pointer = emitter.cast_pointer(slot, element, allocation.space)
    return emitter.insert(Value(register_type(module, array), "undef"), pointer, 0)


def dynamic_shared(emitter: Emitter) -> Value:
    """Start of dynamic shared memory: a pointer to i8 in the shared space."""
    space = int(AddressSpace.SHARED)
    emitter.module.add_global(
        _DYNAMIC, f"external addrspace({space}) global [0 x i8], align {DYNAMIC_ALIGNMENT}"
    )
    return emitter.cast_pointer(Value(emitter.module.pointer("[0 x i8]", space), f"@{_DYNAMIC}"), "i8", space)


def constant_string(emitter: Emitter, text: bytes) -> Value:
    """A generic pointer to ``text`` with a NUL behind it, in global constant memory; equal strings are shared."""
    module, data = emitter.module, text + b"\0"
    held, space = f"[{len(data)} x i8]", int(AddressSpace.CONSTANT)
    contents = f"private unnamed_addr addrspace({space}) constant {held} {quoted_bytes(data)}, align 1"
    known = next((name for name, line in module.globals.items() if line.endswith(f"= {contents}")), None)
    name = known or f"simt_string_{len(module.globals)}"
    module.add_global(name, contents)
    pointer = emitter.cast_pointer(Value(module.pointer(held, space), f"@{name}"), "i8", space)
    return emitter.cast("addrspacecast", pointer, module.pointer("i8"))


def quoted_bytes(data: bytes) -> str:
    """LLVM's literal of a byte array."""
    return 'c"' + "".join(f"\\{byte:02X}" for byte in data) + '"'


def _global(
    module: Module, allocation: tir.Allocation, symbol: str, held: str, contents: str, kind: str,
) -> Value:
    """Internal to the module, so that two linked kernels may use one name."""
    space = int(allocation.space)
    name = f"{symbol}_{plain_name(allocation.local.name)}_{allocation.local.number}"
    while name in module.globals:
        name += "_"
    module.add_global(name, f"internal addrspace({space}) {kind} {held} {contents}, align {allocation.alignment}")
    return Value(module.pointer(held, space), f"@{name}")


def _length(allocation: tir.Allocation) -> int:
    """Number of elements, which is known at compile time."""
    length = 1
    for extent in allocation.array.shape:
        assert extent is not None, "the extents of an allocation are compile-time values"
        length *= extent
    assert size_of(allocation.array.element) > 0
    return length
