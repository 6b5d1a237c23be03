"""Emission of a schedule: control flow that a whole block or warp takes together, with loops over threads inside."""
from __future__ import annotations

from typing import assert_never

from simt.core.check import tir
from simt.core.cpu.backend import FaultExit
from simt.core.cpu.collectives import emit_meeting
from simt.core.cpu.exposure import mentioned
from simt.core.cpu.interior import decide
from simt.core.cpu.proof import prove
from simt.core.cpu.schedule import (
    Meet,
    Once,
    Schedule,
    ScheduleNode,
    ThreadLoop,
    UniformBlock,
    UniformBreak,
    UniformContinue,
    UniformFor,
    UniformIf,
    UniformWhile,
    WarpLoop,
)
from simt.core.cpu.state import Emission, Left, WarpState
from simt.core.cpu.thread_loop import thread_region
from simt.core.llvm.builder import Value
from simt.core.llvm.checks import likely
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Exits
from simt.core.llvm.expressions import emit_expression
from simt.core.llvm.loops import emit_for
from simt.core.llvm.statements import emit_statements


def emit_schedule(emission: Emission, schedule: Schedule) -> None:
    """Emit the nodes in order; what follows a node that never ends normally is left out."""
    for node in schedule:
        if emission.ctx.emitter.block.terminated:
            return
        _emit(emission, node)


def _emit(emission: Emission, node: ScheduleNode) -> None:
    ctx = emission.ctx
    emission.uniform_scope()
    match node:
        case ThreadLoop(statements=statements, leaving=leaving):
            _threads(emission, statements, leaving)
        case Once(statement=statement):
            emit_statements(ctx, (statement,))
        case UniformIf():
            _if(emission, node)
        case UniformWhile():
            _while(emission, node)
        case UniformFor(node=loop, body=body):
            emit_for(ctx, loop, lambda _context, _statements: emit_schedule(emission, body))
        case UniformBlock(label=label, body=body):
            after = ctx.emitter.new_block("after")
            ctx.exits[label] = Exits(stop=after, again=None)
            emit_schedule(emission, body)
            ctx.emitter.place(after)
        case UniformBreak(label=label):
            ctx.emitter.branch(ctx.exits[label].stop)
        case UniformContinue(label=label):
            target = ctx.exits[label].again
            assert target is not None, f"{label} is not a loop"
            ctx.emitter.branch(target)
        case Meet(collective=collective):
            emit_meeting(emission, collective)
        case WarpLoop():
            _warps(emission, node)
        case _:
            assert_never(node)


def _threads(emission: Emission, statements: tuple[tir.Stmt, ...], leaving: frozenset[tir.Label]) -> None:
    """A loop over threads, or several, of which conditions choose at run time: with all checks, without those that are
    proven, and without guards that hold for all threads."""
    ctx, emitter, watch = emission.ctx, emission.ctx.emitter, emission.backend.watch
    returns = any(isinstance(inner, tir.Return) for statement in statements for inner in tir.walk(statement))

    def loop(body: tuple[tir.Stmt, ...], quick: bool = True) -> None:
        thread_region(
            emission, mentioned(statements), lambda: emit_statements(ctx, body), leaving=leaving,
            may_return=returns, quick=quick,
        )

    if emission.left is Left.FAILING or (emission.warp is not None and not emission.warp.is_whole):
        loop(statements, quick=False)
        return
    proof = prove(emission, statements) if ctx.checks and not watch.races else None
    after = emitter.new_block("after")
    if proof is not None:
        condition = proof.condition
        if proof.reads_shared and watch.all_written is not None:
            condition = emitter.binary("and", condition, watch.is_all_written(ctx))
        quick, careful = emitter.new_block("quick"), emitter.new_block("careful")
        emitter.branch_if(condition, quick, careful, likely(ctx))
        emitter.place(careful)
        loop(statements, quick=False)
        emitter.branch(after)
        emitter.place(quick)
        emission.uniform_scope()
        ctx.proven, watch.assume_written = proof.nodes, proof.reads_shared
    interior = decide(emission, statements) if not watch.races and emission.left is Left.ALL else None
    if interior is not None:
        inside, border = emitter.new_block("inside"), emitter.new_block("border")
        emitter.branch_if(interior.condition, inside, border)
        emitter.place(inside)
        loop(interior.statements)
        emitter.branch(after)
        emitter.place(border)
        emission.uniform_scope()
    loop(statements)
    ctx.proven, watch.assume_written = frozenset(), False
    emitter.place(after)


def _if(emission: Emission, node: UniformIf) -> None:
    emitter = emission.ctx.emitter
    then, orelse, after = emitter.new_block("then"), emitter.new_block("else"), emitter.new_block("after")
    emitter.branch_if(emit_expression(emission.ctx, node.node.condition), then, orelse)
    emitter.place(then)
    emit_schedule(emission, node.then)
    emitter.branch(after)
    emitter.place(orelse)
    emit_schedule(emission, node.orelse)
    emitter.place(after)


def _while(emission: Emission, node: UniformWhile) -> None:
    ctx, emitter = emission.ctx, emission.ctx.emitter
    header, body, after = emitter.new_block("while"), emitter.new_block("body"), emitter.new_block("after")
    ctx.exits[node.node.label] = Exits(stop=after, again=header)
    emitter.place(header)
    emit_schedule(emission, node.header)
    if not emitter.block.terminated:
        emission.uniform_scope()
        emitter.branch_if(emit_expression(ctx, node.node.condition), body, after)
        emitter.place(body)
        emit_schedule(emission, node.body)
        emitter.branch(header)
    emitter.place(after)


def _warps(emission: Emission, node: WarpLoop) -> None:
    """The loop over warps, twice: for blocks of whole warps, whose 32 lanes LLVM can unroll, and for all others."""
    emitter, block = emission.ctx.emitter, emission.backend.block
    whole, ragged, after = emitter.new_block("whole"), emitter.new_block("ragged"), emitter.new_block("after")
    rest = emitter.binary("and", block.threads, integer(64, 31))
    emitter.branch_if(emitter.compare("icmp eq", rest, integer(64, 0)), whole, ragged, likely(emission.ctx))
    emitter.place(ragged)
    _warp_loop(emission, node, whole=False)
    emitter.branch(after)
    emitter.place(whole)
    _warp_loop(emission, node, whole=True)
    emitter.place(after)
    emission.uniform_scope()


def _warp_loop(emission: Emission, node: WarpLoop, *, whole: bool) -> None:
    """For each warp: the body over its lanes. A warp with a failed lane, or with none at work, is done."""
    ctx, emitter, block = emission.ctx, emission.ctx.emitter, emission.backend.block
    counter, live = emitter.alloca("i64", hint="warp"), emitter.alloca("i64", hint="warp.live")
    head, done, after = emitter.new_block("warp"), emitter.new_block("warp.next"), emitter.new_block("warps.done")
    emitter.store(integer(64, 0), counter)
    emitter.place(head)
    number = emitter.load("i64", counter)
    first = emitter.binary("shl nuw nsw", number, integer(64, 5))
    left = emitter.binary("sub nuw nsw", block.threads, first)
    lanes = integer(64, 32) if whole else emitter.call("i64", "llvm.umin.i64", [left, integer(64, 32)])
    outer_failing = emission.uniform_failing
    emission.uniform_failing = FaultExit(emitter.new_block("warp.fault"))
    emission.warp = WarpState(number, first, lanes, done, live)
    if emission.alive is not None:
        _count_live(emission, emission.warp)
    for label in node.leaving:
        ctx.exits[label] = Exits(stop=done, again=done)
    emission.uniform_scope()
    emit_schedule(emission, node.body)
    emitter.branch(done)
    if emission.uniform_failing.used:
        report_together(emission, emission.uniform_failing, first, lanes)
        emitter.branch(done)
    emission.warp, emission.uniform_failing = None, outer_failing
    emitter.place(done)
    following = emitter.binary("add nuw nsw", number, integer(64, 1))
    emitter.store(following, counter)
    more = emitter.compare("icmp ult", emitter.binary("shl nuw nsw", following, integer(64, 5)), block.threads)
    emitter.branch_if(more, head, after)
    emitter.place(after)
    emission.uniform_scope()
    _leave_block_if_done(emission)


def report_together(emission: Emission, failing: FaultExit, first: Value, threads: Value) -> None:
    """The landing place of faults in code that runs once for ``threads`` threads from ``first`` on."""
    emitter = emission.ctx.emitter
    emitter.place(failing.block)
    emission.backend.report(emission.ctx, first, threads)
    emitter.store(Value("i1", "true"), emission.failed)


def _leave_block_if_done(emission: Emission) -> None:
    emitter = emission.ctx.emitter
    done = emitter.load("i1", emission.failed)
    if emission.alive is not None:
        nobody = emitter.compare("icmp eq", emitter.load("i64", emission.live), integer(64, 0))
        done = emitter.binary("or", done, nobody)
    on = emitter.new_block("passed")
    emitter.branch_if(done, emission.done, on)
    emitter.place(on)


def _count_live(emission: Emission, warp: WarpState) -> None:
    """Set ``warp.live`` to the number of lanes that have not returned, and leave the warp if there is none."""
    emitter = emission.ctx.emitter
    assert emission.alive is not None
    lane = emitter.alloca("i64", hint="lane")
    head, after, on = (emitter.new_block(hint) for hint in ("count", "counted", "some"))
    emitter.store(integer(64, 0), warp.live)
    emitter.store(integer(64, 0), lane)
    emitter.place(head)
    number = emitter.load("i64", lane)
    thread = emitter.binary("add", warp.first, number)
    state = emitter.load("i8", emitter.let("ptr", f"getelementptr i8, {emission.alive}, {thread}"))
    total = emitter.binary("add", emitter.load("i64", warp.live), emitter.cast("zext", state, "i64"))
    emitter.store(total, warp.live)
    following = emitter.binary("add nuw nsw", number, integer(64, 1))
    emitter.store(following, lane)
    emitter.branch_if(emitter.compare("icmp ult", following, warp.lanes), head, after)
    emitter.place(after)
    emitter.branch_if(emitter.compare("icmp eq", emitter.load("i64", warp.live), integer(64, 0)), warp.done, on)
    emitter.place(on)
