"""Kernels whose threads may part before they meet: each thread is an LLVM coroutine, and a scheduler resumes them.

A thread suspends at each collective, noting where it waits (``meeting_point``). The scheduler runs all runnable
threads of the block once, then lets ``simt_meet`` decide who may go on. Frames come from ``malloc`` at a thread's
first block and serve all later blocks that the same call runs.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from simt.core.check import tir
from simt.core.cpu.allocations import allocation_bytes, store_view
from simt.core.cpu.backend import FaultExit, HostBackend
from simt.core.cpu.collectives import Exchange, assign_meaning, require_membership
from simt.core.cpu.constant_arguments import without_constants
from simt.core.cpu.frame import ArenaPlan
from simt.core.cpu.meeting_point import BLOCK_BIT, FINISHED, RUNNABLE
from simt.core.cpu.memory import SharedMemory, constant_arrays, load_parameters, shared_arrays
from simt.core.cpu.position import ThreadPosition
from simt.core.llvm.builder import BasicBlock, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext, stack_slot
from simt.core.llvm.expressions import emit_expression
from simt.core.llvm.faults import FaultKind, Site, source_text
from simt.core.llvm.memory import store_to
from simt.core.llvm.statements import emit_statements
from simt.core.llvm.types import memory_type
from simt.core.llvm.variables import assign
from simt.core.types import AddressSpace
from simt.core.types.layout import size_of

FRAME_ALIGNMENT = 64
EXTRA_PARAMETERS = (
    "ptr %frame_slot", "i64 %block", "i32 %bx", "i32 %by", "i32 %bz", "i32 %tx", "i32 %ty", "i32 %tz", "i64 %thread",
)
"""Parameters of a thread's function behind those of the blocks' function."""


@dataclass(slots=True)
class Threads:
    """What the scheduler and the threads share: arrays over threads in the arena, and the collectives met so far.

    ``sites`` has, for each collective, its numbers in the site table: as a divergent barrier, and as a deadlock.
    """

    state: Value
    mask: Value
    members: Value
    alive: Value
    handles: Value
    frames: Value
    failed: Value
    sites: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def plan_threads(plan: ArenaPlan) -> Threads:
    """Reserve the arrays."""
    return Threads(
        state=plan.add_array("state", 4), mask=plan.add_array("mask", 4), members=plan.add_array("members", 4),
        alive=plan.add_array("alive", 1), handles=plan.add_array("handles", 8), frames=plan.add_array("frames", 8),
        failed=plan.add_fixed("failed", 8),
    )


@dataclass(slots=True)
class _Thread:
    """One coroutine under construction: ``suspended`` returns to the scheduler, ``finish`` ends the thread."""

    ctx: FunctionContext
    backend: HostBackend
    threads: Threads
    linear: Value
    suspended: BasicBlock
    finish: BasicBlock

    def slot(self, array: Value, size: int) -> Value:
        """This thread's entry of an array over threads."""
        return self.ctx.emitter.let("ptr", f"getelementptr i{8 * size}, {array}, {self.linear}")

    def suspend(self, final: bool = False) -> None:
        """Give way to the scheduler; continues here when resumed. Nothing follows a final suspension."""
        emitter = self.ctx.emitter
        emitter.module.declare("llvm.coro.suspend", "i8", ["token", "i1"])
        resumed = emitter.new_block("resumed")
        text = f"call i8 @llvm.coro.suspend(token none, i1 {'true' if final else 'false'})"
        choice = emitter.let("i8", text)
        cases = f"i8 0, label %{resumed.name} i8 1, label %{self.suspended.name}"
        emitter.terminate(f"switch {choice}, label %{self.suspended.name} [{cases}]")
        emitter.place(resumed)


def emit_thread(
    ctx: FunctionContext, backend: HostBackend, threads: Threads, shared: SharedMemory, offsets: tuple[int, ...],
) -> None:
    """Emit the body of the thread's function, whose parameters are named as in ``EXTRA_PARAMETERS``."""
    emitter, kernel = ctx.emitter, ctx.kernel
    handle = _begin(ctx)
    linear = Value("i64", "%thread")
    backend.block = replace(
        backend.block, linear=Value("i64", "%block"),
        index=(Value("i32", "%bx"), Value("i32", "%by"), Value("i32", "%bz")),
    )
    coordinates = Value("i32", "%tx"), Value("i32", "%ty"), Value("i32", "%tz")
    backend.thread = ThreadPosition(index=coordinates, linear=linear)
    thread = _Thread(ctx, backend, threads, linear, emitter.new_block("suspended"), emitter.new_block("finish"))
    backend.failing = FaultExit(emitter.new_block("fault"))
    backend.on_end = lambda context: context.emitter.branch(thread.finish)
    backend.on_collective = lambda _, node: _collective(thread, node)
    ctx.pointers = load_parameters(ctx, kernel, offsets)
    ctx.pointers |= constant_arrays(ctx, kernel) | shared_arrays(ctx, shared)
    _local_arrays(ctx)
    emit_statements(ctx, kernel.body)
    emitter.branch(thread.finish)
    if backend.failing.used:
        emitter.place(backend.failing.block)
        backend.report(ctx, linear, integer(64, 1))
        emitter.store(integer(64, 1), threads.failed)
        emitter.branch(thread.finish)
    emitter.place(thread.finish)
    emitter.store(integer(8, 0), thread.slot(threads.alive, 1))
    emitter.store(integer(32, FINISHED), thread.slot(threads.state, 4))
    thread.suspend(final=True)
    emitter.terminate("unreachable")
    emitter.place(thread.suspended)
    emitter.module.declare("llvm.coro.end", "void", ["ptr", "i1", "token"])
    emitter.do(f"call void @llvm.coro.end({handle}, i1 false, token none)")
    emitter.terminate(f"ret {handle}")


def _begin(ctx: FunctionContext) -> Value:
    """The coroutine's start: its frame, new at the thread's first block. Gives the handle."""
    emitter = ctx.emitter
    module = emitter.module
    module.declare("llvm.coro.id", "token", ["i32", "ptr", "ptr", "ptr"])
    module.declare("llvm.coro.size.i64", "i64", [])
    module.declare("llvm.coro.begin", "ptr", ["token", "ptr"])
    identity = emitter.let("token", f"call token @llvm.coro.id(i32 {FRAME_ALIGNMENT}, ptr null, ptr null, ptr null)")
    slot = Value("ptr", "%frame_slot")
    kept = emitter.load("ptr", slot)
    before, make, have = emitter.block, emitter.new_block("make"), emitter.new_block("have")
    emitter.branch_if(emitter.compare("icmp eq", kept, Value("ptr", "null")), make, have)
    emitter.place(make)
    size = emitter.let("i64", "call i64 @llvm.coro.size.i64()")
    made = emitter.call("ptr", "malloc", [emitter.binary("add", size, integer(64, FRAME_ALIGNMENT))])
    emitter.store(made, slot)
    emitter.place(have)
    memory = emitter.phi("ptr", [(kept, before), (made, make)])
    raised = emitter.binary("add", emitter.cast("ptrtoint", memory, "i64"), integer(64, FRAME_ALIGNMENT - 1))
    aligned = emitter.cast("inttoptr", emitter.binary("and", raised, integer(64, -FRAME_ALIGNMENT)), "ptr")
    return emitter.let("ptr", f"call ptr @llvm.coro.begin(token {identity.text}, {aligned})")


def _local_arrays(ctx: FunctionContext) -> None:
    for allocation in ctx.kernel.allocations:
        if allocation.space is AddressSpace.LOCAL:
            slot = stack_slot(ctx, allocation.local)
            kind = f"[{allocation_bytes(allocation)} x i8]"
            base = ctx.emitter.alloca(kind, "array", min(FRAME_ALIGNMENT, allocation.alignment))
            store_view(ctx, allocation, slot, base)
            ctx.pointers[allocation.local] = slot


def _collective(thread: _Thread, node: tir.Collective) -> None:
    """Hand over the arguments, wait, compute the result. A thread gives way once more before it goes on, since others
    still read what it handed over."""
    ctx, emitter, backend, threads = thread.ctx, thread.ctx.emitter, thread.backend, thread.threads
    of_warp = node.scope is tir.Scope.WARP
    node = without_constants(node)
    backend.watch.barrier(ctx, node.scope)
    exchanges = tuple(_exchange(backend.plan, ctx, argument) for argument in node.arguments[: -1 if of_warp else None])
    for exchange, argument in zip(exchanges, node.arguments, strict=False):
        store_to(ctx, exchange.address(ctx, thread.linear), emit_expression(ctx, argument))
    if of_warp:
        mask = emit_expression(ctx, node.arguments[-1])
        require_membership(ctx, node, mask, emitter.binary("and", thread.linear, integer(64, 31)))
        emitter.store(mask, thread.slot(threads.mask, 4))
    number = len(threads.sites) + 1
    threads.sites.append(_sites(ctx, node))
    emitter.store(integer(32, number if of_warp else number | BLOCK_BIT), thread.slot(threads.state, 4))
    thread.suspend()
    meaning = node.meaning
    if meaning is None:
        return
    _compute(thread, node, meaning, exchanges)
    emitter.store(integer(32, RUNNABLE), thread.slot(threads.state, 4))
    thread.suspend()


def _compute(thread: _Thread, node: tir.Collective, meaning: tir.Meaning, exchanges: tuple[Exchange, ...]) -> None:
    ctx, emitter, block = thread.ctx, thread.ctx.emitter, thread.backend.block
    if node.scope is tir.Scope.WARP:
        lane = emitter.binary("and", thread.linear, integer(64, 31))
        first = emitter.binary("sub", thread.linear, lane)
        bases = [exchange.address(ctx, first).pointer for exchange in exchanges]
        members = emitter.load("i32", thread.slot(thread.threads.members, 4))
        assign_meaning(ctx, meaning, lane, members, bases, integer(64, 32))
    else:
        bases = [exchange.base for exchange in exchanges]
        assign_meaning(ctx, meaning, thread.linear, thread.threads.alive, bases, block.threads)
    checks, ctx.checks = ctx.checks, False
    emit_statements(ctx, meaning.body)
    ctx.checks = checks
    if node.target is not None and meaning.result is not None:
        result = tir.Ref(span=node.span, type=meaning.result.type, local=meaning.result)
        assign(ctx, node.target, emit_expression(ctx, result))


def _exchange(plan: ArenaPlan, ctx: FunctionContext, argument: tir.Expr) -> Exchange:
    held = memory_type(ctx.module, argument.type)
    return Exchange(argument.type, held, plan.add_array("exchange", size_of(argument.type)))


def _sites(ctx: FunctionContext, node: tir.Collective) -> tuple[int, int]:
    """The collective's entries in the site table."""
    text = source_text(node.span, node.callee.name)
    kinds = (FaultKind.DIVERGENT_BARRIER, FaultKind.DEADLOCK)
    first, second = (ctx.sites.number_of(Site(kind=kind, span=node.span, expression=text)) for kind in kinds)
    return first, second
