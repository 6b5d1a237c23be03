"""The state of emitting one kernel as loops over its threads, and where its locals are found."""
from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from simt.core.check import tir
from simt.core.cpu.allocations import allocation_bytes, store_view
from simt.core.cpu.backend import FaultExit, HostBackend
from simt.core.cpu.storage import Home, Storage
from simt.core.llvm.builder import BasicBlock, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.expressions import emit_expression
from simt.core.llvm.types import storage_type
from simt.core.llvm.variables import assign
from simt.core.types.layout import size_of


@dataclass(slots=True)
class WarpState:
    """The warp at hand: its number, its first thread, how many lanes it has (all i64), and where it is done.

    ``live`` is the slot (i64) that counts its lanes still at work, where threads may return early.
    """

    number: Value
    first: Value
    lanes: Value
    done: BasicBlock
    live: Value

    @property
    def is_whole(self) -> bool:
        """Whether the warp is known to have all its 32 lanes."""
        return self.lanes == integer(64, 32)


class Left(StrEnum):
    """Which blocks do not run together with others (``runs``): all, those at borders, or only those about to fail."""

    ALL = "all"
    BORDERS = "borders"
    FAILING = "failing"


@dataclass(slots=True)
class Emission:
    """``fixed`` are the pointers of locals with one slot; ``arrays`` the bases of the others' arrays.

    ``alive`` (a byte a thread) and ``live`` (i64 slot) exist where threads may return before others meet.
    ``local_arrays``: those that live in the arena, with the slot of their view and their base there.
    ``left``: the blocks that the code at hand is for. ``failed`` (i1 slot) says that a thread of the block failed;
    ``done`` is where the block's work ends.
    """

    ctx: FunctionContext
    backend: HostBackend
    storage: Storage
    fixed: dict[tir.Local, Value]
    parameters: dict[tir.Local, Value]
    failed: Value
    live: Value
    done: BasicBlock
    alive: Value | None = None
    uniform_failing: FaultExit | None = None
    arrays: dict[tir.Local, Value] = field(default_factory=dict[tir.Local, Value])
    local_arrays: list[tuple[tir.Allocation, Value, Value]] = field(
        default_factory=list[tuple[tir.Allocation, Value, Value]]
    )
    slots: dict[tir.Local, Value] = field(default_factory=dict[tir.Local, Value])
    warp: WarpState | None = None
    left: Left = Left.ALL

    def slot(self, local: tir.Local) -> Value:
        """A stack slot for the local, made at the first call."""
        if local not in self.slots:
            self.slots[local] = self.ctx.emitter.alloca(storage_type(self.ctx.module, local.type), hint=local.name)
        return self.slots[local]

    def array(self, local: tir.Local) -> Value:
        """Base of the local's array over threads or warps, in the arena."""
        if local not in self.arrays:
            self.arrays[local] = self.backend.plan.add_array(local.name, stored_size(local))
        return self.arrays[local]

    def lane_array(self, local: tir.Local) -> Value:
        """Base of the local's array over the lanes of a warp, on the stack."""
        if local not in self.arrays:
            held = storage_type(self.ctx.module, local.type)
            self.arrays[local] = self.ctx.emitter.alloca(f"[32 x {held}]", hint=local.name, alignment=64)
        return self.arrays[local]

    def uniform_scope(self) -> None:
        """Make ``ctx`` see the locals that code for a whole block or warp may use."""
        pointers = dict(self.fixed)
        for local in self.storage.at(Home.WARP):
            pointers[local] = self.slot(local)
        if self.warp is not None:
            for local in self.storage.at(Home.WARP_ARRAY):
                pointers[local] = self.element(self.array(local), local, self.warp.number)
        self.ctx.pointers = pointers
        self.backend.thread = None
        self.backend.warp = None if self.warp is None else self.warp.number
        self.backend.on_end = None
        self.backend.failing = self.uniform_failing

    def thread_scope(self, used: frozenset[tir.Local], thread: Value, lane: Value | None) -> None:
        """Make ``ctx`` see all locals in ``used`` as the thread at hand has them. Emits at its start.

        ``thread`` is its linear number, ``lane`` its lane within the present warp (i64), if there is one.
        """
        pointers = dict(self.fixed)
        computed = self._needed(used)
        for local in sorted((used | set(computed)) - pointers.keys(), key=lambda local: (local.name, local.number)):
            pointers[local] = self._thread_pointer(local, thread, lane)
        self.ctx.pointers = pointers
        for local, value in computed.items():
            if self.storage.homes.get(local) is Home.RECOMPUTED:
                assign(self.ctx, local, emit_expression(self.ctx, value))
        for allocation, slot, base in self.local_arrays:
            if allocation.local in used:
                size = integer(64, allocation_bytes(allocation))
                offset = self.ctx.emitter.binary("mul", thread, size)
                view = self.ctx.emitter.let("ptr", f"getelementptr i8, {base}, {offset}")
                store_view(self.ctx, allocation, slot, view)

    def _needed(self, used: frozenset[tir.Local]) -> dict[tir.Local, tir.Expr]:
        """The recomputed locals among ``used``, and those that they need, in order."""
        needed = set(used)
        for local, value in reversed(self.storage.recomputed.items()):
            if local in needed:
                needed |= {node.local for node in tir.walk(value) if isinstance(node, tir.Ref)}
        return {local: value for local, value in self.storage.recomputed.items() if local in needed}

    def element(self, base: Value, local: tir.Local, index: Value) -> Value:
        """Address of entry ``index`` of a local's array."""
        held = storage_type(self.ctx.module, local.type)
        return self.ctx.emitter.let("ptr", f"getelementptr inbounds {held}, {base}, {index}")

    def _thread_pointer(self, local: tir.Local, thread: Value, lane: Value | None) -> Value:
        emitter = self.ctx.emitter
        match self.storage.homes.get(local, Home.PRIVATE):
            case Home.THREAD:
                return self.element(self.array(local), local, thread)
            case Home.LANE if lane is not None:
                return self.element(self.lane_array(local), local, lane)
            case Home.WARP_ARRAY:
                return self.element(self.array(local), local, emitter.binary("lshr", thread, integer(64, 5)))
            case Home.WARP | Home.FIXED | Home.RECOMPUTED:
                return self.slot(local)
            case Home.PRIVATE | Home.LANE:  # outside warps, no value of a lane's local comes in or goes out
                slot = self.slot(local)
                start = self.parameters.get(local)
                held = storage_type(self.ctx.module, local.type)
                if start is not None:
                    emitter.store(emitter.load(held, start), slot)
                else:
                    emitter.store(Value(held, "undef"), slot)
                return slot


def stored_size(local: tir.Local) -> int:
    """Bytes that an array over threads takes for each."""
    return max(1, size_of(local.type))
