"""Which locals a piece of a schedule may read before it has assigned them: the ones whose values must survive from
elsewhere. Conservative: a local assigned on some paths only counts as unassigned.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from simt.core.check import tir
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

Assigned = frozenset[tir.Local] | None
"""Locals that are surely assigned here; None where control never gets here."""


def exposed_in_node(node: ScheduleNode) -> frozenset[tir.Local]:
    """The exposed locals of one node with all that is inside it."""
    search = _Search()
    search.node(node, frozenset())
    return frozenset(search.exposed)


def used_in_node(node: ScheduleNode) -> frozenset[tir.Local]:
    """Every local that the node's own code mentions; nodes inside it are not looked into."""
    match node:
        case ThreadLoop(statements=statements):
            return mentioned(statements)
        case Once(statement=statement):
            return mentioned((statement,))
        case Meet(collective=collective):
            return mentioned((collective,))
        case UniformIf(node=statement):
            return mentioned((statement.condition,))
        case UniformWhile(node=statement):
            return mentioned((statement.condition,))
        case UniformFor(node=statement):
            return mentioned((statement.start, statement.stop, statement.step)) | {statement.local}
        case UniformBlock() | UniformBreak() | UniformContinue() | WarpLoop():
            return frozenset()
        case _:
            assert_never(node)


def mentioned(nodes: tuple[tir.Node, ...]) -> frozenset[tir.Local]:
    """Every local that ``nodes`` read, assign or take the address of; a collective's meaning included."""
    found: set[tir.Local] = set()
    for root in nodes:
        for node in tir.walk(root):
            match node:
                case tir.Ref(local=local) | tir.Variable(local=local) | tir.Assign(local=local) | tir.For(local=local):
                    found.add(local)
                case tir.Effect(target=target):
                    found |= {target} if target is not None else set()
                case tir.Collective(target=target, meaning=meaning):
                    found |= {target} if target is not None else set()
                    if meaning is not None:
                        found |= {meaning.lane, meaning.members, *meaning.arguments}
                        found |= {meaning.result} if meaning.result is not None else set()
                case _:
                    pass
    return frozenset(found)


def _meet(a: Assigned, b: Assigned) -> Assigned:
    if a is None or b is None:
        return b if a is None else a
    return a & b


@dataclass(slots=True)
class _Search:
    exposed: set[tir.Local] = field(default_factory=set[tir.Local])
    breaks: dict[tir.Label, Assigned] = field(default_factory=dict[tir.Label, Assigned])

    def schedule(self, nodes: Schedule, assigned: Assigned) -> Assigned:
        for node in nodes:
            assigned = self.node(node, assigned)
        return assigned

    def node(self, node: ScheduleNode, assigned: Assigned) -> Assigned:
        if assigned is None:
            return None
        match node:
            case ThreadLoop(statements=statements, leaving=leaving):
                after = self.body(statements, assigned)
                for label in leaving:
                    after = _meet(after, self.breaks.get(label))
                return after
            case Once(statement=statement):
                return self.statement(statement, assigned)
            case Meet(collective=collective):
                return self.statement(collective, assigned)
            case UniformIf(node=statement, then=then, orelse=orelse):
                self.read(statement.condition, assigned)
                return _meet(self.schedule(then, assigned), self.schedule(orelse, assigned))
            case UniformWhile(node=loop, header=header, body=body):
                at_test = self.schedule(header, assigned)
                if at_test is not None:
                    self.read(loop.condition, at_test)
                    self.schedule(body, at_test)
                return _meet(at_test, self.breaks.pop(loop.label, None))
            case UniformFor(node=loop, body=body):
                for bound in (loop.start, loop.stop, loop.step):
                    self.read(bound, assigned)
                self.schedule(body, assigned | {loop.local})
                return _meet(assigned, self.breaks.pop(loop.label, None))
            case UniformBlock(label=label, body=body):
                return _meet(self.schedule(body, assigned), self.breaks.pop(label, None))
            case UniformBreak(label=label):
                self.breaks[label] = _meet(self.breaks.get(label), assigned)
                return None
            case UniformContinue():
                return None
            case WarpLoop(body=body, leaving=leaving):
                after = self.schedule(body, assigned)
                for label in leaving:
                    after = _meet(after, self.breaks.get(label))
                return after
            case _:
                assert_never(node)

    def body(self, statements: tuple[tir.Stmt, ...], assigned: Assigned) -> Assigned:
        for statement in statements:
            if assigned is None:
                return None
            assigned = self.statement(statement, assigned)
        return assigned

    def statement(self, node: tir.Stmt, assigned: frozenset[tir.Local]) -> Assigned:
        match node:
            case tir.Assign(local=local, value=value):
                self.read(value, assigned)
                return assigned | {local}
            case tir.Store(place=tir.Variable(local=local), value=value):
                self.read(value, assigned)
                return assigned | {local}
            case tir.Store() | tir.Assert() | tir.Print():
                for child in tir.children(node):
                    self.read(child, assigned)
                return assigned
            case tir.Effect(target=target, arguments=arguments) | tir.Collective(target=target, arguments=arguments):
                for argument in arguments:
                    self.read(argument, assigned)
                return assigned if target is None else assigned | {target}
            case tir.If(condition=condition, then=then, orelse=orelse):
                self.read(condition, assigned)
                return _meet(self.body(then, assigned), self.body(orelse, assigned))
            case tir.While(label=label, header=header, condition=condition, body=body):
                at_test = self.body(header, assigned)
                if at_test is not None:
                    self.read(condition, at_test)
                    self.body(body, at_test)
                return _meet(at_test, self.breaks.pop(label, None))
            case tir.For(label=label, local=local, start=start, stop=stop, step=step, body=body):
                for bound in (start, stop, step):
                    self.read(bound, assigned)
                self.body(body, assigned | {local})
                return _meet(assigned, self.breaks.pop(label, None))
            case tir.Block(label=label, body=body):
                return _meet(self.body(body, assigned), self.breaks.pop(label, None))
            case tir.Break(label=label):
                self.breaks[label] = _meet(self.breaks.get(label), assigned)
                return None
            case tir.Continue() | tir.Return():
                return None
            case _:
                assert_never(node)

    def read(self, root: tir.Node, assigned: frozenset[tir.Local]) -> None:
        """A local whose address is taken counts as exposed: whoever holds the pointer may use it anywhere."""
        for node in tir.walk(root):
            match node:
                case tir.Ref(local=local) | tir.Variable(local=local):
                    if local not in assigned:
                        self.exposed.add(local)
                case tir.AddressOf(place=place):
                    self.exposed |= mentioned((place,))
                case _:
                    pass
