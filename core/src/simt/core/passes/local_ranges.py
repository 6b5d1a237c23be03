"""The ranges of a kernel's integer locals, from all that is assigned to them.

Needs: nothing. Non-goals: conditions; a local that a ``while`` loop counts up has no range.
"""
from __future__ import annotations

from collections.abc import Iterator

from simt.core.check import tir
from simt.core.passes.ranges import Facts, Range, counter_range, range_of
from simt.core.types import Kind, ScalarType, Type

_ROUNDS = 3  # after which a range that still grows is given up


def facts_of(kernel: tir.Kernel, small: bool) -> Facts:
    """What is known about the kernel's integer locals.

    Ranges grow from nothing until all assignments are covered. An assignment from a local that has no range yet waits:
    that local has not been assigned. What still grows after a few rounds, as a counter in a ``while`` does, gets the
    range of its type.
    """
    nodes = list(tir.walk(kernel))
    out_of_sight = {*kernel.parameters, *_otherwise_assigned(nodes)}
    sources = [
        node for node in nodes
        if isinstance(node, tir.Assign | tir.For)
        and is_integer_type(node.local.type) and node.local not in out_of_sight
    ]
    candidates = {node.local for node in sources}
    waits_for = [{ref.local for ref in _locals_read(node)} & candidates for node in sources]
    known: dict[tir.Local, Range] = {}
    changed, rounds = True, 0
    while changed:
        changed, rounds = False, rounds + 1
        for node, needed in zip(sources, waits_for, strict=True):
            if not needed <= known.keys():
                continue
            found = _assigned(node, Facts(small, known))
            before = known.get(node.local)
            merged = found if before is None else before.union(found)
            if merged == before:
                continue
            whole = Range(integer_bounds(node.local.type).minimum, integer_bounds(node.local.type).maximum)
            known[node.local] = merged if rounds <= _ROUNDS or before is None else whole
            changed = True
    return Facts(small, known)


def _assigned(node: tir.Assign | tir.For, facts: Facts) -> Range:
    return counter_range(node, facts) if isinstance(node, tir.For) else range_of(node.value, facts)


def _locals_read(node: tir.Assign | tir.For) -> Iterator[tir.Ref]:
    inputs = (node.start, node.stop, node.step) if isinstance(node, tir.For) else (node.value,)
    for part in inputs:
        yield from (inner for inner in tir.walk(part) if isinstance(inner, tir.Ref))


def integer_bounds(t: Type) -> ScalarType:
    """``t``, which is an integer type."""
    assert isinstance(t, ScalarType)
    return t


def _otherwise_assigned(nodes: list[tir.Node]) -> Iterator[tir.Local]:
    """Locals that get values in other ways than ``Assign`` and ``For``: as targets, and as variables in memory."""
    for node in nodes:
        match node:
            case tir.Effect(target=tir.Local() as target) | tir.Collective(target=tir.Local() as target):
                yield target
            case tir.Variable(local=local):
                yield local
            case _:
                pass


def is_integer_type(t: Type) -> bool:
    """Whether ``t`` is an integer type; bools are left alone."""
    return isinstance(t, ScalarType) and t.kind in (Kind.SIGNED, Kind.UNSIGNED)
