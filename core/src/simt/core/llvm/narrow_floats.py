"""bf16 as 16 bits: widening to f32, and rounding to nearest even from f32 and f64."""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.constants import integer


def float_from_bf16(emitter: Emitter, value: Value) -> Value:
    """i16 bits to float: bf16 is the upper half of an f32."""
    wide = emitter.binary("shl", emitter.cast("zext", value, "i32"), integer(32, 16))
    return emitter.cast("bitcast", wide, "float")


def bf16_from_float(emitter: Emitter, value: Value) -> Value:
    """float to i16 bits, to nearest even.

    Adding 0x7FFF, plus one if the last kept bit is odd, carries exactly where rounding goes up, into the exponent and
    to infinity included. A NaN keeps its upper bits and becomes quiet; it is told by its bits, since libNVVM takes a
    division of two constant zeros for a number when it is compared with itself.
    """
    bits = emitter.cast("bitcast", value, "i32")
    odd = emitter.binary("and", emitter.binary("lshr", bits, integer(32, 16)), integer(32, 1))
    rounded = emitter.binary("add", bits, emitter.binary("add", odd, integer(32, 0x7FFF)))
    quiet = emitter.binary("or", bits, integer(32, 0x400000))
    magnitude = emitter.binary("and", bits, integer(32, 0x7FFFFFFF))
    chosen = emitter.select(emitter.compare("icmp ugt", magnitude, integer(32, 0x7F800000)), quiet, rounded)
    return emitter.cast("trunc", emitter.binary("lshr", chosen, integer(32, 16)), "i16")


def float_from_double_to_odd(emitter: Emitter, value: Value) -> Value:
    """double to float, rounded to odd, so that rounding once more to a narrower type is as if done once.

    Source: Boldo, Melquiond, Emulation of FMA and correctly rounded sums, IEEE Trans. Computers 57(4), 2008.
    """
    nearest = emitter.cast("fptrunc", value, "float")
    back = emitter.cast("fpext", nearest, "double")
    bits = emitter.cast("bitcast", nearest, "i32")
    inexact = emitter.compare("fcmp one", back, value)
    even = emitter.compare("icmp eq", emitter.binary("and", bits, integer(32, 1)), integer(32, 0))
    # The odd neighbour lies on the other side of the value: nearer zero if rounding went away from zero.
    magnitude = emitter.binary("and", emitter.cast("bitcast", back, "i64"), integer(64, (1 << 63) - 1))
    exact = emitter.binary("and", emitter.cast("bitcast", value, "i64"), integer(64, (1 << 63) - 1))
    away = emitter.compare("icmp ugt", magnitude, exact)
    neighbour = emitter.binary("add", bits, emitter.select(away, integer(32, -1), integer(32, 1)))
    moved = emitter.select(emitter.binary("and", inexact, even), neighbour, bits)
    return emitter.cast("bitcast", moved, "float")
