"""The schedule of a kernel on one processor: which statements run once, and which run as a loop over threads.

Grammar::

    node = ThreadLoop(statements)            every thread at work runs the statements, one thread after the other
         | Once(statement)                   an assignment that all threads agree on, made once
         | UniformIf(condition, then, orelse) | UniformWhile(label, header, condition, body)
         | UniformFor(loop, body) | UniformBlock(label, body) | UniformBreak(label) | UniformContinue(label)
         | Meet(collective)                  the threads of the level exchange values
         | WarpLoop(body)                    for each warp of the block, a schedule at the level of a warp

Inside a ``WarpLoop``, "every thread" means the lanes of the present warp, and "once" means once a warp.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from simt.core.check import tir


@dataclass(frozen=True, slots=True)
class ThreadLoop:
    """``leaving`` are labels of enclosing nodes whose ``Break`` or ``Continue`` only ends the loop for that thread,
    since nothing of their bodies follows."""

    statements: tuple[tir.Stmt, ...]
    leaving: frozenset[tir.Label] = frozenset()


@dataclass(frozen=True, slots=True)
class Once:
    statement: tir.Assign | tir.Store


@dataclass(frozen=True, slots=True)
class UniformIf:
    node: tir.If
    then: Schedule
    orelse: Schedule


@dataclass(frozen=True, slots=True)
class UniformWhile:
    node: tir.While
    header: Schedule
    body: Schedule


@dataclass(frozen=True, slots=True)
class UniformFor:
    node: tir.For
    body: Schedule


@dataclass(frozen=True, slots=True)
class UniformBlock:
    label: tir.Label
    body: Schedule


@dataclass(frozen=True, slots=True)
class UniformBreak:
    label: tir.Label


@dataclass(frozen=True, slots=True)
class UniformContinue:
    label: tir.Label


@dataclass(frozen=True, slots=True)
class Meet:
    collective: tir.Collective


@dataclass(frozen=True, slots=True)
class WarpLoop:
    """``leaving`` as for a ``ThreadLoop``: a warp that breaks to one of these labels is done with the loop."""

    body: Schedule
    leaving: frozenset[tir.Label] = frozenset()


ScheduleNode = (
    ThreadLoop | Once | UniformIf | UniformWhile | UniformFor | UniformBlock | UniformBreak | UniformContinue | Meet
    | WarpLoop
)
Schedule = tuple[ScheduleNode, ...]


def inner_schedules(node: ScheduleNode) -> tuple[Schedule, ...]:
    """The schedules directly inside ``node``, in order."""
    match node:
        case UniformIf(then=then, orelse=orelse):
            return then, orelse
        case UniformWhile(header=header, body=body):
            return header, body
        case UniformFor(body=body) | UniformBlock(body=body) | WarpLoop(body=body):
            return (body,)
        case ThreadLoop() | Once() | UniformBreak() | UniformContinue() | Meet():
            return ()
        case _:
            assert_never(node)


def walk_schedule(schedule: Schedule) -> Iterator[ScheduleNode]:
    """All nodes, parents first."""
    for node in schedule:
        yield node
        for inner in inner_schedules(node):
            yield from walk_schedule(inner)


def show(schedule: Schedule, indent: int = 0) -> str:
    """The schedule as indented text, one node a line; statements inside thread loops are only counted."""
    lines: list[str] = []
    for node in schedule:
        lines.append("    " * indent + _title(node))
        match node:
            case UniformIf(then=then, orelse=orelse):
                lines.append(show(then, indent + 1))
                if orelse:
                    lines += ["    " * indent + "else", show(orelse, indent + 1)]
            case UniformWhile(header=header, body=body):
                lines += [show(header, indent + 1), "    " * indent + "do", show(body, indent + 1)]
            case UniformFor(body=body) | UniformBlock(body=body) | WarpLoop(body=body):
                lines.append(show(body, indent + 1))
            case ThreadLoop() | Once() | UniformBreak() | UniformContinue() | Meet():
                pass
            case _:
                assert_never(node)
    return "\n".join(line for line in lines if line)


def _title(node: ScheduleNode) -> str:
    match node:
        case ThreadLoop(statements=statements):
            return f"threads: {', '.join(type(statement).__name__ for statement in statements)}"
        case Once(statement=tir.Assign(local=local)):
            return f"once: {local}"
        case Once():
            return "once: Store"
        case UniformIf():
            return "if"
        case UniformWhile(node=loop):
            return f"while {loop.label}"
        case UniformFor(node=loop):
            return f"for {loop.local} {loop.label}"
        case UniformBlock(label=label):
            return f"block {label}"
        case UniformBreak(label=label):
            return f"break {label}"
        case UniformContinue(label=label):
            return f"continue {label}"
        case Meet(collective=collective):
            return f"meet: {collective.callee.name} ({collective.scope})"
        case WarpLoop():
            return "warps:"
        case _:
            assert_never(node)
