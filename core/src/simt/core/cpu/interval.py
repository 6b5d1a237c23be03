"""Intervals of index values that the compiled code computes at run time, in 64 bits, once for many threads.

``Arithmetic`` emits the instructions; constants are folded on the way. Its ``conditions`` are what must hold for the
intervals to be right (no overflow, for one): where one fails, nothing is known.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.constants import integer

TRUE, FALSE = Value("i1", "true"), Value("i1", "false")


@dataclass(frozen=True, slots=True)
class Interval:
    """Every value lies from ``low`` to ``high`` (i64), both included; empty where ``low`` is above ``high``."""

    low: Value
    high: Value

    @property
    def is_point(self) -> bool:
        return self.low == self.high


def constant_interval(low: int, high: int) -> Interval:
    return Interval(integer(64, low), integer(64, high))


@dataclass(slots=True)
class Arithmetic:
    """Emits interval arithmetic at ``emitter``'s present position; straight-line code only."""

    emitter: Emitter
    conditions: list[Value] = field(default_factory=list[Value])

    def require(self, condition: Value) -> None:
        if condition != TRUE:
            self.conditions.append(condition)

    # ---- numbers

    def exact(self, operation: str, a: Value, b: Value) -> Value:
        """``a operation b`` (add, sub, mul), required not to overflow."""
        known = _numbers(a, b)
        if known is not None:
            result = {"add": known[0] + known[1], "sub": known[0] - known[1], "mul": known[0] * known[1]}[operation]
            if -(1 << 63) <= result < 1 << 63:
                return integer(64, result)
        if operation == "add" and "0" in (a.text, b.text):
            return a if b.text == "0" else b
        if operation == "sub" and b.text == "0":
            return a
        if operation == "mul" and "1" in (a.text, b.text):
            return a if b.text == "1" else b
        pair = self.emitter.call("{ i64, i1 }", f"llvm.s{operation}.with.overflow.i64", [a, b])
        overflow = self.emitter.extract(pair, 1, "i1")
        self.require(self.emitter.binary("xor", overflow, TRUE))
        return self.emitter.extract(pair, 0, "i64")

    def smaller(self, a: Value, b: Value) -> Value:
        return self._choice("smin", a, b)

    def larger(self, a: Value, b: Value) -> Value:
        return self._choice("smax", a, b)

    def at_most(self, a: Value, b: Value) -> Value:
        """``a <= b`` as an i1."""
        known = _numbers(a, b)
        if known is not None:
            return TRUE if known[0] <= known[1] else FALSE
        return TRUE if a == b else self.emitter.compare("icmp sle", a, b)

    def either(self, a: Value, b: Value) -> Value:
        if TRUE in (a, b):
            return TRUE
        if FALSE in (a, b):
            return b if a == FALSE else a
        return self.emitter.binary("or", a, b)

    def both(self, a: Value, b: Value) -> Value:
        if FALSE in (a, b):
            return FALSE
        if TRUE in (a, b):
            return b if a == TRUE else a
        return self.emitter.binary("and", a, b)

    # ---- intervals

    def add(self, a: Interval, b: Interval) -> Interval:
        return Interval(self.exact("add", a.low, b.low), self.exact("add", a.high, b.high))

    def subtract(self, a: Interval, b: Interval) -> Interval:
        return Interval(self.exact("sub", a.low, b.high), self.exact("sub", a.high, b.low))

    def multiply(self, a: Interval, b: Interval) -> Interval:
        if a.is_point and b.is_point:
            product = self.exact("mul", a.low, b.low)
            return Interval(product, product)
        if b.is_point or a.is_point:
            a, b = (a, b) if b.is_point else (b, a)
            ends = [self.exact("mul", a.low, b.low), self.exact("mul", a.high, b.low)]
        else:
            ends = [self.exact("mul", x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        low = high = ends[0]
        for end in ends[1:]:
            low, high = self.smaller(low, end), self.larger(high, end)
        return Interval(low, high)

    def union(self, a: Interval, b: Interval) -> Interval:
        return a if a == b else Interval(self.smaller(a.low, b.low), self.larger(a.high, b.high))

    def intersection(self, a: Interval, b: Interval) -> Interval:
        return a if a == b else Interval(self.larger(a.low, b.low), self.smaller(a.high, b.high))

    def shift_right(self, a: Interval, count: int) -> Interval:
        """Both ends by ``count`` places, rounded down."""
        return Interval(*(self._right(end, count) for end in (a.low, a.high)))

    def divide(self, a: Interval, divisor: int) -> Interval:
        """Floor division by a positive number."""
        if divisor & (divisor - 1) == 0:
            return self.shift_right(a, divisor.bit_length() - 1)
        self.require(self.at_most(integer(64, 0), a.low))
        return Interval(*(self.emitter.binary("sdiv", end, integer(64, divisor)) for end in (a.low, a.high)))

    def bits_below(self, a: Interval, b: Interval) -> Interval:
        """What ``|`` and ``^`` of numbers that are not negative can give: no bit above their highest one."""
        for part in (a, b):
            self.require(self.at_most(integer(64, 0), part.low))
        known = _numbers(a.high, b.high)
        if known is not None:
            return constant_interval(0, (1 << max(known).bit_length()) - 1)
        high = self.emitter.binary("or", self.emitter.binary("or", a.high, b.high), integer(64, 1))
        zeros = self.emitter.call("i64", "llvm.ctlz.i64", [high, TRUE])
        return Interval(integer(64, 0), self.emitter.binary("lshr", integer(64, -1), zeros))

    def _right(self, value: Value, count: int) -> Value:
        known = _numbers(value, value)
        return integer(64, known[0] >> count) if known else self.emitter.binary("ashr", value, integer(64, count))

    def _choice(self, name: str, a: Value, b: Value) -> Value:
        known = _numbers(a, b)
        if known is not None:
            return integer(64, min(known) if name == "smin" else max(known))
        return a if a == b else self.emitter.call("i64", f"llvm.{name}.i64", [a, b])


def _numbers(a: Value, b: Value) -> tuple[int, int] | None:
    texts = [value.text.removeprefix("-") for value in (a, b)]
    return (int(a.text), int(b.text)) if all(text.isdigit() for text in texts) else None
