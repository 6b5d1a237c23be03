"""Loops that all threads of a run make together: for each round, a strip of threads side by side.

A loop that adds up a float in order cannot be vectorised over its rounds, since that would add in another order. Where
all threads of a run make the same rounds, it can be vectorised over the threads: the loop goes outside, and inside it a
short loop over a strip of threads makes one round of each. Each thread still does the same operations in that order.

Judged are loops at the top of a run whose rounds only compute and load, from places that lie side by side for threads
that do. Non-goals: loops inside loops or guards, and rounds that call functions of the C library.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from simt.core.check import tir
from simt.core.check.tir import BinaryOp
from simt.core.cpu.backend import FaultExit
from simt.core.cpu.clipping import is_place
from simt.core.cpu.counting import counting
from simt.core.cpu.exposure import exposed_in_node, mentioned
from simt.core.cpu.position import ThreadPosition
from simt.core.cpu.schedule import ThreadLoop
from simt.core.cpu.splitting import stored_local
from simt.core.cpu.state import Emission
from simt.core.cpu.storage import Home
from simt.core.cpu.thread_loop import one_thread
from simt.core.intrinsics.recipe import HostMath, SpecialRegister
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.loops import emit_for
from simt.core.llvm.statements import emit_statements
from simt.core.types import AddressSpace, ScalarType

STRIP = 32
"""Threads of a strip, as many as a warp has lanes: their values fit in the registers of a processor."""


@dataclass(frozen=True, slots=True)
class Strips:
    """A run's statements cut at the loops to be made together; ``kept`` are locals whose values go across the cuts."""

    pieces: tuple[tuple[tir.Stmt, ...] | tir.For, ...]
    kept: frozenset[tir.Local]


def cut(emission: Emission, statements: tuple[tir.Stmt, ...]) -> Strips | None:
    """Where to cut a run, or None where it has no loop that gains from it."""
    if any(isinstance(node, tir.Return | tir.AddressOf) for statement in statements for node in tir.walk(statement)):
        return None
    if any(item.space is AddressSpace.LOCAL for item in emission.ctx.kernel.allocations):
        return None  # they lie where only one thread at a time has them
    pieces: list[tuple[tir.Stmt, ...] | tir.For] = []
    pending: list[tir.Stmt] = []
    for statement in statements:
        if isinstance(statement, tir.For) and _gains(emission, statement):
            pieces += [tuple(pending), statement]
            pending = []
        else:
            pending.append(statement)
    if not pieces:
        return None
    pieces.append(tuple(pending))
    kept = _kept(emission, pieces)
    counters = {piece.local for piece in pieces if isinstance(piece, tir.For)}
    if counters & kept or not all(isinstance(local.type, ScalarType) for local in kept):
        return None
    return None if kept & set(emission.parameters) else Strips(tuple(pieces), kept)


def emit_strips(emission: Emission, strips: Strips, statements: tuple[tir.Stmt, ...]) -> bool:
    """Emit a run: its strips, and one by one the threads left over. Gives whether a thread may fail."""
    emitter, block = emission.ctx.emitter, emission.backend.block
    failing = FaultExit(emitter.new_block("fault"))
    count = emitter.binary("lshr", block.width, integer(32, STRIP.bit_length() - 1))
    rest = emitter.binary("and", block.width, integer(32, STRIP - 1))
    first_left = emitter.binary("sub nuw nsw", block.width, rest)
    _, ny, nz = block.dimension
    with counting(emitter, nz, "z") as (z, _), counting(emitter, ny, "y") as (y, _):

        def threads(start: Value, number: Value, body: tuple[tir.Stmt, ...], *, lanes: bool) -> None:
            with counting(emitter, number, "lane") as (lane, again):
                x = emitter.binary("add nuw nsw", start, lane)
                position = ThreadPosition(index=(x, y, z), linear=emitter.cast("zext", x, "i64"))
                wide = emitter.cast("zext", lane, "i64") if lanes else None
                one_thread(
                    emission, position, wide, mentioned(body), lambda: emit_statements(emission.ctx, body),
                    frozenset(), failing, again,
                )
            emission.uniform_scope()

        def strip_by_strip() -> None:
            with counting(emitter, count, "strip") as (number, _):
                start = emitter.binary("shl nuw nsw", number, integer(32, STRIP.bit_length() - 1))
                _emit_pieces(emission, strips, lambda body: threads(start, integer(32, STRIP), body, lanes=True))

        _unless_zero(emission, count, strip_by_strip)
        _unless_zero(emission, rest, lambda: threads(first_left, rest, statements, lanes=False))
    return failing.used


def _emit_pieces(emission: Emission, strips: Strips, threads: Callable[[tuple[tir.Stmt, ...]], None]) -> None:
    """One strip. ``threads`` emits a loop over its threads."""
    storage, fixed = emission.storage, emission.fixed
    counters = {piece.local: emission.slot(piece.local) for piece in strips.pieces if isinstance(piece, tir.For)}
    emission.storage = replace(storage, homes=storage.homes | dict.fromkeys(strips.kept, Home.LANE))
    emission.fixed = fixed | counters
    emission.uniform_scope()
    for piece in strips.pieces:
        if isinstance(piece, tir.For):
            emit_for(emission.ctx, piece, lambda _, body: threads(body))
        elif piece:
            threads(piece)
    emission.storage, emission.fixed = storage, fixed
    emission.uniform_scope()


def _unless_zero(emission: Emission, count: Value, body: Callable[[], None]) -> None:
    emitter = emission.ctx.emitter
    some, after = emitter.new_block("some"), emitter.new_block("after")
    emitter.branch_if(emitter.compare("icmp ne", count, integer(32, 0)), some, after)
    emitter.place(some)
    body()
    emitter.place(after)


def _gains(emission: Emission, loop: tir.For) -> bool:
    """Whether all threads make the same rounds, and a float goes from one round to the next."""
    if not all(_same_for_all(emission, part) for part in (loop.start, loop.stop, loop.step)):
        return False
    if not all(isinstance(statement, tir.Assign) for statement in loop.body):
        return False
    assigned = {stored_local(statement) for statement in loop.body}
    carried = exposed_in_node(ThreadLoop(loop.body)) & assigned
    adds_up = any(isinstance(local.type, ScalarType) and local.type.is_float for local in carried)
    alike = _alike(emission, loop)
    return adds_up and loop.local not in assigned and all(
        _is_side_by_side(emission, node, alike) for statement in loop.body for node in tir.walk(statement)
    )


def _same_for_all(emission: Emission, node: tir.Expr) -> bool:
    """Whether all threads of a run get the same value, whatever loop they are in."""
    return all(
        isinstance(part, tir.Const | tir.Extent | tir.Convert)
        or (isinstance(part, tir.Binary) and part.op in (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL))
        or (isinstance(part, tir.Ref) and part.local in emission.fixed)
        or (isinstance(part, tir.Call) and isinstance(part.callee.cpu, SpecialRegister)
            and part.callee.cpu.name.startswith("n"))
        for part in tir.walk(node)
    )


def _alike(emission: Emission, loop: tir.For) -> Callable[[tir.Expr], bool]:
    """Whether an index is the same for all threads of a row: it comes from the counter and what does not tell them
    apart."""

    def alike(node: tir.Expr) -> bool:
        match node:
            case tir.Ref(local=local) if local in emission.storage.recomputed:
                return alike(emission.storage.recomputed[local])
            case tir.Ref(local=local):
                return local == loop.local or local in emission.fixed
            case tir.Call(callee=callee):
                return isinstance(callee.cpu, SpecialRegister) and not callee.cpu.name.endswith("id.x")
            case tir.Const() | tir.Extent() | tir.Convert() | tir.Binary():
                return all(alike(child) for child in _expressions(node))
            case _:
                return False

    return alike


def _is_side_by_side(emission: Emission, node: tir.Node, alike: Callable[[tir.Expr], bool]) -> bool:
    """Whether a node of a round can be done for many threads at once: loads go to one place or to neighbours."""
    match node:
        case tir.Call(callee=callee):
            of_llvm = isinstance(callee.cpu, HostMath) and callee.cpu.f32.startswith("llvm.")
            return of_llvm or isinstance(callee.cpu, SpecialRegister)
        case tir.Element(indices=indices):
            *outer, last = indices
            return all(map(alike, outer)) and (alike(last) or _is_neighbour(emission, last, alike))
        case tir.SubArray() | tir.MakeArray() | tir.Pointee() | tir.Item() | tir.DynamicShared():
            return False
        case _:
            return True


def _is_neighbour(emission: Emission, index: tir.Expr, alike: Callable[[tir.Expr], bool]) -> bool:
    """Whether the index goes up by one from a thread to the next: the place along x, plus or minus what is alike."""
    while True:
        match index:
            case tir.Binary(op=BinaryOp.ADD | BinaryOp.SUB, lhs=lhs, rhs=rhs) if alike(rhs):
                index = lhs
            case tir.Binary(op=BinaryOp.ADD, lhs=lhs, rhs=rhs) if alike(lhs):
                index = rhs
            case _:
                return is_place(emission, index)


def _expressions(node: tir.Expr) -> Iterator[tir.Expr]:
    for child in tir.children(node):
        assert isinstance(child, tir.TypedNode)
        yield child  # pyright: ignore[reportReturnType] -- the children of an expression's kinds asked for


def _kept(emission: Emission, pieces: list[tuple[tir.Stmt, ...] | tir.For]) -> frozenset[tir.Local]:
    """Locals of a thread that more than one piece mentions, or that a round has from the round before."""
    seen: set[tir.Local] = set()
    kept: set[tir.Local] = set()
    for piece in pieces:
        body = piece.body if isinstance(piece, tir.For) else piece
        here = mentioned(body)
        kept |= (seen & here) | (exposed_in_node(ThreadLoop(body)) if isinstance(piece, tir.For) else frozenset())
        seen |= here
    counters = {piece.local for piece in pieces if isinstance(piece, tir.For)}
    return frozenset(kept - counters - emission.fixed.keys() - emission.storage.recomputed.keys())
