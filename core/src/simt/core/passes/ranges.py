"""Bounds on the values of integer expressions and locals.

They come from types, constants, array extents, special registers, and what a launch with few elements and threads
promises (``small``). An expression's range never needs flow: a local's is the union over all its assignments.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from simt.core.check import tir
from simt.core.check.tir import BinaryOp
from simt.core.intrinsics.declare import Intrinsic
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.intrinsics.registers import REGISTER_RANGES
from simt.core.types import Kind, ScalarType

MAXIMUM_EXTENT = 1 << 48  # no address space that a kernel sees holds more bytes
SMALL = (1 << 30) - 1  # elements of an array, and threads of the grid, of a small launch


@dataclass(frozen=True, slots=True)
class Range:
    """Every value lies from ``low`` to ``high``, both included."""

    low: int
    high: int

    def fits(self, t: ScalarType) -> bool:
        """Whether ``t`` holds every value."""
        return t.minimum <= self.low and self.high <= t.maximum

    def union(self, other: Range) -> Range:
        """The least range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known besides the expression: ranges of locals, and whether the launch is small.

    ``found`` keeps what these facts say of each expression, by identity, with the expression so that it lives: a
    chain of operators is looked at from each of its links.
    """

    small: bool = False
    locals: Mapping[tir.Local, Range] = field(default_factory=lambda: MappingProxyType({}))
    found: dict[int, tuple[tir.Expr, Range | None]] = field(
        default_factory=dict[int, "tuple[tir.Expr, Range | None]"], init=False, repr=False, compare=False,
    )


def range_of(node: tir.Expr, facts: Facts) -> Range:
    """The range of an integer or bool expression's value."""
    t = integer_type(node)
    exact = _exact(node, facts)
    return exact if exact is not None and exact.fits(t) else Range(t.minimum, t.maximum)


def cannot_wrap(node: tir.Binary, facts: Facts) -> bool:
    """Whether the exact result of an integer operation is in the range of its type."""
    exact = _exact(node, facts)
    return exact is not None and exact.fits(integer_type(node))


def is_integer(node: tir.Expr) -> bool:
    """Whether ``node`` is an integer or a bool."""
    t = node.type
    return isinstance(t, ScalarType) and (t.is_integer or t.kind is Kind.BOOL)


def integer_type(node: tir.Expr) -> ScalarType:
    """The type of an integer or bool expression."""
    assert isinstance(node.type, ScalarType)
    return node.type


def counter_range(node: tir.For, facts: Facts) -> Range:
    """The values that a loop's counter takes in its body."""
    start, stop, step = (range_of(part, facts) for part in (node.start, node.stop, node.step))
    rising = Range(start.low, max(start.high, stop.high - 1))
    falling = Range(min(start.low, stop.low + 1), start.high)
    if step.low > 0:
        return Range(start.low, max(start.low, stop.high - 1))
    return falling if step.high < 0 else rising.union(falling)


def _exact(node: tir.Expr, facts: Facts) -> Range | None:
    """The range of the exact result, which the type may be too narrow for; None where nothing is known."""
    known = facts.found.get(id(node))
    if known is None:
        known = facts.found[id(node)] = node, _compute(node, facts)
    return known[1]


def _compute(node: tir.Expr, facts: Facts) -> Range | None:
    match node:
        case tir.Const(value=int(value)):
            return Range(int(value), int(value))
        case tir.Extent():
            return Range(0, SMALL if facts.small else MAXIMUM_EXTENT)
        case tir.Ref(local=local):
            return facts.locals.get(local)
        case tir.Call(callee=Intrinsic(gpu=SpecialRegister(name=name))) if name in REGISTER_RANGES:
            return Range(*REGISTER_RANGES[name])
        case tir.Convert(value=value) if is_integer(value):
            return range_of(value, facts)
        case tir.Conditional(then=then, orelse=orelse) if is_integer(node):
            return range_of(then, facts).union(range_of(orelse, facts))
        case tir.Binary() if is_integer(node):
            return _binary(node, facts)
        case _:
            return None


def _binary(node: tir.Binary, facts: Facts) -> Range | None:
    a, b = range_of(node.lhs, facts), range_of(node.rhs, facts)
    match node.op:
        case BinaryOp.ADD:
            return Range(a.low + b.low, a.high + b.high)
        case BinaryOp.SUB:
            return Range(a.low - b.high, a.high - b.low)
        case BinaryOp.MUL:
            if facts.small and _counts_threads(node):
                return Range(a.low * b.low, SMALL)
            products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Range(min(products), max(products))
        case BinaryOp.FLOOR_DIV if b.low > 0:
            quotients = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Range(min(quotients), max(quotients))
        case BinaryOp.MOD if b.low > 0:
            return Range(0, min(b.high - 1, a.high) if a.low >= 0 else b.high - 1)
        case BinaryOp.AND if a.low >= 0 or b.low >= 0:
            return Range(0, min(limit.high for limit in (a, b) if limit.low >= 0))
        case BinaryOp.SHR if a.low >= 0 and b.low >= 0:
            return Range(a.low >> min(b.high, 128), a.high >> min(b.low, 128))
        case BinaryOp.MIN:
            return Range(min(a.low, b.low), min(a.high, b.high))
        case BinaryOp.MAX:
            return Range(max(a.low, b.low), max(a.high, b.high))
        case _:
            return None


def _counts_threads(node: tir.Binary) -> bool:
    """Whether a product is a block's index, or the number of blocks, times the threads of a block on one axis."""
    names = {_register(node.lhs), _register(node.rhs)}
    return any(names in ({f"ctaid.{axis}", f"ntid.{axis}"}, {f"nctaid.{axis}", f"ntid.{axis}"}) for axis in "xyz")


def _register(node: tir.Expr) -> str | None:
    """The special register that ``node`` reads, conversions aside."""
    match node:
        case tir.Convert(value=value):
            return _register(value)
        case tir.Call(callee=Intrinsic(gpu=SpecialRegister(name=name))):
            return name
        case _:
            return None
