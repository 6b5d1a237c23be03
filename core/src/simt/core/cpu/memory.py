"""What a kernel finds in memory at its start: parameters, and its constant, shared and local arrays."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check import tir
from simt.core.cpu.allocations import allocation_bytes, store_view
from simt.core.cpu.exposure import used_in_node
from simt.core.cpu.frame import ArenaPlan
from simt.core.cpu.regions import Regions
from simt.core.cpu.schedule import UniformFor, UniformWhile, walk_schedule
from simt.core.cpu.state import Emission
from simt.core.cpu.watch import Watch
from simt.core.llvm.builder import Value
from simt.core.llvm.context import FunctionContext, stack_slot
from simt.core.llvm.memory import Address, load_from, store_to
from simt.core.llvm.types import memory_type, storage_type
from simt.core.llvm.views import make_view
from simt.core.types import AddressSpace, ArrayType
from simt.core.types.layout import align_of, align_up

MAXIMUM_EXTENT = 1 << 48


def load_parameters(ctx: FunctionContext, kernel: tir.Kernel, offsets: tuple[int, ...]) -> dict[tir.Local, Value]:
    """Slots with the parameters' values, filled at the function's entry."""
    slots: dict[tir.Local, Value] = {}
    for position, (local, offset) in enumerate(zip(kernel.parameters, offsets, strict=True)):
        slot = stack_slot(ctx, local)
        held = storage_type(ctx.module, local.type)
        if isinstance(local.type, ArrayType):
            value = _array_parameter(ctx, local.type, position, offset)
        else:
            source = Address(
                _argument(ctx, offset), local.type, memory_type(ctx.module, local.type), AddressSpace.GENERIC,
                align_of(local.type),
            )
            value = load_from(ctx, source)
        store_to(ctx, Address(slot, local.type, held, AddressSpace.GENERIC, align_of(local.type)), value)
        slots[local] = slot
    return slots


def constant_arrays(ctx: FunctionContext, kernel: tir.Kernel) -> dict[tir.Local, Value]:
    """Slots with the views of the kernel's constant arrays, whose bytes become globals of the module."""
    slots: dict[tir.Local, Value] = {}
    for number, allocation in enumerate(kernel.allocations):
        if allocation.space is AddressSpace.CONSTANT:
            assert allocation.data is not None
            data = "".join(f"\\{byte:02X}" for byte in allocation.data)
            name = f"constant.{number}"
            ctx.module.add_global(
                name,
                f'private unnamed_addr constant [{len(allocation.data)} x i8] c"{data}", align {allocation.alignment}',
            )
            slots[allocation.local] = _view_slot(ctx, allocation, Value("ptr", f"@{name}"))
    return slots


@dataclass(frozen=True, slots=True)
class SharedMemory:
    """Where each static shared array begins: a part of the arena and an offset in it.

    ``dynamic`` is the start of dynamic shared memory, if the kernel uses it.
    """

    arrays: tuple[tuple[tir.Allocation, Value, int], ...]
    dynamic: Value | None


def plan_shared(kernel: tir.Kernel, plan: ArenaPlan, watch: Watch | None) -> SharedMemory:
    """Lay out shared memory. With a ``watch``, static arrays lie in one part, so that they have one shadow; without,
    each is a part of its own, so that LLVM knows they do not overlap."""
    allocations = [allocation for allocation in kernel.allocations if allocation.space is AddressSpace.SHARED]
    uses_dynamic = any(isinstance(node, tir.DynamicShared) for node in tir.walk(kernel))
    dynamic = plan.add_dynamic("shared") if uses_dynamic else None
    if watch is None:
        arrays = [(item, plan.add_fixed(item.local.name, allocation_bytes(item)), 0) for item in allocations]
        return SharedMemory(tuple(arrays), dynamic)
    offsets: list[int] = []
    end = 0
    for allocation in allocations:
        offsets.append(align_up(end, max(16, allocation.alignment)))
        end = offsets[-1] + allocation_bytes(allocation)
    start = plan.add_fixed("shared", end)
    watch.add_parts(plan, start if allocations else None, end, dynamic)
    places = zip(allocations, offsets, strict=True)
    return SharedMemory(tuple((allocation, start, offset) for allocation, offset in places), dynamic)


def shared_arrays(ctx: FunctionContext, shared: SharedMemory) -> dict[tir.Local, Value]:
    """Slots with the views of the kernel's static shared arrays."""
    slots: dict[tir.Local, Value] = {}
    for allocation, part, offset in shared.arrays:
        base = ctx.emitter.let("ptr", f"getelementptr inbounds i8, {part}, i64 {offset}")
        slots[allocation.local] = _view_slot(ctx, allocation, base)
    return slots


def local_arrays(emission: Emission, kernel: tir.Kernel, regions: Regions) -> dict[tir.Local, Value]:
    """Slots with the views of the kernel's local arrays: on the stack where one region uses them, else one a thread in
    the arena, whose view each thread region sets anew (``Emission.local_arrays``)."""
    slots: dict[tir.Local, Value] = {}
    for allocation in kernel.allocations:
        if allocation.space is not AddressSpace.LOCAL:
            continue
        slot = stack_slot(emission.ctx, allocation.local)
        slots[allocation.local] = slot
        size = allocation_bytes(allocation)
        if _is_private(regions, allocation.local):
            kind = f"[{size} x i8]"
            store_view(emission.ctx, allocation, slot, emission.ctx.emitter.alloca(kind, "array", allocation.alignment))
        else:
            base = emission.backend.plan.add_array(allocation.local.name, size)
            emission.local_arrays.append((allocation, slot, base))
    return slots


def _view_slot(ctx: FunctionContext, allocation: tir.Allocation, base: Value) -> Value:
    slot = stack_slot(ctx, allocation.local)
    store_view(ctx, allocation, slot, base)
    return slot


def _is_private(regions: Regions, local: tir.Local) -> bool:
    """Whether one region alone uses the array, and runs once."""
    nodes = list(walk_schedule(regions.schedule))
    users = [node for node in nodes if local in used_in_node(node)]
    return len(users) <= 1 and not any(isinstance(node, UniformFor | UniformWhile) for node in nodes)


def _argument(ctx: FunctionContext, offset: int) -> Value:
    return ctx.emitter.let("ptr", f"getelementptr i8, ptr %arguments, i64 {offset}")


def _array_parameter(ctx: FunctionContext, t: ArrayType, position: int, offset: int) -> Value:
    emitter = ctx.emitter
    extent_range = emitter.module.add_metadata(f"!{{i64 0, i64 {MAXIMUM_EXTENT}}}")
    runtime = sum(extent is None for extent in t.shape)
    words = [_argument(ctx, offset + 8 * (1 + number)) for number in range(runtime + (t.ndim if t.strided else 0))]
    extents = [emitter.load("i64", word, f", align 8, !range {extent_range}") for word in words[:runtime]]
    strides = [emitter.load("i64", word, ", align 8") for word in words[runtime:]]
    return make_view(ctx, t, Value("ptr", f"%array.{position}"), extents, strides)


