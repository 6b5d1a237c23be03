"""From a kernel to its schedule: split at the collectives, and everything between them a loop over threads.

Possible where the control flow around each collective is uniform at its level. Elsewhere ``build_schedule`` says which
collective stands in the way, and the kernel runs as coroutines.
"""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check import tir
from simt.core.cpu.early_return import as_guards
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
from simt.core.cpu.splitting import SCOPES, Splitting, split_at
from simt.core.passes.uniformity import Level, UniformityFacts, analyse


@dataclass(frozen=True, slots=True)
class Regions:
    """A schedule with the locals that have one value a block, or one a warp."""

    schedule: Schedule
    block_slots: frozenset[tir.Local]
    warp_slots: frozenset[tir.Local]


@dataclass(frozen=True, slots=True)
class NotUniform:
    """The statement around or at which threads may part before a collective."""

    statement: tir.Stmt


def build_schedule(kernel: tir.Kernel) -> Regions | NotUniform:
    """The schedule of ``kernel``, or why it has none."""
    if not any(isinstance(node, tir.Collective) for node in tir.walk(kernel)):
        return Regions((ThreadLoop(as_guards(kernel.body)),), frozenset(), frozenset())
    facts = analyse(kernel)
    for node in tir.walk(kernel):
        if not isinstance(node, tir.Collective) or id(node) not in facts.control_levels:
            continue
        if facts.control_of(node) > _level_of(node):
            return NotUniform(node)
    block = split_at(Level.BLOCK, kernel, facts)
    warp = split_at(Level.WARP, kernel, facts, block)
    builder = _Builder(facts, block, warp)
    try:
        schedule = builder.level(kernel.body, block, frozenset())
    except _CannotSplitError as error:
        return NotUniform(error.statement)
    return Regions(schedule, frozenset(block.slots), frozenset(warp.slots - block.slots))


def _level_of(node: tir.Collective) -> Level:
    return next(level for level, scope in SCOPES.items() if scope == node.scope)


class _CannotSplitError(Exception):
    """Threads leave ``statement`` apart while the level still has work to do together."""

    def __init__(self, statement: tir.Stmt) -> None:
        super().__init__()
        self.statement = statement


@dataclass(frozen=True, slots=True)
class _Builder:
    facts: UniformityFacts
    block: Splitting
    warp: Splitting

    def level(self, body: tuple[tir.Stmt, ...], at: Splitting, ends: frozenset[tir.Label]) -> Schedule:
        """The schedule of a statement list at one level.

        ``ends``: labels to which a break or continue does the same as reaching the end of the list.
        """
        nodes: list[ScheduleNode] = []
        pending: list[tir.Stmt] = []
        leaving: frozenset[tir.Label] = frozenset()
        for position, statement in enumerate(body):
            if id(statement) not in at.split:
                pending.append(statement)
                leaving |= self._apart(statement, at)
                if not leaving <= ends:
                    raise _CannotSplitError(statement)
                continue
            if leaving:
                raise _CannotSplitError(statement)
            nodes += self._group(tuple(pending), at, leaving)
            pending.clear()
            is_last = position == len(body) - 1
            nodes.append(self._statement(statement, at, ends if is_last else frozenset()))
        nodes += self._group(tuple(pending), at, leaving)
        return tuple(nodes)

    def _apart(self, statement: tir.Stmt, at: Splitting) -> frozenset[tir.Label]:
        """Labels of split statements that only some threads of the level break or continue to from here."""
        outer = at.labels | (self.block.labels if at is self.warp else set[tir.Label]())
        inside = {node.label for node in tir.walk(statement) if isinstance(node, tir.While | tir.For | tir.Block)}
        return frozenset(
            node.label for node in tir.walk(statement)
            if isinstance(node, tir.Break | tir.Continue) and node.label in outer and node.label not in inside
        )

    def _group(
        self, statements: tuple[tir.Stmt, ...], at: Splitting, leaving: frozenset[tir.Label],
    ) -> list[ScheduleNode]:
        """Statements without a collective of the level: a loop over threads, or over warps where those meet."""
        if not statements:
            return []
        if at is self.block and any(id(statement) in self.warp.split for statement in statements):
            return [WarpLoop(self.level(statements, self.warp, leaving), leaving)]
        return [ThreadLoop(statements, leaving)]

    def _statement(self, node: tir.Stmt, at: Splitting, ends: frozenset[tir.Label]) -> ScheduleNode:
        match node:
            case tir.Assign() | tir.Store():
                return Once(node)
            case tir.Collective():
                return Meet(node)
            case tir.If(then=then, orelse=orelse):
                return UniformIf(node, self.level(then, at, ends), self.level(orelse, at, ends))
            case tir.While(label=label, header=header, body=body):
                return UniformWhile(
                    node, self.level(header, at, frozenset()), self.level(body, at, frozenset({label})),
                )
            case tir.For(label=label, body=body):
                return UniformFor(node, self.level(body, at, frozenset({label})))
            case tir.Block(label=label, body=body):
                return UniformBlock(label, self.level(body, at, ends | {label}))
            case tir.Break(label=label):
                return UniformBreak(label)
            case tir.Continue(label=label):
                return UniformContinue(label)
            case tir.Effect() | tir.Return() | tir.Assert() | tir.Print():
                raise AssertionError(f"{type(node).__name__} is never split")
