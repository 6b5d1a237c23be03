"""The CPU target's answers to what the shared emission asks (``llvm.context.Backend``)."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from simt.core.check import tir
from simt.core.cpu.calls import AnyIntrinsic, emit_call
from simt.core.cpu.frame import ArenaPlan, record_field
from simt.core.cpu.host_kernel import PrintSite
from simt.core.cpu.launch_record import MAXIMUM_VALUES, LaunchField
from simt.core.cpu.position import BlockPosition, ThreadPosition
from simt.core.cpu.prints import emit_print
from simt.core.cpu.watch import Watch
from simt.core.diagnostics.span import Span
from simt.core.errors import InternalCompilerError
from simt.core.intrinsics.declare import Behavior
from simt.core.llvm.builder import BasicBlock, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Access, FunctionContext, stack_slot
from simt.core.llvm.faults import Site
from simt.core.types import Type

EndThread = Callable[[FunctionContext], None]
EmitCollective = Callable[[FunctionContext, tir.Collective], None]


@dataclass(slots=True)
class FaultExit:
    """Where failing code of one region goes: ``block`` reports the site in ``site`` and leaves the region.

    ``used`` tells whether any code does.
    """

    block: BasicBlock
    used: bool = False


@dataclass(slots=True)
class HostBackend:
    """State of one kernel's emission. ``thread`` is None where the code runs once for a block, or for the
    warp numbered ``warp`` (i64).

    ``on_end`` ends the running thread and terminates the block; None where no single thread runs.
    ``on_collective`` emits a collective in the middle of a thread's code: coroutines only.
    """

    block: BlockPosition
    plan: ArenaPlan
    float_flags: str
    watch: Watch
    shared: Value | None
    fault_site: Value
    fault_values: Value
    thread: ThreadPosition | None = None
    warp: Value | None = None
    failing: FaultExit | None = None
    on_end: EndThread | None = None
    on_collective: EmitCollective | None = None
    prints: list[PrintSite] = field(default_factory=list[PrintSite])

    def intrinsic(
        self, ctx: FunctionContext, callee: AnyIntrinsic, arguments: tuple[Value, ...], types: tuple[Type, ...],
        result: Type | None,
    ) -> Value | None:
        if ctx.checks and callee.behavior is Behavior.EFFECT:
            self.watch.before_effect(ctx, callee, arguments, types)
        return emit_call(ctx, self.block, self.thread, self.warp, callee, arguments, types, result)

    def collective(self, ctx: FunctionContext, node: tir.Collective) -> None:
        """Only coroutines meet a collective inside a thread's code: elsewhere the kernel is split there."""
        if self.on_collective is None:
            raise InternalCompilerError(f"{node.callee.name} was left inside a loop over threads")
        self.on_collective(ctx, node)

    def fault(self, ctx: FunctionContext, site: Site, values: tuple[Value, ...]) -> None:
        assert self.failing is not None
        emitter = ctx.emitter
        kept = values[:MAXIMUM_VALUES]
        for position, value in enumerate(kept):
            emitter.store(value, self.value_slot(ctx, position))
        number = integer(64, ctx.sites.number_of(site))
        emitter.store(number, self.fault_site)
        self.failing.used = True
        emitter.branch(self.failing.block)

    def report(
        self, ctx: FunctionContext, thread: Value, threads: Value, other: tuple[Value, Value] | None = None,
    ) -> None:
        """Report the fault noted in ``fault_site`` for ``threads`` threads, the first of which is ``thread``.

        ``other``: the thread (its block in the upper half) and the site of the other side; by default what the watch
        knows.
        """
        emitter = ctx.emitter
        function = emitter.load("ptr", record_field(emitter, self.block.record, LaunchField.FAULT_FUNCTION))
        arguments = [
            self.block.record, self.block.linear, thread, emitter.load("i64", self.fault_site), threads,
            integer(64, MAXIMUM_VALUES), self.fault_values, *(other or self.watch.other(ctx)),
        ]
        emitter.do(f"call void {function.text}({', '.join(map(str, arguments))}) cold nounwind")

    def value_slot(self, ctx: FunctionContext, position: int) -> Value:
        return ctx.emitter.let("ptr", f"getelementptr i64, {self.fault_values}, i64 {position}")

    def end_thread(self, ctx: FunctionContext) -> None:
        assert self.on_end is not None
        self.on_end(ctx)

    def print(self, ctx: FunctionContext, message: tir.Message, span: Span) -> None:
        assert self.thread is not None
        emit_print(ctx, self.block, self.thread, self.prints, message, span)

    def local_pointer(self, ctx: FunctionContext, local: tir.Local) -> Value:
        return stack_slot(ctx, local)

    def dynamic_shared(self, ctx: FunctionContext) -> Value:
        assert self.shared is not None
        return self.shared

    def remainder(self, ctx: FunctionContext, lhs: Value, rhs: Value) -> Value:
        return ctx.emitter.binary("frem", lhs, rhs)

    def float_to_integer(self, ctx: FunctionContext, value: Value, bits: int, signed: bool) -> Value:
        kind = {"float": "f32", "double": "f64"}[value.type]
        return ctx.emitter.call(f"i{bits}", f"llvm.fpto{'s' if signed else 'u'}i.sat.i{bits}.{kind}", [value])

    def load_suffix(self, ctx: FunctionContext, place: tir.Place) -> str:
        return ""

    def before_access(self, ctx: FunctionContext, access: Access) -> None:
        self.watch.before_access(ctx, access)

    def before_loop(self, ctx: FunctionContext) -> None:
        pass

    def debug_location(self, ctx: FunctionContext, span: Span) -> str:
        return ""
