"""The scheduler of a kernel whose threads are coroutines: the loop over blocks, and the rounds inside a block."""
from __future__ import annotations

from simt.core.cpu.backend import HostBackend
from simt.core.cpu.coroutines import Threads
from simt.core.cpu.counting import counting
from simt.core.cpu.frame import BlockLoop, record_field
from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.meeting_point import ALL_FINISHED, BLOCK_BIT, DIVERGENT, GO_ON, RUNNABLE
from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext


def emit_rounds(ctx: FunctionContext, backend: HostBackend, threads: Threads, loop: BlockLoop, call: str) -> None:
    """One block: start every thread, then resume in rounds until all have finished, one has failed, or none can go on.

    ``call``: the thread's function with the arguments it shares with the blocks' function, ready for more.
    """
    emitter, block = ctx.emitter, backend.block
    count = emitter.cast("trunc", block.threads, "i32")
    emitter.store(integer(64, 0), threads.failed)
    _fill(emitter, threads.state, RUNNABLE, emitter.binary("shl", block.threads, integer(64, 2)))
    _fill(emitter, threads.alive, 1, block.threads)
    nx, ny, nz = block.dimension
    counters = counting(emitter, nz, "z"), counting(emitter, ny, "y"), counting(emitter, nx, "x")
    with counters[0] as (z, _), counters[1] as (y, _), counters[2] as (x, _):
        row = emitter.binary("mul", emitter.binary("add", emitter.binary("mul", z, ny), y), nx)
        thread = emitter.cast("zext", emitter.binary("add", row, x), "i64")
        frame = _entry(emitter, threads.frames, "ptr", thread)
        shared = ", ".join(map(str, (frame, block.linear, *block.index, x, y, z, thread)))
        handle = emitter.let("ptr", f"{call}, {shared})")
        emitter.store(handle, _entry(emitter, threads.handles, "ptr", thread))
    rounds, decide, go_on, stuck = (emitter.new_block(x) for x in ("rounds", "decide", "go_on", "stuck"))
    emitter.branch(decide)
    emitter.place(rounds)
    with counting(emitter, count, "thread") as (number, again):
        thread = emitter.cast("zext", number, "i64")
        state = emitter.load("i32", _entry(emitter, threads.state, "i32", thread))
        resume = emitter.new_block("resume")
        emitter.branch_if(emitter.compare("icmp eq", state, integer(32, RUNNABLE)), resume, again)
        emitter.place(resume)
        emitter.module.declare("llvm.coro.resume", "void", ["ptr"])
        handle = emitter.load("ptr", _entry(emitter, threads.handles, "ptr", thread))
        emitter.do(f"call void @llvm.coro.resume({handle})")
    emitter.place(decide)
    failed = emitter.compare("icmp ne", emitter.load("i64", threads.failed), integer(64, 0))
    emitter.branch_if(failed, loop.skip, go_on)
    emitter.place(go_on)
    culprits = emitter.alloca("[2 x i64]", hint="culprits")
    meet = emitter.load("ptr", record_field(emitter, block.record, LaunchField.MEET_FUNCTION))
    arguments = ", ".join(map(str, (threads.state, threads.mask, threads.members, block.threads, culprits)))
    outcome = emitter.let("i64", f"call i64 {meet.text}({arguments})")
    cases = f"i64 {ALL_FINISHED}, label %{loop.skip.name} i64 {GO_ON}, label %{rounds.name}"
    emitter.terminate(f"switch {outcome}, label %{stuck.name} [{cases}]")
    emitter.place(stuck)
    _report(ctx, backend, threads, culprits, outcome)
    emitter.branch(loop.skip)


def free_frames(ctx: FunctionContext, backend: HostBackend, threads: Threads) -> None:
    """Give the frames back, at the end of the blocks' function."""
    emitter = ctx.emitter
    count = emitter.cast("trunc", backend.block.threads, "i32")
    with counting(emitter, count, "frame") as (number, _):
        frame = _entry(emitter, threads.frames, "ptr", emitter.cast("zext", number, "i64"))
        emitter.call("void", "free", [emitter.load("ptr", frame)])


def clear_frames(ctx: FunctionContext, backend: HostBackend, threads: Threads) -> None:
    """No thread has a frame yet, at the start of the blocks' function."""
    emitter = ctx.emitter
    _fill(emitter, threads.frames, 0, emitter.binary("shl", backend.block.threads, integer(64, 3)))


def _report(ctx: FunctionContext, backend: HostBackend, threads: Threads, culprits: Value, outcome: Value) -> None:
    """Two threads that wait for each other: the first with its place as the fault, the second as its other side."""
    emitter, block = ctx.emitter, backend.block
    table = ", ".join(f"i64 {number}" for pair in threads.sites for number in pair)
    kind = f"[{2 * len(threads.sites)} x i64]"
    ctx.module.add_global("collective.sites", f"private unnamed_addr constant {kind} [{table}]")
    diverged = emitter.compare("icmp eq", outcome, integer(64, DIVERGENT))
    column = emitter.select(diverged, integer(64, 0), integer(64, 1))

    def thread(position: int) -> Value:
        return emitter.load("i64", emitter.let("ptr", f"getelementptr i64, {culprits}, i64 {position}"))

    def site(who: Value) -> Value:
        state = emitter.load("i32", _entry(emitter, threads.state, "i32", who))
        waits = emitter.compare("icmp sgt", state, integer(32, 0))
        number = emitter.binary("sub", emitter.binary("and", state, integer(32, BLOCK_BIT - 1)), integer(32, 1))
        number = emitter.select(waits, emitter.cast("zext", number, "i64"), integer(64, 0))
        entry = emitter.binary("add", emitter.binary("shl", number, integer(64, 1)), column)
        return emitter.load("i64", emitter.let("ptr", f"getelementptr i64, ptr @collective.sites, {entry}"))

    first, second = thread(0), thread(1)
    live = emitter.alloca("i64", hint="live")
    emitter.store(integer(64, 0), live)
    with counting(emitter, emitter.cast("trunc", block.threads, "i32"), "count") as (number, _):
        alive = emitter.load("i8", _entry(emitter, threads.alive, "i8", emitter.cast("zext", number, "i64")))
        emitter.store(emitter.binary("add", emitter.load("i64", live), emitter.cast("zext", alive, "i64")), live)
    emitter.store(site(first), backend.fault_site)
    packed = emitter.binary("or", emitter.binary("shl", block.linear, integer(64, 32)), second)
    backend.report(ctx, first, emitter.load("i64", live), other=(packed, site(second)))


def _entry(emitter: Emitter, array: Value, element: str, index: Value) -> Value:
    return emitter.let("ptr", f"getelementptr {element}, {array}, {index}")


def _fill(emitter: Emitter, array: Value, byte: int, size: Value) -> None:
    emitter.module.declare("llvm.memset.p0.i64", "void", ["ptr", "i8", "i64", "i1"])
    emitter.do(f"call void @llvm.memset.p0.i64({array}, i8 {byte}, {size}, i1 false)")
