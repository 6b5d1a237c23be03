"""Does index arithmetic in 32 bits wherever its value is known to fit, and index locals with it.

Indices are i64 in meaning. Where the launch is small (``ranges.SMALL``) nearly all of them fit in i32, of which a GPU
computes with twice as many a clock and in half the registers. Values do not change: an i64 expression becomes the
sign-extension of an i32 one, and only where every value fits; addition, subtraction and multiplication may wrap on
the way, since their low 32 bits depend on nothing but low 32 bits.

Needs: a kernel in which no view of more elements is made from a raw pointer. Non-goals: other types than i64.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

from simt.core.check import tir
from simt.core.check.tir import BinaryOp
from simt.core.passes.local_ranges import facts_of
from simt.core.passes.ranges import Facts, is_integer, range_of
from simt.core.passes.rewrite import map_children
from simt.core.types import AddressSpace, ArrayType, Kind, ScalarType
from simt.core.types.scalar import I32, I64

_RING = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR)
_ON_VALUES = (BinaryOp.FLOOR_DIV, BinaryOp.MOD, BinaryOp.MIN, BinaryOp.MAX, BinaryOp.SHR)


@dataclass(frozen=True, slots=True)
class _Narrowing:
    """``locals`` maps each narrowed i64 local to the i32 one in its place; ``in_bounds``: indices are not checked."""

    facts: Facts
    locals: dict[tir.Local, tir.Local]
    in_bounds: bool


def makes_large_views(kernel: tir.Kernel) -> bool:
    """Whether the kernel makes a view from a raw pointer, whose length no launch has looked at."""
    makes = (node for node in tir.walk(kernel) if isinstance(node, tir.MakeArray))
    return any(_space_of(node) not in (AddressSpace.SHARED, AddressSpace.LOCAL) for node in makes)


def narrow_indices(kernel: tir.Kernel, *, checks: bool) -> tir.Kernel:
    """The kernel for a small launch. ``checks``: indices are checked, so their upper bits matter."""
    facts = facts_of(kernel, small=True)
    narrowed = {
        local: replace(local, type=I32)
        for local, found in facts.locals.items() if local.type == I64 and found.fits(I32)
    }
    state = _Narrowing(facts, narrowed, in_bounds=not checks)
    return map_children(kernel, lambda node: _change(state, node))


def _change(state: _Narrowing, node: tir.Node) -> tir.Node:
    """Any node but the kernel."""
    match node:
        case tir.Assign(local=local, value=value) if local in state.locals:
            return replace(node, local=state.locals[local], value=_low(state, value))
        case tir.For(local=local) if local in state.locals:
            return _change_loop(state, node)
        case tir.Element(indices=indices) | tir.SubArray(indices=indices) if state.in_bounds:
            # An index in bounds is below 2**30, so its low 32 bits are all of it.
            changed = map_children(node, lambda inner: _change(state, inner))
            return replace(changed, indices=tuple(_extended(_low(state, index)) for index in indices))
        case tir.Compare(lhs=lhs, rhs=rhs) if _fits(state, lhs) and _fits(state, rhs):
            return replace(node, lhs=_low(state, lhs), rhs=_low(state, rhs))
        case tir.Convert(type=ScalarType() as t, value=value) if t != I64 and _becomes(state, value, t):
            low = _low(state, value)
            return low if t == I32 else replace(node, value=low)
        case tir.Ref(local=local) if local in state.locals:
            return _extended(_low(state, node))
        case tir.Binary() | tir.Conditional() if _fits(state, node):
            return _extended(_low(state, node))
        case _:
            return map_children(node, lambda inner: _change(state, inner))


def _change_loop(state: _Narrowing, node: tir.For) -> tir.Node:
    """A loop with a narrowed counter: counts in 32 bits if its bounds fit, else in 64 with a copy in the body."""
    body = map_children(node, lambda inner: _change(state, inner)).body
    local = state.locals[node.local]
    parts = (node.start, node.stop, node.step)
    if all(_fits(state, part) for part in parts):
        start, stop, step = (_low(state, part) for part in parts)
        return replace(node, local=local, start=start, stop=stop, step=step, body=body)
    wide = replace(node.local, name=f"{node.local.name}.wide")
    value = tir.Convert(span=node.span, type=I32, value=tir.Ref(span=node.span, type=I64, local=wide))
    start, stop, step = (_expression(state, part) for part in parts)
    copy = tir.Assign(span=node.span, local=local, value=value)
    return replace(node, local=wide, start=start, stop=stop, step=step, body=(copy, *body))


def _low(state: _Narrowing, node: tir.Expr) -> tir.Expr:
    """The low 32 bits of an i64 expression, as i32."""
    match node:
        case tir.Const(value=int(value)):
            return replace(node, type=I32, value=(value + (1 << 31)) % (1 << 32) - (1 << 31))
        case tir.Ref(local=local) if local in state.locals:
            return replace(node, type=I32, local=state.locals[local])
        case tir.Convert(value=value) if is_integer(value):
            inner = _expression(state, value)
            return inner if inner.type == I32 else tir.Convert(span=node.span, type=I32, value=inner)
        case tir.Binary(op=op, lhs=lhs, rhs=rhs) if op in _RING or (
            op in _ON_VALUES and _fits(state, lhs) and _fits(state, rhs)
        ) or (op is BinaryOp.SHL and range_of(rhs, state.facts).low >= 0 and range_of(rhs, state.facts).high < 32):
            return replace(node, type=I32, lhs=_low(state, lhs), rhs=_low(state, rhs))
        case tir.Conditional(then=then, orelse=orelse):
            condition = _expression(state, node.condition)
            return replace(node, type=I32, condition=condition, then=_low(state, then), orelse=_low(state, orelse))
        case _:
            inner = map_children(node, lambda part: _change(state, part))
            return tir.Convert(span=node.span, type=I32, value=inner)


def _expression(state: _Narrowing, node: tir.Expr) -> tir.Expr:
    changed = _change(state, node)
    assert isinstance(changed, tir.TypedNode)
    return changed  # pyright: ignore[reportReturnType] -- an expression changes into an expression


def _extended(node: tir.Expr) -> tir.Expr:
    """An i32 expression as i64."""
    return tir.Convert(span=node.span, type=I64, value=node)


def _fits(state: _Narrowing, node: tir.Expr) -> bool:
    """Whether ``node`` is an i64 whose every value is an i32."""
    return node.type == I64 and range_of(node, state.facts).fits(I32)


def _becomes(state: _Narrowing, value: tir.Expr, t: ScalarType) -> bool:
    """Whether an i64 may be cut to 32 bits on its way to ``t``: for narrow integers always, else where it fits."""
    narrow_integer = t.is_integer and t.bits <= 32
    return value.type == I64 and (narrow_integer or _fits(state, value)) and t.kind is not Kind.BOOL


def _space_of(node: tir.MakeArray) -> AddressSpace:
    assert isinstance(node.type, ArrayType)
    return node.type.space
