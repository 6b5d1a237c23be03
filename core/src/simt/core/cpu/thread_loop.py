"""The loop over the threads of a block, or over the lanes of a warp."""
from __future__ import annotations

from collections.abc import Callable

from simt.core.check import tir
from simt.core.cpu.backend import FaultExit
from simt.core.cpu.counting import counting
from simt.core.cpu.position import ThreadPosition
from simt.core.cpu.state import Emission, WarpState
from simt.core.llvm.builder import BasicBlock, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Exits

ZERO = integer(32, 0)


def thread_region(
    emission: Emission, used: frozenset[tir.Local], body: Callable[[], None], *,
    leaving: frozenset[tir.Label] = frozenset(), may_return: bool = False, quick: bool = True,
) -> bool:
    """Emit ``body`` for each thread at work: of the warp at hand, or of the block. Gives whether a thread may fail.

    ``used``: all locals that ``body`` mentions. ``leaving``: labels whose break ends the region for its thread.
    ``quick``: the loop is worth LLVM's effort; else it is to be small. Afterwards, a block with a failed thread is
    done, and so is one whose threads have all returned.
    """
    failing = FaultExit(emission.ctx.emitter.new_block("fault"))
    if emission.warp is None and not quick:
        _over_block_in_one_loop(emission, used, body, leaving, failing)
    elif emission.warp is None:
        _over_block(emission, used, body, leaving, failing)
    else:
        _over_lanes(emission, emission.warp, used, body, leaving, failing)
    emission.uniform_scope()
    _leave_if_done(emission, failing.used, may_return)
    return failing.used


def _over_block(
    emission: Emission, used: frozenset[tir.Local], body: Callable[[], None], leaving: frozenset[tir.Label],
    failing: FaultExit,
) -> None:
    emitter, block = emission.ctx.emitter, emission.backend.block
    nx, (_, ny, nz) = block.width, block.dimension
    with counting(emitter, nz, "z") as (z, _), counting(emitter, ny, "y") as (y, _):
        row = emitter.binary("mul nuw nsw", emitter.binary("add nuw nsw", emitter.binary("mul nuw nsw", z, ny), y), nx)
        with counting(emitter, nx, "x") as (x, again):
            linear = emitter.cast("zext", emitter.binary("add nuw nsw", row, x), "i64")
            position = ThreadPosition(index=(x, y, z), linear=linear)
            one_thread(emission, position, None, used, body, leaving, failing, again)


def _over_block_in_one_loop(
    emission: Emission, used: frozenset[tir.Local], body: Callable[[], None], leaving: frozenset[tir.Label],
    failing: FaultExit,
) -> None:
    """One loop over all threads, whose coordinates count up by hand."""
    emitter, block = emission.ctx.emitter, emission.backend.block
    slots = [emitter.alloca("i32", hint=axis) for axis in "xyz"]
    for slot in slots:
        emitter.store(ZERO, slot)
    with counting(emitter, emitter.cast("trunc", block.threads, "i32"), "thread", plain=True) as (number, again):
        x, y, z = (emitter.load("i32", slot) for slot in slots)
        next_x = emitter.binary("add", x, integer(32, 1))
        wraps_x = emitter.compare("icmp eq", next_x, block.dimension[0])
        next_y = emitter.binary("add", y, emitter.cast("zext", wraps_x, "i32"))
        wraps_y = emitter.compare("icmp eq", next_y, block.dimension[1])
        emitter.store(emitter.select(wraps_x, ZERO, next_x), slots[0])
        emitter.store(emitter.select(wraps_y, ZERO, next_y), slots[1])
        emitter.store(emitter.binary("add", z, emitter.cast("zext", wraps_y, "i32")), slots[2])
        position = ThreadPosition(index=(x, y, z), linear=emitter.cast("zext", number, "i64"))
        one_thread(emission, position, None, used, body, leaving, failing, again)


def _over_lanes(
    emission: Emission, warp: WarpState, used: frozenset[tir.Local], body: Callable[[], None],
    leaving: frozenset[tir.Label], failing: FaultExit,
) -> None:
    emitter = emission.ctx.emitter
    count = integer(32, 32) if warp.is_whole else emitter.cast("trunc", warp.lanes, "i32")
    with counting(emitter, count, "lane", plain=not warp.is_whole) as (lane, again):
        wide = emitter.cast("zext", lane, "i64")
        linear = emitter.binary("add nuw nsw", warp.first, wide)
        position = ThreadPosition(index=_coordinates(emission, linear), linear=linear)
        one_thread(emission, position, wide, used, body, leaving, failing, again)


def one_thread(
    emission: Emission, position: ThreadPosition, lane: Value | None, used: frozenset[tir.Local],
    body: Callable[[], None], leaving: frozenset[tir.Label], failing: FaultExit, again: BasicBlock,
) -> None:
    """One round of the loop. A thread that has returned does nothing; one that fails is reported and goes on to
    ``again``, since the other threads of its block shall be counted."""
    ctx, backend, emitter = emission.ctx, emission.backend, emission.ctx.emitter
    if emission.alive is not None:
        at_work = emitter.new_block("alive")
        state = emitter.load("i8", emitter.let("ptr", f"getelementptr i8, {emission.alive}, {position.linear}"))
        emitter.branch_if(emitter.compare("icmp ne", state, integer(8, 0)), at_work, again)
        emitter.place(at_work)
    backend.thread, backend.failing = position, failing
    emission.thread_scope(used, position.linear, lane)
    backend.on_end = lambda _: _end_thread(emission, position, again)
    for label in leaving:
        ctx.exits[label] = Exits(stop=again, again=again)
    body()
    emitter.branch(again)
    if failing.used:
        emitter.place(failing.block)
        backend.report(ctx, position.linear, integer(64, 1))
        emitter.store(Value("i1", "true"), emission.failed)
        emitter.branch(again)


def _end_thread(emission: Emission, position: ThreadPosition, again: BasicBlock) -> None:
    emitter = emission.ctx.emitter
    if emission.alive is not None:
        emitter.store(integer(8, 0), emitter.let("ptr", f"getelementptr i8, {emission.alive}, {position.linear}"))
        slots = [emission.live] if emission.warp is None else [emission.live, emission.warp.live]
        for slot in slots:
            emitter.store(emitter.binary("sub", emitter.load("i64", slot), integer(64, 1)), slot)
    emitter.branch(again)


def _leave_if_done(emission: Emission, may_fail: bool, may_return: bool) -> None:
    emitter = emission.ctx.emitter
    target = emission.done if emission.warp is None else emission.warp.done
    if may_fail:
        on = emitter.new_block("passed")
        emitter.branch_if(emitter.load("i1", emission.failed), target, on)
        emitter.place(on)
    if may_return and emission.alive is not None:
        on = emitter.new_block("some")
        slot = emission.live if emission.warp is None else emission.warp.live
        emitter.branch_if(emitter.compare("icmp eq", emitter.load("i64", slot), integer(64, 0)), target, on)
        emitter.place(on)


def _coordinates(emission: Emission, linear: Value) -> tuple[Value, Value, Value]:
    """The coordinates of a thread from its linear number. Blocks of one row, the usual case, need no division: LLVM
    takes the test out of the loop."""
    emitter, block = emission.ctx.emitter, emission.backend.block
    nx, ny, _ = block.dimension
    narrow = emitter.cast("trunc", linear, "i32")
    is_row = emitter.compare("icmp eq", emitter.cast("zext", nx, "i64"), block.threads)
    folded, after = emitter.new_block("folded"), emitter.new_block("placed")
    before = emitter.block
    emitter.branch_if(is_row, after, folded)
    emitter.place(folded)
    x, row = emitter.binary("urem", narrow, nx), emitter.binary("udiv", narrow, nx)
    y, z = emitter.binary("urem", row, ny), emitter.binary("udiv", row, ny)
    emitter.place(after)
    return (
        emitter.phi("i32", [(narrow, before), (x, folded)]),
        emitter.phi("i32", [(ZERO, before), (y, folded)]),
        emitter.phi("i32", [(ZERO, before), (z, folded)]),
    )
