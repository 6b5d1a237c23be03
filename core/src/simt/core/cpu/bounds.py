"""What is known of integer expressions at one point of a region, as intervals over all its threads.

Only what is the same for all threads of the region, and their indices, is looked at; a local that the region assigns
has the interval of its value. A condition on the way narrows intervals of the expressions in it.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.check import tir
from simt.core.check.tir import BinaryOp, CompareOp, LogicalOp, UnaryOp
from simt.core.cpu.comparisons import FLIPPED, NEGATED
from simt.core.cpu.interval import FALSE, Arithmetic, Interval, constant_interval
from simt.core.cpu.state import Emission
from simt.core.cpu.storage import Home
from simt.core.intrinsics.recipe import SpecialRegister
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.expressions import emit_expression, view_of
from simt.core.types import ArrayType, Kind, ScalarType

Key = tuple[object, ...]


@dataclass(slots=True)
class Facts:
    """``locals``: intervals of what the region has assigned, None where unknown. ``narrowed``: by expression.

    ``mentioned``: what stands in the keys of ``narrowed``, and may have stood there. ``arrays``: the expression that an
    array's local stands for. ``empty`` (i1): no thread gets here.
    """

    locals: dict[tir.Local, Interval | None] = field(default_factory=dict[tir.Local, "Interval | None"])
    narrowed: dict[Key, Interval] = field(default_factory=dict[Key, Interval])
    arrays: dict[tir.Local, tir.Expr] = field(default_factory=dict[tir.Local, tir.Expr])
    empty: Value = FALSE
    mentioned: frozenset[object] = frozenset()

    def copy(self) -> Facts:
        return Facts(dict(self.locals), dict(self.narrowed), dict(self.arrays), self.empty, self.mentioned)

    def forget(self, local: tir.Local) -> None:
        """``local`` changes: nothing that mentions it holds any longer."""
        if local in self.mentioned:
            self.narrowed = {key: interval for key, interval in self.narrowed.items() if local not in _flat(key)}
        self.arrays.pop(local, None)


@dataclass(slots=True)
class Bounds:
    """Computes intervals for one region, by code emitted before it."""

    emission: Emission
    arithmetic: Arithmetic

    def of(self, node: tir.Expr, facts: Facts) -> Interval | None:
        """The interval of an integer expression, None where nothing is known."""
        t = node.type
        if not isinstance(t, ScalarType) or not t.is_integer or t.bits > 64:
            return None
        found = self._compute(node, t, facts)
        narrowed = facts.narrowed.get(key_of(node))
        if found is None or narrowed is None:
            return found or narrowed
        return self.arithmetic.intersection(found, narrowed)

    def extent(self, array: tir.Expr, axis: int, facts: Facts) -> Value | None:
        """The length (i64) of an axis of an array that is the same for all threads."""
        assert isinstance(array.type, ArrayType)
        known = array.type.shape[axis]
        if known is not None:
            return integer(64, known)
        while isinstance(array, tir.Ref) and array.local in facts.arrays:
            array = facts.arrays[array.local]
        if isinstance(array, tir.Ref) and self._is_fixed(array.local):
            return view_of(self.emission.ctx, array).extent(self.emission.ctx, axis)
        return None

    def narrow(self, condition: tir.Expr, holds: bool, facts: Facts) -> Facts:
        """``facts`` where ``condition`` is known to hold, or not to."""
        match condition:
            case tir.Unary(op=UnaryOp.NOT, operand=operand):
                return self.narrow(operand, not holds, facts)
            case tir.ShortCircuit(op=op, lhs=lhs, rhs=rhs) if (op is LogicalOp.AND) == holds:
                return self.narrow(rhs, holds, self.narrow(lhs, holds, facts))
            case tir.Compare(op=op, lhs=lhs, rhs=rhs):
                op = op if holds else NEGATED[op]
                facts = self._narrow_side(lhs, op, self.of(rhs, facts), facts)
                return self._narrow_side(rhs, FLIPPED.get(op, op), self.of(lhs, facts), facts)
            case _:
                return facts

    def _narrow_side(self, node: tir.Expr, op: CompareOp, bound: Interval | None, facts: Facts) -> Facts:
        """``node op bound`` holds."""
        while isinstance(node, tir.Convert) and keeps_value(node):
            node = node.value
        if bound is None or op is CompareOp.NE or isinstance(node, tir.Const):
            return facts
        now = self.of(node, facts)
        if now is None:
            return facts
        one, least, greatest = integer(64, 1), now.low, now.high
        exact = self.arithmetic.exact
        if op in (CompareOp.LT, CompareOp.LE, CompareOp.EQ):
            limit = exact("sub", bound.high, one) if op is CompareOp.LT else bound.high
            greatest = self.arithmetic.smaller(greatest, limit)
        if op in (CompareOp.GT, CompareOp.GE, CompareOp.EQ):
            limit = exact("add", bound.low, one) if op is CompareOp.GT else bound.low
            least = self.arithmetic.larger(least, limit)
        out = facts.copy()
        key = key_of(node)
        out.narrowed[key] = Interval(least, greatest)
        out.mentioned = facts.mentioned | _flat(key)
        above = self.arithmetic.at_most(self.arithmetic.exact("add", greatest, one), least)
        out.empty = self.arithmetic.either(facts.empty, above)
        return out

    def _is_fixed(self, local: tir.Local) -> bool:
        """Whether all threads of the region see one value that does not change while they run."""
        homes = self.emission.storage.homes
        if homes.get(local) in (Home.WARP, Home.WARP_ARRAY):
            return self.emission.warp is not None
        return local in self.emission.fixed

    def _compute(self, node: tir.Expr, t: ScalarType, facts: Facts) -> Interval | None:
        arithmetic = self.arithmetic
        match node:
            case tir.Const(value=value):
                return constant_interval(int(value.real), int(value.real)) if int(value.real) < 1 << 63 else None
            case tir.Ref(local=local):
                if local in facts.locals:
                    return facts.locals[local]
                if self.emission.storage.homes.get(local) is Home.RECOMPUTED:
                    return self.of(self.emission.storage.recomputed[local], facts)
                return self._point(node, t) if self._is_fixed(local) else None
            case tir.Extent(array=array, axis=axis):
                extent = self.extent(array, axis, facts)
                return None if extent is None else Interval(extent, extent)
            case tir.Call(callee=callee):
                return self._register(callee.cpu.name) if isinstance(callee.cpu, SpecialRegister) else None
            case tir.Convert(value=value):
                return self._fitting(self.of(value, facts), t, value.type)
            case tir.Unary(op=UnaryOp.NEGATE, operand=operand):
                inner = self.of(operand, facts)
                if inner is None:
                    return None
                return self._fitting(arithmetic.subtract(constant_interval(0, 0), inner), t, None)
            case tir.Binary(op=op, lhs=lhs, rhs=rhs):
                a, b = self.of(lhs, facts), self.of(rhs, facts)
                return self._fitting(self._binary(op, a, b, rhs), t, None)
            case tir.Conditional(condition=condition, then=then, orelse=orelse):
                a = self.of(then, self.narrow(condition, True, facts))
                b = self.of(orelse, self.narrow(condition, False, facts))
                return None if a is None or b is None else arithmetic.union(a, b)
            case _:
                return None

    def _binary(self, op: BinaryOp, a: Interval | None, b: Interval | None, rhs: tir.Expr) -> Interval | None:
        arithmetic = self.arithmetic
        constant = int(rhs.value.real) if isinstance(rhs, tir.Const) else None
        if constant is not None and constant > 0 and op is BinaryOp.MOD:
            return constant_interval(0, constant - 1)
        if constant is not None and constant >= 0 and op is BinaryOp.AND:
            return constant_interval(0, constant)
        if a is None or b is None:
            return None
        zero = integer(64, 0)
        match op:
            case BinaryOp.ADD:
                return arithmetic.add(a, b)
            case BinaryOp.SUB:
                return arithmetic.subtract(a, b)
            case BinaryOp.MUL:
                return arithmetic.multiply(a, b)
            case BinaryOp.FLOOR_DIV if constant is not None and constant > 0:
                return arithmetic.divide(a, constant)
            case BinaryOp.FLOOR_DIV | BinaryOp.MOD if b.is_point:
                arithmetic.require(arithmetic.at_most(integer(64, 1), b.low))
                if op is BinaryOp.MOD:
                    return Interval(zero, arithmetic.exact("sub", b.low, integer(64, 1)))
                arithmetic.require(arithmetic.at_most(zero, a.low))
                return Interval(zero, a.high)
            case BinaryOp.SHL if constant is not None and 0 <= constant < 62:
                return arithmetic.multiply(a, constant_interval(1 << constant, 1 << constant))
            case BinaryOp.SHR if constant is not None and 0 <= constant < 64:
                return arithmetic.shift_right(a, constant)
            case BinaryOp.OR | BinaryOp.XOR:
                return arithmetic.bits_below(a, b)
            case BinaryOp.MIN:
                return Interval(arithmetic.smaller(a.low, b.low), arithmetic.smaller(a.high, b.high))
            case BinaryOp.MAX:
                return Interval(arithmetic.larger(a.low, b.low), arithmetic.larger(a.high, b.high))
            case _:
                return None

    def _fitting(self, interval: Interval | None, t: ScalarType, source: object) -> Interval | None:
        """``interval``, required to lie within ``t``: there wrapping changes nothing."""
        if interval is None:
            return None
        if isinstance(source, ScalarType) and _holds(t, source):
            return interval
        if t.kind is Kind.UNSIGNED:
            self.arithmetic.require(self.arithmetic.at_most(integer(64, 0), interval.low))
        if t.bits < 64:
            self.arithmetic.require(self.arithmetic.at_most(integer(64, t.minimum), interval.low))
            self.arithmetic.require(self.arithmetic.at_most(interval.high, integer(64, t.maximum)))
        return interval

    def _point(self, node: tir.Expr, t: ScalarType) -> Interval:
        """The one value of an expression that is the same for all threads."""
        value = emit_expression(self.emission.ctx, node)
        wide = self.emission.ctx.emitter.cast("sext" if t.kind is Kind.SIGNED else "zext", value, "i64")
        if t.kind is Kind.UNSIGNED and t.bits == 64:
            self.arithmetic.require(self.arithmetic.at_most(integer(64, 0), wide))
        return Interval(wide, wide)

    def _register(self, name: str) -> Interval | None:
        """A special register's values over the threads of the region."""
        block, emitter, warp = self.emission.backend.block, self.emission.ctx.emitter, self.emission.warp
        family, _, axis = name.partition(".")
        triples = {"ntid": block.dimension, "ctaid": block.index, "nctaid": block.grid}
        if family in triples:
            value = emitter.cast("zext", triples[family]["xyz".index(axis)], "i64")
            return Interval(value, value)
        if family == "tid":
            extent = emitter.cast("zext", block.width if axis == "x" else block.dimension["xyz".index(axis)], "i64")
            return Interval(integer(64, 0), emitter.binary("sub nuw nsw", extent, integer(64, 1)))
        if name == "laneid":
            return constant_interval(0, 31)
        if name == "warpid":
            if warp is not None:
                return Interval(warp.number, warp.number)
            last = emitter.binary("sub nuw nsw", block.threads, integer(64, 1))
            return Interval(integer(64, 0), emitter.binary("lshr", last, integer(64, 5)))
        return None


def key_of(node: tir.Expr) -> Key:
    """What identifies an expression, wherever it stands; value-preserving conversions do not count."""
    match node:
        case tir.Const(value=value):
            return ("const", value)
        case tir.Ref(local=local):
            return ("local", local)
        case tir.Binary(op=op, lhs=lhs, rhs=rhs):
            return (op, node.type, key_of(lhs), key_of(rhs))
        case tir.Convert(value=value):
            return key_of(value) if keeps_value(node) else ("convert", node.type, key_of(value))
        case tir.Call(callee=callee, arguments=()):
            return ("call", callee.name)
        case tir.Extent(array=tir.Ref(local=local), axis=axis):
            return ("extent", local, axis)
        case _:
            return ("node", id(node))


def keeps_value(node: tir.Convert) -> bool:
    source, target = node.value.type, node.type
    return isinstance(source, ScalarType) and isinstance(target, ScalarType) and _holds(target, source)


def _holds(target: ScalarType, source: ScalarType) -> bool:
    """Whether every integer of ``source`` is one of ``target``."""
    if not source.is_integer or not target.is_integer:
        return False
    return source.minimum >= target.minimum and source.maximum <= target.maximum


def _flat(key: Key) -> set[object]:
    found: set[object] = set()
    for part in key:
        found |= _flat(part) if isinstance(part, tuple) else {part}  # pyright: ignore[reportUnknownArgumentType] -- keys nest
    return found
