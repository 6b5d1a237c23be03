"""The operators of scalar values: find the type in which the operands meet, then compute in it."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from simt.core.types import ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import BOOL, I32
from simt.core.values.float_arithmetic import complex_binary, float_binary
from simt.core.values.integer_arithmetic import integer_binary
from simt.core.values.integer_arithmetic import shift as shift_integer
from simt.core.values.literal import default_type, fit, meeting_type
from simt.core.values.numpy_types import NumpyType, numpy_to_payload, scalar_type_of_dtype
from simt.core.values.payload import Payload, convert, wrap

if TYPE_CHECKING:
    from simt.core.values.scalar import Scalar

SCALAR_CLASSES: dict[ScalarType, type[Scalar]] = {}  # filled by scalars.py

MAX_UNROLLED_POWER = 64  # of ``**``; the compiler has the same bound
_BITWISE = ("&", "|", "^")


@dataclass(frozen=True, slots=True)
class Operand:
    """A number in an expression; ``type`` is None for a weak literal."""

    payload: Payload
    type: ScalarType | None

    def __str__(self) -> str:
        return str(self.type) if self.type else f"the literal {self.payload!r}"


def operand_of(value: object) -> Operand | None:
    """How ``value`` takes part in an expression, or None where it is no number."""
    scalar = getattr(type(value), "scalar_type", None)
    if scalar is not None:
        return Operand(cast("Scalar", value).payload, scalar)
    if isinstance(value, bool):
        return Operand(value, BOOL)
    if isinstance(value, np.generic):
        dtype = cast("NumpyType", value.dtype)  # pyright: ignore[reportUnknownMemberType] -- NumPy cannot say which
        scalar = scalar_type_of_dtype(dtype)
        return None if scalar is None else Operand(numpy_to_payload(value, scalar), scalar)
    if isinstance(value, int):
        return Operand(int(value), None)
    return Operand(value, None) if isinstance(value, float | complex) else None


def holding(payload: Payload, scalar: ScalarType) -> Scalar:
    """The scalar value of a payload that the type holds exactly. Bools are Python's."""
    if scalar == BOOL:
        return cast("Scalar", bool(payload))  # bool has no class of ours: Python's own is the language's
    return SCALAR_CLASSES[scalar].holding(payload)


def binary(op: str, left: object, right: object) -> object:
    """``left op right`` for every operator but shifts, powers and comparisons."""
    a, b = operand_of(left), operand_of(right)
    if a is None or b is None:
        return NotImplemented
    kind = meet(op, a, b)
    if kind == BOOL and op not in _BITWISE:
        kind = I32
    return holding(_compute(op, *_in_type(kind, a, b), kind), kind)


def compare(op: str, left: object, right: object) -> bool:
    """``left op right`` for a comparison, in the type in which arithmetic would meet."""
    a, b = operand_of(left), operand_of(right)
    if a is None or b is None:
        return NotImplemented
    kind = meet(op, a, b)
    x, y = _in_type(kind, a, b)
    if op == "==":
        return x == y
    if op == "!=":
        return x != y
    if isinstance(x, complex) or isinstance(y, complex):
        raise TypeError(f"{kind} has no order: compare abs() or the parts")
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def power(left: object, right: object) -> object:
    """``left ** right``: a product for a literal exponent from 0 to 64, else ``pow`` of floats."""
    base, exponent = operand_of(left), operand_of(right)
    if base is None or exponent is None:
        return NotImplemented
    count = exponent.payload
    if exponent.type is None and base.type is not None and isinstance(count, int) and 0 <= count <= MAX_UNROLLED_POWER:
        return _repeated_product(base.payload, count, I32 if base.type == BOOL else base.type)
    kind = meet("**", base, exponent)
    if not kind.is_float:
        raise TypeError(
            f"{base} ** {exponent}: {kind} takes a literal exponent from 0 to {MAX_UNROLLED_POWER}; "
            "convert the base otherwise, as in f32(x) ** y"
        )
    return holding(_compute("**", *_in_type(kind, base, exponent), kind), kind)


def _repeated_product(base: Payload, count: int, kind: ScalarType) -> Scalar:
    """Square and multiply, from the highest bit down."""
    factor = convert(base, kind)
    result = factor if count else convert(1, kind)
    for bit in bin(count)[3:]:
        result = _compute("*", result, result, kind)
        if bit == "1":
            result = _compute("*", result, factor, kind)
    return holding(result, kind)


def shift(op: str, left: object, right: object) -> object:
    """``left << right`` and ``left >> right``: the result has the left operand's type, a literal that of the count."""
    a, b = operand_of(left), operand_of(right)
    if a is None or b is None:
        return NotImplemented
    for side in (a, b):
        if not _is_integral(side):
            raise TypeError(f"{a} {op} {b}: a shift takes integers")
    if b.type is None and b.payload.real < 0:
        raise TypeError(f"{a} {op} {b}: negative count; shift the other way")
    kind = a.type or b.type or default_type(a.payload)
    if a.type is None:
        fit(a.payload, kind)
    return holding(shift_integer(op, int(a.payload.real), int(b.payload.real), kind), kind)


def negate(value: Scalar) -> object:
    """``-value``; integers wrap, unsigned ones too."""
    if value.scalar_type.is_integer:
        return holding(wrap(-int(value.payload.real), value.scalar_type), value.scalar_type)
    return holding(-value.payload, value.scalar_type)


def invert(value: Scalar) -> object:
    """``~value``, of integers only."""
    if not value.scalar_type.is_integer:
        raise TypeError(f"{value.scalar_type} has no operator ~; convert to an integer first, or reinterpret its bits")
    return holding(wrap(~int(value.payload.real), value.scalar_type), value.scalar_type)


def absolute(value: Scalar) -> object:
    """``abs(value)``: wraps for the least integer, the magnitude for complex numbers."""
    kind = value.scalar_type
    if kind.is_complex:
        magnitude = math.hypot(value.payload.real, value.payload.imag)
        return holding(convert(magnitude, kind.component), kind.component)
    magnitude = abs(value.payload)
    return holding(wrap(int(magnitude), kind) if kind.is_integer else magnitude, kind)


def meet(op: str, a: Operand, b: Operand) -> ScalarType:
    """The type in which two operands meet.

    Raises:
        TypeError: none holds both (64-bit and wider integers of different signedness).
    """
    if a.type is None:
        return default_type(a.payload) if b.type is None else meeting_type(a.payload, b.type)
    if b.type is None:
        return meeting_type(b.payload, a.type)
    kind = arithmetic_type(a.type, b.type)
    if kind is None:
        raise TypeError(f"{a} {op} {b}: no integer type holds both; convert one, as in {a}(b) or {b}(a)")
    return kind


def _in_type(kind: ScalarType, a: Operand, b: Operand) -> tuple[Payload, Payload]:
    x = fit(a.payload, kind) if a.type is None else convert(a.payload, kind)
    y = fit(b.payload, kind) if b.type is None else convert(b.payload, kind)
    return x, y


def _compute(op: str, x: Payload, y: Payload, kind: ScalarType) -> Payload:
    if kind.is_complex:
        return complex_binary(op, complex(x), complex(y), kind)
    if kind.is_float:
        return float_binary(op, x.real, y.real, kind)
    return integer_binary(op, int(x.real), int(y.real), kind)


def _is_integral(side: Operand) -> bool:
    if side.type is None:
        return isinstance(side.payload, int)
    return side.type.is_integer
