"""``for`` over a range: the counter never overflows, whatever the bounds and the step.

Where the step is 1 or -1, or where the type is known to have room above the bounds, the loop is the plain one that
LLVM analyses best. Elsewhere it leaves when the distance to the bound, as an unsigned number, is no more than the step.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simt.core.check import tir
from simt.core.llvm.builder import BasicBlock, Value
from simt.core.llvm.checks import check_step
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Exits, FunctionContext
from simt.core.llvm.expressions import emit_expression, scalar_of
from simt.core.llvm.types import scalar_type
from simt.core.llvm.variables import assign
from simt.core.passes.ranges import range_of
from simt.core.types import Kind, ScalarType

EmitBody = Callable[[FunctionContext, tuple[tir.Stmt, ...]], None]


@dataclass(frozen=True, slots=True)
class _Range:
    """The evaluated bounds.

    ``direction`` is the step's sign where it is known, else None. ``has_room``: the counter does not overflow past the
    bound. ``keeps_order``: with a run-time step, by which unrolling must divide, the body has effects that keep their
    order, so that its rounds cannot overlap and unrolling does not pay.
    """

    type: ScalarType
    start: Value
    stop: Value
    step: Value
    direction: int | None
    has_room: bool
    keeps_order: bool


def emit_for(ctx: FunctionContext, node: tir.For, emit_body: EmitBody) -> None:
    """Emit the loop; ``emit_body`` emits its statements."""
    bounds = _evaluate(ctx, node)
    emitter, t = ctx.emitter, bounds.type
    counter = emitter.alloca(scalar_type(t), hint="counter")
    head, again, after = emitter.new_block("for"), emitter.new_block("next"), emitter.new_block("after")
    body = emitter.new_block("body")
    ctx.exits[node.label] = Exits(stop=after, again=again)
    emitter.store(bounds.start, counter)
    if bounds.has_room:
        emitter.place(head)
        emitter.branch_if(_before(ctx, bounds, emitter.load(scalar_type(t), counter)), body, after)
        emitter.place(body)
    else:
        emitter.branch_if(_before(ctx, bounds, bounds.start), head, after)
        emitter.place(head)
    ctx.backend.before_loop(ctx)
    assign(ctx, node.local, emitter.load(scalar_type(t), counter))
    emit_body(ctx, node.body)
    emitter.place(again)
    _advance(ctx, bounds, counter, head, after)
    emitter.place(after)


def _evaluate(ctx: FunctionContext, node: tir.For) -> _Range:
    t = scalar_of(node.start)
    start, stop, step = (emit_expression(ctx, part) for part in (node.start, node.stop, node.step))
    steps, stops = range_of(node.step, ctx.facts), range_of(node.stop, ctx.facts)
    direction = 1 if steps.low > 0 else -1 if steps.high < 0 else None
    if ctx.checks and direction is None:
        check_step(ctx, node, step)
    unit = steps.low == steps.high and abs(steps.low) == 1
    above = direction == 1 and stops.high + steps.high - 1 <= t.maximum
    below = direction == -1 and stops.low + steps.low + 1 >= t.minimum
    effects = any(isinstance(inner, tir.Effect | tir.Collective) for part in node.body for inner in tir.walk(part))
    keeps_order = effects and steps.low != steps.high
    return _Range(t, start, stop, step, direction, unit or above or below, keeps_order)


def _before(ctx: FunctionContext, bounds: _Range, counter: Value) -> Value:
    """Whether ``counter`` has not reached the bound."""
    emitter, sign = ctx.emitter, "s" if bounds.type.kind is Kind.SIGNED else "u"
    if bounds.direction is not None:
        return emitter.compare(f"icmp {sign}{'lt' if bounds.direction > 0 else 'gt'}", counter, bounds.stop)
    rising = emitter.compare(f"icmp {sign}lt", counter, bounds.stop)
    falling = emitter.compare(f"icmp {sign}gt", counter, bounds.stop)
    return emitter.select(_is_rising(ctx, bounds), rising, falling)


def _advance(ctx: FunctionContext, bounds: _Range, counter: Value, head: BasicBlock, after: BasicBlock) -> None:
    """Add the step and go on, or leave."""
    emitter, t = ctx.emitter, bounds.type
    current = emitter.load(scalar_type(t), counter)
    if bounds.has_room:
        no_wrap = (" nsw" if t.kind is Kind.SIGNED else " nuw") if bounds.direction == 1 else ""
        emitter.store(emitter.binary(f"add{no_wrap}", current, bounds.step), counter)
        emitter.terminate(f"br label %{head.name}{_no_unrolling(ctx) if bounds.keeps_order else ''}")
        return
    left = _distance(ctx, bounds, current)
    size = bounds.step
    if bounds.direction != 1:
        negated = emitter.binary("sub", integer(t.bits, 0), bounds.step)
        size = negated if bounds.direction == -1 else emitter.select(_is_rising(ctx, bounds), bounds.step, negated)
    forward = emitter.new_block("forward")
    emitter.branch_if(emitter.compare("icmp ugt", left, size), forward, after)
    emitter.place(forward)
    emitter.store(emitter.binary("add", current, bounds.step), counter)
    emitter.branch(head)


def _no_unrolling(ctx: FunctionContext) -> str:
    """Metadata for a loop whose trip count LLVM shall not compute in order to unroll it."""
    module = ctx.module
    option = module.add_metadata('!{!"llvm.loop.unroll.runtime.disable"}')
    return f", !llvm.loop {module.add_metadata(f'distinct !{{!{len(module.metadata)}, {option}}}')}"


def _distance(ctx: FunctionContext, bounds: _Range, current: Value) -> Value:
    """From ``current`` to the bound along the step's direction, as an unsigned number."""
    emitter = ctx.emitter
    up = emitter.binary("sub", bounds.stop, current)
    if bounds.direction == 1:
        return up
    down = emitter.binary("sub", current, bounds.stop)
    return down if bounds.direction == -1 else emitter.select(_is_rising(ctx, bounds), up, down)


def _is_rising(ctx: FunctionContext, bounds: _Range) -> Value:
    """Whether the step is positive; an unsigned one always is."""
    if bounds.type.kind is Kind.UNSIGNED:
        return Value("i1", "true")
    return ctx.emitter.compare("icmp sgt", bounds.step, integer(bounds.type.bits, 0))
