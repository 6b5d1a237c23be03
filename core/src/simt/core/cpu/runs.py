"""Runs of blocks: neighbours along x whose threads one loop runs side by side.

A kernel that knows its place along x only as ``block_idx.x * block_dim.x + thread_idx.x`` cannot tell whether that is
the third thread of the second block or a later thread of a wider first one. So blocks that follow each other along x
run as one loop where nothing can fail in it and its guards hold for all threads, which is found out before it
(``proof``, ``interior``). A loop over a row of pixels then is as long as the row, not as a block is wide.

The first and the last block of a row are runs of their own: guards part threads there, if anywhere. A guard that only
ends a row, such as ``i < out.size``, shortens the loop instead (``clipping``).
"""
from __future__ import annotations

from dataclasses import replace

from simt.core.check import tir
from simt.core.cpu.clipping import Clipping, clip, place_along_x
from simt.core.cpu.exposure import mentioned
from simt.core.cpu.frame import BlockLoop
from simt.core.cpu.interior import decide, is_guard
from simt.core.cpu.interval import FALSE, TRUE, Arithmetic
from simt.core.cpu.position import BlockPosition
from simt.core.cpu.proof import Proof, has_check, prove
from simt.core.cpu.regions import Regions
from simt.core.cpu.schedule import ThreadLoop
from simt.core.cpu.state import Emission, Left
from simt.core.cpu.strips import cut, emit_strips
from simt.core.cpu.thread_loop import thread_region
from simt.core.errors import InternalCompilerError
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.checks import likely
from simt.core.llvm.constants import integer
from simt.core.llvm.statements import emit_statements
from simt.core.types import AddressSpace

LONGEST = 1024
"""Blocks of a run; with blocks of 1024 threads their threads are still few enough for an i32."""
SAME_IN_A_ROW = {"tid.y", "tid.z", "ctaid.y", "ctaid.z"} | {f"{name}.{x}" for name in ("ntid", "nctaid") for x in "xyz"}
"""Special registers that do not tell the blocks of a row apart."""


def run_of(kernel: tir.Kernel, regions: Regions) -> tuple[tir.Stmt, ...] | None:
    """What each thread of a run does, or None where blocks of the kernel must run one by one."""
    if any(item.space is AddressSpace.SHARED for item in kernel.allocations):
        return None
    if any(isinstance(node, tir.DynamicShared) for node in tir.walk(kernel)) or _tells_blocks_apart(kernel):
        return None
    match regions.schedule:
        case (ThreadLoop(statements=statements),) if not _has_effects(statements):
            return statements
        case _:
            return None


def emit_run(emission: Emission, loop: BlockLoop, statements: tuple[tir.Stmt, ...]) -> None:
    """Emit: run the present block with those after it, if that can be done in one loop, and go on behind them.

    Otherwise control comes to what is emitted next, for the present block alone; ``emission.left`` says how often.
    """
    ctx, backend, emitter = emission.ctx, emission.backend, emission.ctx.emitter
    block = backend.block
    count = _length(emitter, block)
    emission.uniform_scope()
    clipping = clip(emission, statements, _width(emitter, block, count))
    work, behind = emitter.new_block("work"), emitter.new_block("behind")
    emitter.branch_if(emitter.compare("icmp sgt", clipping.width, integer(64, 0)), work, behind)
    emitter.place(behind)
    emitter.store(emitter.binary("add nuw nsw", loop.linear, count), loop.counter)
    emitter.branch(loop.head)
    emitter.place(work)
    backend.block = replace(block, width=emitter.cast("trunc", clipping.width, "i32"))
    one_row = TRUE
    if not _knows_rows(statements):
        across = emitter.cast("zext", block.dimension[0], "i64")
        one_row = emitter.compare("icmp eq", block.threads, across)
        backend.block = replace(backend.block, dimension=(block.dimension[0], integer(32, 1), integer(32, 1)))
    proof = prove(emission, statements) if ctx.checks else None
    interior = decide(emission, statements, always=True)
    remaining = statements if interior is None else interior.statements
    arithmetic = Arithmetic(emitter)
    condition = one_row if proof is None else arithmetic.both(one_row, proof.condition)
    condition = condition if interior is None else arithmetic.both(condition, interior.condition)
    if condition != FALSE and (not ctx.checks or _cannot_fail(remaining, proof)):
        emission.left = _left(emission, statements, clipping)
        together, alone = emitter.new_block("run"), emitter.new_block("alone")
        emitter.branch_if(condition, together, alone, likely(ctx))
        emitter.place(together)
        ctx.proven = frozenset() if proof is None else proof.nodes
        strips = cut(emission, remaining)
        if strips is not None:
            may_fail = emit_strips(emission, strips, remaining)
        else:
            may_fail = thread_region(emission, mentioned(statements), lambda: emit_statements(ctx, remaining))
        if may_fail:
            raise InternalCompilerError("a run of blocks can fail")
        ctx.proven = frozenset()
        emitter.branch(behind)
        emitter.place(alone)
    backend.block = block


def _width(emitter: Emitter, block: BlockPosition, count: Value) -> Value:
    """How many threads (i64) stand side by side in ``count`` blocks."""
    return emitter.binary("mul nuw nsw", emitter.cast("zext", block.dimension[0], "i64"), count)


def _left(emission: Emission, statements: tuple[tir.Stmt, ...], clipping: Clipping) -> Left:
    """Which blocks runs leave: where every guard only clips and there is one row, those that are about to fail. (Blocks
    of several rows all the same are few, and none of them does anything that another does not.)"""
    nodes = [node for statement in statements for node in tir.walk(statement)]
    guards = sum(isinstance(node, tir.If) and is_guard(emission, node.condition) for node in nodes)
    one_row = not _knows_rows(statements)
    return Left.FAILING if one_row and guards == (1 if clipping.is_all else 0) else Left.BORDERS


def _knows_rows(statements: tuple[tir.Stmt, ...]) -> bool:
    """Whether threads of different rows may do different things."""
    return any(
        isinstance(node, tir.Call) and isinstance(node.callee.cpu, SpecialRegister)
        and node.callee.cpu.name.endswith((".y", ".z")) for statement in statements for node in tir.walk(statement)
    )


def _length(emitter: Emitter, block: BlockPosition) -> Value:
    """How many blocks (i64) make the run that begins with ``block``."""
    x, last = block.index[0], emitter.binary("sub nuw nsw", block.grid[0], integer(32, 1))
    left = emitter.cast("zext", emitter.binary("sub nsw", last, x), "i64")
    taken = emitter.binary("sub nuw nsw", Value("i64", "%end"), block.linear)
    most = emitter.call("i64", "llvm.umin.i64", [left, taken])
    most = emitter.call("i64", "llvm.umin.i64", [most, integer(64, LONGEST)])
    is_first, is_last = emitter.compare("icmp eq", x, integer(32, 0)), emitter.compare("icmp eq", x, last)
    return emitter.select(emitter.binary("or", is_first, is_last), integer(64, 1), most)


def _tells_blocks_apart(node: tir.Node) -> bool:
    """Whether the node tells blocks of a row apart other than by the place of their threads in it."""
    if place_along_x(node):
        return False
    if isinstance(node, tir.Call) and isinstance(node.callee.cpu, SpecialRegister):
        return node.callee.cpu.name not in SAME_IN_A_ROW
    return any(map(_tells_blocks_apart, tir.children(node)))


def _has_effects(statements: tuple[tir.Stmt, ...]) -> bool:
    """Whether a thread does what its block's number matters to, or what could fail whatever is proven."""
    return any(
        isinstance(node, tir.Effect | tir.Assert | tir.Print | tir.Pointee)
        or (isinstance(node, tir.For) and not isinstance(node.step, tir.Const))
        for statement in statements for node in tir.walk(statement)
    )


def _cannot_fail(statements: tuple[tir.Stmt, ...], proof: Proof | None) -> bool:
    proven = frozenset[int]() if proof is None else proof.nodes
    return all(
        id(node) in proven for statement in statements for node in tir.walk(statement)
        if has_check(node) or isinstance(node, tir.Item)
    )
