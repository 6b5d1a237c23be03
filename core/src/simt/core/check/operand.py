"""Operands: what an expression is while it is being checked. Only ``Runtime`` and ``Stored`` exist in the code made."""
from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING

from simt.core.check import tir
from simt.core.frontend import hir

if TYPE_CHECKING:
    from simt.core.check.scope import Scope


@dataclass(frozen=True, slots=True)
class Static:
    """A value known at compile time. Python's int, float, complex and bool are weak: they take the type they meet."""

    value: object


@dataclass(frozen=True, slots=True)
class Runtime:
    """A typed value. ``weak``: a local that has met no concrete type yet, only during inference.

    ``own``: (axes, axis) where the value is this thread's own index.
    """

    expr: tir.Expr
    weak: bool = False
    own: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A struct, vector or tuple in memory: passed by reference, its parts can be assigned."""

    place: tir.Place


@dataclass(frozen=True, slots=True)
class TupleOperand:
    """A tuple whose elements are operands of any kind."""

    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class RangeOperand:
    """``range(start, stop, step)`` over run-time bounds of one integer type."""

    start: tir.Expr
    stop: tir.Expr
    step: tir.Expr
    own: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Closure:
    """A lambda or nested ``def``: its captured names are looked up in ``scope`` when it is called.

    ``defaults`` were evaluated where it was made.
    """

    function: hir.Function
    scope: Scope
    defaults: tuple[tuple[str, Operand], ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A function bound to a struct or other receiver."""

    receiver: Operand
    bound: object

    @property
    def function(self) -> FunctionType:
        """The function that the receiver is passed to."""
        assert isinstance(self.bound, FunctionType)
        return self.bound


@dataclass(frozen=True, slots=True)
class ArrayMember:
    """``array.size`` and the like are computed; what remains are names that only calls give meaning to."""

    receiver: Operand
    name: str


@dataclass(frozen=True, slots=True)
class Poison:
    """An expression that was already reported; silences what follows from it."""


Operand = Static | Runtime | Stored | TupleOperand | RangeOperand | Closure | Method | ArrayMember | Poison
POISON = Poison()
