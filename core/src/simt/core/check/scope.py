"""Scopes: the names of one function instance while it is checked, and what inference has found out about them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType

from simt.core.check import tir
from simt.core.check.operand import Operand
from simt.core.frontend import hir
from simt.core.types import Type


@dataclass(slots=True)
class Plan:
    """What is known of a function instance's locals and result; kept from one attempt of checking it to the next.

    ``weak`` names have met only literals so far. ``changed`` asks for another attempt. ``returns_late``: some return
    is not the last statement, so the result needs a variable.
    """

    types: dict[str, Type] = field(default_factory=dict[str, Type])
    weak: set[str] = field(default_factory=set[str])
    settled: bool = False
    returns_late: bool = False
    result: Type | None = None
    changed: bool = False


@dataclass(slots=True)
class Loop:
    """A loop being checked. An unrolled one leaves through blocks."""

    break_label: tir.Label
    continue_label: tir.Label
    unrolled: bool
    break_used: bool = False
    continue_used: bool = False
    definite_at_breaks: list[set[str]] = field(default_factory=list[set[str]])


@dataclass(eq=False, slots=True)
class Scope:
    """One instance of a function. ``parent`` is the enclosing scope of a lambda or nested ``def``."""

    function: hir.Function
    python: FunctionType
    plan: Plan
    parent: Scope | None
    sites: Counter[str]
    types: dict[str, Type] = field(default_factory=dict[str, Type])  # by TypeVar name
    bindings: dict[str, Operand] = field(default_factory=dict[str, Operand])
    storage: dict[str, tir.Local] = field(default_factory=dict[str, tir.Local])
    declared: dict[str, Type] = field(default_factory=dict[str, Type])
    definite: set[str] = field(default_factory=set[str])
    loops: list[Loop] = field(default_factory=list[Loop])
    return_label: tir.Label | None = None
    return_used: bool = False
    result_local: tir.Local | None = None
    result: Operand | None = None
    is_kernel: bool = False

    def all_types(self) -> dict[str, Type]:
        """What type variables stand for here and in the enclosing functions."""
        outer = {} if self.parent is None else self.parent.all_types()
        return {**outer, **self.types}


def assignment_sites(function: hir.Function) -> Counter[str]:
    """How many places of ``function`` bind each of its locals, parameters included."""
    sites = Counter(parameter.name for parameter in function.parameters)
    sites.update(_bound_names(function.body))
    return sites


def _bound_names(body: tuple[hir.Stmt, ...]) -> Iterator[str]:
    for statement in body:
        match statement:
            case hir.Assign(targets=targets):
                for target in targets:
                    yield from _target_names(target)
            case hir.AugmentedAssign(target=target):
                yield from _target_names(target)
            case hir.For(target=target, body=inner):
                yield from _target_names(target)
                yield from _bound_names(inner)
            case hir.AnnotatedAssign(local=local, value=value):
                if value is not None:
                    yield local.name
            case hir.Define(local=local):
                yield local.name
            case hir.If(then=then, orelse=orelse):
                yield from _bound_names(then)
                yield from _bound_names(orelse)
            case hir.While(body=inner):
                yield from _bound_names(inner)
            case hir.Match(cases=cases):
                for case in cases:
                    yield from _bound_names(case.body)
            case hir.Evaluate() | hir.Break() | hir.Continue() | hir.Return() | hir.Assert():
                pass


def _target_names(target: hir.Target | hir.Expr) -> Iterator[str]:
    match target:
        case hir.LocalName(name=name):
            yield name
        case hir.Tuple(elements=elements):
            for element in elements:
                yield from _target_names(element)
        case _:
            pass
