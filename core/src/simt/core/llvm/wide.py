"""128-bit division and conversion, which neither libNVVM's LLVM 7 nor a JIT without compiler-rt has.

Division is a module function, since it is a loop. Conversions are straight-line code.
"""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Module, Value
from simt.core.llvm.constants import integer

_DIVIDE = "simt_divide_u128"
_PAIR = "{ i128, i128 }"


def divide_wide(emitter: Emitter, lhs: Value, rhs: Value, *, signed: bool) -> tuple[Value, Value]:
    """Truncating quotient and remainder of two i128; a zero divisor gives unspecified values."""
    _define_divide(emitter.module)
    zero = integer(128, 0)
    if signed:
        lhs_negative, rhs_negative = (emitter.compare("icmp slt", value, zero) for value in (lhs, rhs))
        lhs, rhs = _negate_if(emitter, lhs_negative, lhs), _negate_if(emitter, rhs_negative, rhs)
        pair = emitter.let(_PAIR, f"call {_PAIR} @{_DIVIDE}({lhs}, {rhs})")
        quotient, remainder = (emitter.extract(pair, part, "i128") for part in (0, 1))
        quotient_negative = emitter.binary("xor", lhs_negative, rhs_negative)
        return _negate_if(emitter, quotient_negative, quotient), _negate_if(emitter, lhs_negative, remainder)
    pair = emitter.let(_PAIR, f"call {_PAIR} @{_DIVIDE}({lhs}, {rhs})")
    return emitter.extract(pair, 0, "i128"), emitter.extract(pair, 1, "i128")


def leading_zeros(emitter: Emitter, value: Value) -> Value:
    """Number of leading zeros of an i64 or i128, as the same type; the width for 0."""
    if value.type == "i64":
        return emitter.call("i64", "llvm.ctlz.i64", (value, Value("i1", "false")))
    high = emitter.cast("trunc", emitter.binary("lshr", value, integer(128, 64)), "i64")
    low = emitter.cast("trunc", value, "i64")
    high_zero = emitter.compare("icmp eq", high, integer(64, 0))
    count = leading_zeros(emitter, emitter.select(high_zero, low, high))
    total = emitter.binary("add", count, emitter.select(high_zero, integer(64, 64), integer(64, 0)))
    return emitter.cast("zext", total, "i128")


def wide_to_double(emitter: Emitter, value: Value, target: str, *, signed: bool, to_odd: bool = False) -> Value:
    """i128 to ``float`` or ``double``, rounded to nearest even, or a double rounded to odd (to be rounded again).

    The value is normalised to 64 bits, the last of which is sticky (1 if any lost bit was), so that rounding to 53 or
    24 bits happens once; scaling by a power of two is exact.
    """
    negative = emitter.compare("icmp slt", value, integer(128, 0)) if signed else Value("i1", "false")
    magnitude = _negate_if(emitter, negative, value) if signed else value
    zeros = leading_zeros(emitter, magnitude)
    # Zero has 128 leading zeros; a shift by the width is undefined, by 127 it leaves zero as it is.
    is_zero = emitter.compare("icmp eq", magnitude, integer(128, 0))
    normal = emitter.binary("shl", magnitude, emitter.select(is_zero, integer(128, 127), zeros))
    top = emitter.cast("trunc", emitter.binary("lshr", normal, integer(128, 64)), "i64")
    lost = emitter.compare("icmp ne", emitter.cast("trunc", normal, "i64"), integer(64, 0))
    top = emitter.binary("or", top, emitter.cast("zext", lost, "i64"))
    if to_odd:
        below = emitter.compare("icmp ne", emitter.binary("and", top, integer(64, 0x7FF)), integer(64, 0))
        kept = emitter.binary("and", top, integer(64, ~0x7FF))
        top = emitter.binary("or", kept, emitter.select(below, integer(64, 0x800), integer(64, 0)))
    rounded = emitter.let(target, f"uitofp {top} to {target}")
    exponent = emitter.binary("sub", integer(64, 64), emitter.cast("trunc", zeros, "i64"))
    scaled = emitter.binary("fmul", rounded, _power_of_two(emitter, exponent, target))
    minus = emitter.binary("fsub", Value(target, "-0.0"), scaled)
    return emitter.select(negative, minus, scaled)


def double_to_wide(emitter: Emitter, value: Value, *, signed: bool) -> Value:
    """double to i128, toward zero; saturates, and gives 0 for NaN. Read off the bits: significand and exponent."""
    bits = emitter.let("i64", f"bitcast {value} to i64")
    fraction = emitter.binary("and", bits, integer(64, (1 << 52) - 1))
    significand = emitter.cast("zext", emitter.binary("or", fraction, integer(64, 1 << 52)), "i128")
    biased = emitter.binary("and", emitter.binary("lshr", bits, integer(64, 52)), integer(64, 0x7FF))
    exponent = emitter.binary("sub", biased, integer(64, 1023))  # value = significand * 2**(exponent - 52)
    left = _clamp_shift(emitter, emitter.binary("sub", exponent, integer(64, 52)))
    right = _clamp_shift(emitter, emitter.binary("sub", integer(64, 52), exponent))
    shifted = emitter.select(
        emitter.compare("icmp sge", exponent, integer(64, 52)),
        emitter.binary("shl", significand, left), emitter.binary("lshr", significand, right),
    )
    magnitude = emitter.select(emitter.compare("icmp slt", exponent, integer(64, 0)), integer(128, 0), shifted)
    negative = emitter.compare("icmp slt", bits, integer(64, 0))
    if signed:
        low, high, limit = integer(128, 1 << 127), integer(128, (1 << 127) - 1), 127
        result = _negate_if(emitter, negative, magnitude)
    else:
        low, high, limit = integer(128, 0), integer(128, (1 << 128) - 1), 128
        result = emitter.select(negative, integer(128, 0), magnitude)
    too_large = emitter.compare("icmp sge", exponent, integer(64, limit))
    result = emitter.select(too_large, emitter.select(negative, low, high), result)
    return emitter.select(emitter.compare("fcmp uno", value, value), integer(128, 0), result)


def _negate_if(emitter: Emitter, condition: Value, value: Value) -> Value:
    return emitter.select(condition, emitter.binary("sub", integer(128, 0), value), value)


def _clamp_shift(emitter: Emitter, count: Value) -> Value:
    inside = emitter.compare("icmp ult", count, integer(64, 128))
    return emitter.cast("zext", emitter.select(inside, count, integer(64, 127)), "i128")


def _power_of_two(emitter: Emitter, exponent: Value, target: str) -> Value:
    """2.0**exponent for an i64 exponent from -63 to 64, from its bits."""
    bias, fraction, bits = (1023, 52, 64) if target == "double" else (127, 23, 32)
    biased = emitter.binary("add", exponent, integer(64, bias))
    narrowed = emitter.cast("trunc", biased, f"i{bits}")
    return emitter.let(target, f"bitcast {emitter.binary('shl', narrowed, integer(bits, fraction))} to {target}")


def _define_divide(module: Module) -> None:
    """Define the unsigned division once: 64-bit hardware division where both fit, else shift and subtract."""
    if any(function.name == _DIVIDE for function in module.functions):
        return
    emitter = Emitter(module, f"define internal {_PAIR} @{_DIVIDE}(i128 %lhs, i128 %rhs)", "noinline nounwind {")
    lhs, rhs = Value("i128", "%lhs"), Value("i128", "%rhs")
    narrow, wide = emitter.new_block("narrow"), emitter.new_block("wide")
    either = emitter.binary("lshr", emitter.binary("or", lhs, rhs), integer(128, 64))
    emitter.branch_if(emitter.compare("icmp eq", either, integer(128, 0)), narrow, wide)
    emitter.place(narrow)
    a, b = emitter.cast("trunc", lhs, "i64"), emitter.cast("trunc", rhs, "i64")
    _return_pair(emitter, *(emitter.cast("zext", emitter.binary(op, a, b), "i128") for op in ("udiv", "urem")))
    emitter.place(wide)
    _long_division(emitter, lhs, rhs)


def _long_division(emitter: Emitter, lhs: Value, rhs: Value) -> None:
    """One quotient bit a step, from the highest that can be set. A zero divisor ends after 128 steps."""
    smaller, start = emitter.new_block("smaller"), emitter.new_block("start")
    loop, done = emitter.new_block("loop"), emitter.new_block("done")
    emitter.branch_if(emitter.compare("icmp ult", lhs, rhs), smaller, start)
    emitter.place(smaller)
    _return_pair(emitter, integer(128, 0), lhs)
    emitter.place(start)
    distance = emitter.binary("sub", leading_zeros(emitter, rhs), leading_zeros(emitter, lhs))
    distance = emitter.binary("and", distance, integer(128, 127))
    emitter.branch(loop)
    emitter.place(loop)
    step, left, quotient = (Value("i128", f"%{name}.next") for name in ("step", "left", "quotient"))
    origin = [(distance, start), (lhs, start), (integer(128, 0), start)]
    at, rest, so_far = (
        emitter.phi("i128", [first, (following, loop)])
        for first, following in zip(origin, (step, left, quotient), strict=True)
    )
    shifted = emitter.binary("shl", rhs, at)
    fits = emitter.compare("icmp uge", rest, shifted)
    reduced = emitter.binary("sub", rest, shifted)
    bit = emitter.binary("or", emitter.binary("shl", so_far, integer(128, 1)), emitter.cast("zext", fits, "i128"))
    emitter.do(f"{left.text} = select {fits}, {reduced}, {rest}")
    emitter.do(f"{quotient.text} = or {bit}, 0")
    emitter.do(f"{step.text} = add {at}, -1")
    emitter.branch_if(emitter.compare("icmp eq", at, integer(128, 0)), done, loop)
    emitter.place(done)
    _return_pair(emitter, quotient, left)


def _return_pair(emitter: Emitter, first: Value, second: Value) -> None:
    pair = emitter.insert(emitter.insert(Value(_PAIR, "undef"), first, 0), second, 1)
    emitter.terminate(f"ret {pair}")
