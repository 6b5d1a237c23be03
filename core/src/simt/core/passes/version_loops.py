"""Two versions of a loop: one without the bounds checks that a test before the loop has done for all its rounds.

An innermost ``for`` becomes ``if every index fits: loop without those checks, else: the loop as it was``. So checks no
longer keep the compiler from unrolling the loop and from loading ahead, and a fault is still reported where it happens.

Needs: checks on. Judged are indices that are the counter plus or times what the loop leaves alone. Non-goals: loops
with a step of unknown sign, loops around loops, ``while``.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from simt.core.check import tir
from simt.core.check.tir import BinaryOp, CompareOp, LogicalOp
from simt.core.intrinsics.declare import Intrinsic
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.passes.ranges import Facts, cannot_wrap, counter_range, integer_type, is_integer, range_of
from simt.core.passes.rewrite import map_children
from simt.core.types.scalar import BOOL, I64

Indexing = tir.Element | tir.SubArray
Ends = tuple[tir.Expr, tir.Expr]
"""The least and the greatest value of an index over all rounds."""


@dataclass(slots=True)
class _Versions:
    """``proven`` collects the identities of nodes whose checks were done before their loop."""

    facts: Facts
    proven: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop under study.

    ``changing`` are the locals that its rounds change; ``first`` and ``last`` the ends of its counter, whose range and
    those of the bounds ``facts`` knows.
    """

    node: tir.For
    facts: Facts
    changing: frozenset[tir.Local]
    first: tir.Expr
    last: tir.Expr


def version_loops(kernel: tir.Kernel, facts: Facts) -> tuple[tir.Kernel, frozenset[int]]:
    """The kernel with versioned loops, and the identities of its ``Element`` and ``SubArray`` nodes that are proven."""
    state = _Versions(facts)
    changed = map_children(kernel, lambda node: _change(state, node))
    return changed, frozenset(state.proven)


def _change(state: _Versions, node: tir.Node) -> tir.Node:
    if not isinstance(node, tir.For):
        return node if isinstance(node, tir.TypedNode) else map_children(node, lambda inner: _change(state, inner))
    parts = [inner for statement in node.body for inner in tir.walk(statement)]
    if any(isinstance(part, tir.For | tir.While | tir.Collective) for part in parts):
        return map_children(node, lambda inner: _change(state, inner))
    if range_of(node.step, state.facts).low <= 0:
        return node
    return _versioned(state, node, parts)


def _versioned(state: _Versions, node: tir.For, parts: list[tir.Node]) -> tir.Node:
    """A block that computes the bounds, tests them, and runs one of two loops."""
    t, span = integer_type(node.start), node.span
    start, stop = (tir.Local(f"{node.local.name}.{name}", node.local.number, t) for name in ("start", "stop"))
    known = {start: range_of(node.start, state.facts), stop: range_of(node.stop, state.facts)}
    known[node.local] = counter_range(node, state.facts)
    facts = replace(state.facts, locals={**state.facts.locals, **known})
    first = tir.Ref(span=span, type=t, local=start)
    one = tir.Const(span=span, type=t, value=1)
    last = tir.Binary(span=span, type=t, op=BinaryOp.SUB, lhs=tir.Ref(span=span, type=t, local=stop), rhs=one)
    loop = _Loop(node, facts, frozenset(_assigned(parts)), first, last)
    indexings = [part for part in parts if isinstance(part, Indexing)]
    tests = {id(part): _test(loop, part) for part in indexings}
    conditions = [test for test in tests.values() if test is not None]
    if node.local in _assigned(parts) or not conditions:
        return node
    condition = conditions[0]
    for other in conditions[1:]:
        condition = tir.ShortCircuit(span=span, type=BOOL, op=LogicalOp.AND, lhs=condition, rhs=other)
    again = replace(node, start=first, stop=tir.Ref(span=span, type=t, local=stop))
    fast = replace(again, body=tuple(_copy(state, tests, statement) for statement in node.body))
    label = tir.Label(f"{node.label.name}.versions", node.label.number)
    return tir.Block(span=span, label=label, body=(
        tir.Assign(span=span, local=start, value=node.start), tir.Assign(span=span, local=stop, value=node.stop),
        tir.If(span=span, condition=condition, then=(fast,), orelse=(again,)),
    ))


def _copy(state: _Versions, tests: dict[int, tir.Expr | None], node: tir.Stmt) -> tir.Stmt:
    """The statement for the version without checks: proven nodes are new ones, so that their identity says so."""

    def change(inner: tir.Node) -> tir.Node:
        changed = map_children(inner, change)
        if tests.get(id(inner)) is None:
            return changed
        changed = replace(changed)
        state.proven.add(id(changed))
        return changed

    changed = change(node)
    assert isinstance(changed, tir.Stmt)
    return changed


def _test(loop: _Loop, node: Indexing) -> tir.Expr | None:
    """The condition under which ``node`` is in bounds in every round; None where that cannot be said beforehand."""
    if not isinstance(node.array, tir.Ref) or node.array.local in loop.changing:
        return None
    result: tir.Expr | None = None
    for axis, index in enumerate(node.indices):
        ends = _ends(loop, index)
        if ends is None:
            return None
        span = node.span
        low = tir.Compare(
            span=span, type=BOOL, op=CompareOp.GE, lhs=ends[0], rhs=tir.Const(span=span, type=I64, value=0)
        )
        extent = tir.Extent(span=span, type=I64, array=node.array, axis=axis)
        high = tir.Compare(span=span, type=BOOL, op=CompareOp.LT, lhs=ends[1], rhs=extent)
        for part in (low, high):
            result = part if result is None else tir.ShortCircuit(
                span=span, type=BOOL, op=LogicalOp.AND, lhs=result, rhs=part
            )
    return result


def _ends(loop: _Loop, node: tir.Expr) -> Ends | None:
    """The values of ``node`` in the rounds with the least and the greatest counter, put in order."""
    if _is_invariant(loop, node):
        return node, node
    match node:
        case tir.Ref(local=local) if local == loop.node.local:
            return loop.first, loop.last
        case tir.Convert(value=value) if is_integer(value) and range_of(value, loop.facts).fits(integer_type(node)):
            inner = _ends(loop, value)
            return None if inner is None else (replace(node, value=inner[0]), replace(node, value=inner[1]))
        case tir.Binary(op=BinaryOp.ADD | BinaryOp.SUB | BinaryOp.MUL, lhs=lhs, rhs=rhs):
            a, b = _ends(loop, lhs), _ends(loop, rhs)
            if a is None or b is None or not cannot_wrap(node, loop.facts):
                return None
            if node.op is BinaryOp.SUB:
                b = b[1], b[0]
            elif node.op is BinaryOp.MUL and min(range_of(lhs, loop.facts).low, range_of(rhs, loop.facts).low) < 0:
                return None  # a negative factor would exchange the ends
            return replace(node, lhs=a[0], rhs=b[0]), replace(node, lhs=a[1], rhs=b[1])
        case _:
            return None


def _is_invariant(loop: _Loop, node: tir.Expr) -> bool:
    """Whether ``node`` has one value in all rounds and may be computed before the loop, since it cannot fault."""
    for part in tir.walk(node):
        match part:
            case tir.Ref(local=local):
                if local in loop.changing or local == loop.node.local:
                    return False
            case tir.Binary(op=op):
                if op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD, BinaryOp.TRUE_DIV):
                    return False
            case tir.Call(callee=Intrinsic(gpu=SpecialRegister())):
                pass
            case tir.Const() | tir.Unary() | tir.Convert() | tir.Extent() | tir.Compare():
                pass
            case _:
                return False
    return True


def _assigned(parts: list[tir.Node]) -> Iterator[tir.Local]:
    """The locals that a body gives values to."""
    for part in parts:
        match part:
            case tir.Assign(local=local) | tir.Variable(local=local):
                yield local
            case tir.Effect(target=tir.Local() as target):
                yield target
            case _:
                pass
