"""What must be taken apart so that each collective stands alone, for one level: the block or the warp.

A statement is *split* when it holds a collective of the level, or anything the level's own control depends on: an
assignment to a local that a split statement's condition or bounds read (a *slot*: one value for the level, so it must
be assigned once), or a break out of a split statement. Found by repetition until nothing changes.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from simt.core.check import tir
from simt.core.passes.uniformity import Level, UniformityFacts


@dataclass(slots=True)
class Splitting:
    """``split`` holds identities of statements, ``slots`` locals of which the level has one value, ``labels`` the
    labels of split loops and blocks."""

    level: Level
    split: set[int] = field(default_factory=set[int])
    slots: set[tir.Local] = field(default_factory=set[tir.Local])
    labels: set[tir.Label] = field(default_factory=set[tir.Label])


Body = tuple[tir.Stmt, ...]
SCOPES = {Level.BLOCK: tir.Scope.BLOCK, Level.WARP: tir.Scope.WARP}


def split_at(level: Level, kernel: tir.Kernel, facts: UniformityFacts, outer: Splitting | None = None) -> Splitting:
    """The splitting of ``kernel`` at ``level``; ``outer`` is the block's, whose slots a warp only reads."""
    found = Splitting(level)
    taken = set[tir.Local]() if outer is None else outer.slots
    paths = list(_paths(kernel.body, ()))
    before = -1
    while before != (before := len(found.split) + len(found.slots)):
        for statement, ancestors in paths:
            if id(statement) not in found.split and _is_trigger(statement, found, facts, outer):
                _mark(statement, ancestors, found, taken)
    return found


def stored_local(statement: tir.Stmt) -> tir.Local | None:
    """The local that the statement itself assigns, wholly or in part."""
    match statement:
        case tir.Assign(local=local) | tir.For(local=local):
            return local
        case tir.Effect(target=target) | tir.Collective(target=target):
            return target
        case tir.Store(place=place):
            while isinstance(place, tir.Member | tir.Item):
                place = place.place
            return place.local if isinstance(place, tir.Variable) else None
        case _:
            return None


def locals_read(nodes: tuple[tir.Node, ...]) -> set[tir.Local]:
    """Every local that is read, or whose address is taken, in ``nodes``."""
    return {inner.local for node in nodes for inner in tir.walk(node) if isinstance(inner, tir.Ref | tir.Variable)}


def control_expressions(statement: tir.Stmt) -> tuple[tir.Expr, ...]:
    """The expressions of a statement that a level evaluates once where the statement is split."""
    match statement:
        case tir.If(condition=condition) | tir.While(condition=condition):
            return (condition,)
        case tir.For(start=start, stop=stop, step=step):
            return start, stop, step
        case tir.Assign(value=value):
            return (value,)
        case _:
            return ()


def _paths(body: Body, ancestors: Body) -> Iterator[tuple[tir.Stmt, Body]]:
    """Every statement with those that enclose it."""
    for statement in body:
        yield statement, ancestors
        for inner in inner_bodies(statement):
            yield from _paths(inner, (*ancestors, statement))


def inner_bodies(statement: tir.Stmt) -> tuple[tuple[tir.Stmt, ...], ...]:
    """The statement lists directly inside ``statement``; the meaning of a collective is not among them."""
    match statement:
        case tir.If(then=then, orelse=orelse):
            return then, orelse
        case tir.While(header=header, body=body):
            return header, body
        case tir.For(body=body) | tir.Block(body=body):
            return (body,)
        case _:
            return ()


def _is_trigger(statement: tir.Stmt, found: Splitting, facts: UniformityFacts, outer: Splitting | None) -> bool:
    match statement:
        case tir.Collective(scope=scope) if scope == SCOPES[found.level]:
            return True
        case tir.Break(label=label) | tir.Continue(label=label):
            labels = found.labels if outer is None else found.labels | outer.labels
            return label in labels and facts.control_of(statement) <= found.level
        case _:
            return stored_local(statement) in found.slots


def _mark(statement: tir.Stmt, ancestors: tuple[tir.Stmt, ...], found: Splitting, taken: set[tir.Local]) -> None:
    """Split the statement and all around it; what their control reads becomes slots."""
    for node in (*ancestors, statement):
        found.split.add(id(node))
        if isinstance(node, tir.While | tir.For | tir.Block):
            found.labels.add(node.label)
        if isinstance(node, tir.For):
            found.slots |= {node.local} - taken
        read = control_expressions(node)
        if isinstance(node, tir.Store):
            read = tuple(child for child in tir.children(node))  # pyright: ignore[reportAssignmentType] -- a place and an expression
        found.slots |= locals_read(read) - taken
