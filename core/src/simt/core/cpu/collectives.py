"""Collectives where control is uniform: a loop in which every thread hands over its arguments, then one in which every
thread computes its result from all of them (``tir.Meaning``). Threads that have returned take no part.
"""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check import tir
from simt.core.cpu.constant_arguments import without_constants
from simt.core.cpu.exposure import mentioned
from simt.core.cpu.state import Emission, WarpState
from simt.core.cpu.thread_loop import thread_region
from simt.core.intrinsics.declare import Uniformity
from simt.core.llvm.builder import Value
from simt.core.llvm.checks import require
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.expressions import emit_expression
from simt.core.llvm.faults import FaultKind, Site, SiteValue, source_text
from simt.core.llvm.memory import Address, load_from, store_to
from simt.core.llvm.statements import emit_statements
from simt.core.llvm.types import memory_type
from simt.core.llvm.variables import assign
from simt.core.llvm.views import make_view
from simt.core.types import AddressSpace, ArrayType, Type
from simt.core.types.layout import align_of, size_of
from simt.core.types.scalar import U64

FULL = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Exchange:
    """One argument of the collective: its values in memory, by thread (block scope) or by lane (warp scope)."""

    type: Type
    held: str
    base: Value

    def address(self, ctx: FunctionContext, index: Value) -> Address:
        pointer = ctx.emitter.let("ptr", f"getelementptr inbounds {self.held}, {self.base}, {index}")
        return Address(pointer, self.type, self.held, AddressSpace.GENERIC, align_of(self.type))


def emit_meeting(emission: Emission, node: tir.Collective) -> None:
    """Emit a collective of the level at hand."""
    emission.backend.watch.barrier(emission.ctx, node.scope)
    node = without_constants(node)
    arguments = node.arguments[:-1] if node.scope is tir.Scope.WARP else node.arguments
    mask = node.arguments[-1] if node.scope is tir.Scope.WARP else None
    everyone = mask is None or (isinstance(mask, tir.Const) and mask.value == FULL)
    meaning = node.meaning
    if meaning is None and (everyone or not emission.ctx.checks):
        return
    exchanges = tuple(_exchange(emission, argument.type) for argument in arguments)
    masks = None if everyone or mask is None else _exchange(emission, mask.type)
    _hand_over(emission, node, exchanges, masks)
    if meaning is not None:
        _compute(emission, node, meaning, exchanges, masks)


def _exchange(emission: Emission, t: Type) -> Exchange:
    held = memory_type(emission.ctx.module, t)
    if emission.warp is None:
        base = emission.backend.plan.add_array("exchange", size_of(t))
    else:
        base = emission.ctx.emitter.alloca(f"[32 x {held}]", hint="exchange", alignment=64)
    return Exchange(t, held, base)


def _position(emission: Emission) -> Value:
    """Index of the running thread in an exchange (i64)."""
    thread = emission.backend.thread
    assert thread is not None
    if emission.warp is None:
        return thread.linear
    return emission.ctx.emitter.binary("sub nuw nsw", thread.linear, emission.warp.first)


def _hand_over(
    emission: Emission, node: tir.Collective, exchanges: tuple[Exchange, ...], masks: Exchange | None,
) -> None:
    def body() -> None:
        index = _position(emission)
        for exchange, argument in zip(exchanges, node.arguments, strict=False):
            store_to(emission.ctx, exchange.address(emission.ctx, index), emit_expression(emission.ctx, argument))
        if masks is not None:
            mask = emit_expression(emission.ctx, node.arguments[-1])
            if emission.ctx.checks:
                require_membership(emission.ctx, node, mask, index)
            store_to(emission.ctx, masks.address(emission.ctx, index), mask)

    thread_region(emission, mentioned(node.arguments), body)


def require_membership(ctx: FunctionContext, node: tir.Collective, mask: Value, lane: Value) -> None:
    """A lane that calls must be among the members it names."""
    emitter = ctx.emitter
    wide = emitter.cast("zext", mask, "i64")
    bit = emitter.binary("and", emitter.binary("lshr", wide, lane), integer(64, 1))
    site = Site(
        kind=FaultKind.DIVERGENT_BARRIER, span=node.span, expression=source_text(node.span, node.callee.name),
        values=(SiteValue("members", U64), SiteValue("lane", U64)),
    )
    require(ctx, emitter.compare("icmp ne", bit, integer(64, 0)), site, (wide, lane))


def _compute(
    emission: Emission, node: tir.Collective, meaning: tir.Meaning, exchanges: tuple[Exchange, ...],
    masks: Exchange | None,
) -> None:
    """Each thread's result; once for all where the result is the same for all of them."""
    ctx, warp = emission.ctx, emission.warp
    live = None if warp is None else _live_lanes(emission, warp)
    shared = node.callee.uniformity is Uniformity.BLOCK if warp is None else (
        node.callee.uniformity is Uniformity.WARP and masks is None
    )
    used = mentioned((node,))
    if shared and meaning.result is not None and node.target is not None:
        target, value = node.target, _compute_once(emission, node, meaning, exchanges, live)
        thread_region(emission, frozenset({target}), lambda: assign(ctx, target, value))
        return

    def body() -> None:
        index = _position(emission)
        members = live
        if masks is not None:
            assert live is not None
            mask = load_from(ctx, masks.address(emission.ctx, index))
            members = ctx.emitter.binary("and", mask, live)
        run_meaning(emission, meaning, exchanges, index, members)
        if node.target is not None and meaning.result is not None:
            result = tir.Ref(span=node.span, type=meaning.result.type, local=meaning.result)
            assign(ctx, node.target, emit_expression(ctx, result))

    thread_region(emission, used, body)


def run_meaning(
    emission: Emission, meaning: tir.Meaning, exchanges: tuple[Exchange, ...], index: Value, members: Value | None,
) -> None:
    """Emit the meaning for the thread at ``index``. Its indices are its own: they are not checked."""
    ctx, block = emission.ctx, emission.backend.block
    bases = [exchange.base for exchange in exchanges]
    if members is None:
        assert emission.alive is not None
        assign_meaning(ctx, meaning, index, emission.alive, bases, block.threads)
    else:
        assign_meaning(ctx, meaning, index, members, bases, integer(64, 32))
    checks, ctx.checks = ctx.checks, False
    emit_statements(ctx, meaning.body)
    ctx.checks = checks


def assign_meaning(
    ctx: FunctionContext, meaning: tir.Meaning, lane: Value, members: Value, bases: list[Value], extent: Value,
) -> None:
    """Set the meaning's locals: ``members`` is a mask (i32), or for a block the bytes of the threads at work."""
    assign(ctx, meaning.lane, ctx.emitter.cast("trunc", lane, "i32"))
    if isinstance(meaning.members.type, ArrayType):
        members = make_view(ctx, meaning.members.type, members, [extent], [])
    assign(ctx, meaning.members, members)
    for local, base in zip(meaning.arguments, bases, strict=True):
        assert isinstance(local.type, ArrayType)
        assign(ctx, local, make_view(ctx, local.type, base, [extent], []))


def _compute_once(
    emission: Emission, node: tir.Collective, meaning: tir.Meaning, exchanges: tuple[Exchange, ...], live: Value | None,
) -> Value:
    """The result that all threads share, as an operand."""
    ctx = emission.ctx
    emission.uniform_scope()
    for local in mentioned((node,)) - ctx.pointers.keys():
        ctx.pointers[local] = emission.slot(local)
    run_meaning(emission, meaning, exchanges, integer(64, 0), live)
    assert meaning.result is not None
    return emit_expression(ctx, tir.Ref(span=node.span, type=meaning.result.type, local=meaning.result))


def _live_lanes(emission: Emission, warp: WarpState) -> Value:
    """The mask (u32) of the warp's lanes that have not returned."""
    emitter = emission.ctx.emitter
    if emission.alive is None and warp.is_whole:
        return integer(32, FULL)
    if emission.alive is None:
        everyone = emitter.binary("lshr", integer(64, FULL), emitter.binary("sub", integer(64, 32), warp.lanes))
        return emitter.cast("trunc", everyone, "i32")
    slot = emitter.alloca("i32", hint="members")
    emitter.store(integer(32, 0), slot)

    def body() -> None:
        bit = emitter.binary("shl", integer(32, 1), emitter.cast("trunc", _position(emission), "i32"))
        emitter.store(emitter.binary("or", emitter.load("i32", slot), bit), slot)

    thread_region(emission, frozenset(), body)
    return emitter.load("i32", slot)
