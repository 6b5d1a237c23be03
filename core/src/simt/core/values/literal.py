"""Weak literals: a Python number takes the type of what it meets, and must fit."""
from __future__ import annotations

import math

from simt.core.types import Kind, ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import C64, F32, I32, I64, I128, U64
from simt.core.values.payload import Payload, convert


def default_type(value: Payload) -> ScalarType:
    """The type of a literal that meets nothing: i32 (i64, u64, i128 where it needs the bits), f32, c64."""
    if isinstance(value, complex):
        return C64
    if isinstance(value, float):
        return F32
    for candidate in (I32, I64, U64, I128):
        if candidate.minimum <= value <= candidate.maximum:
            return candidate
    raise TypeError(f"the integer {value} is beyond every default type; convert it, as in u128({value})")


def meeting_type(value: Payload, other: ScalarType) -> ScalarType:
    """The type in which a weak ``value`` meets a value of type ``other``."""
    if isinstance(value, complex):
        return other if other.is_complex else _real_to_complex(other)
    if isinstance(value, float):
        return other if other.is_float or other.is_complex else F32
    return default_type(value) if other.kind is Kind.BOOL else other


def fit(value: Payload, target: ScalarType) -> Payload:
    """``value`` as the weak literal in a place of type ``target``.

    Raises:
        TypeError: it does not fit; the message offers the conversion.
    """
    if isinstance(value, bool):
        return convert(value, target)
    if target.is_integer and isinstance(value, int) and target.minimum <= value <= target.maximum:
        return value
    if (target.is_float and not isinstance(value, complex)) or target.is_complex:
        converted = convert(value, target)
        if _is_finite(converted) or not _is_finite(value):
            return converted
    if target.is_integer and isinstance(value, int):
        raise TypeError(
            f"the literal {value} does not fit {target} ({target.minimum} to {target.maximum}); "
            f"write {target}({value}) to wrap it, or a wider type"
        )
    if target.kind is Kind.BOOL:
        raise TypeError(f"the literal {value!r} is no bool; write a comparison or bool({value!r})")
    if target.is_integer or isinstance(value, complex):
        raise TypeError(f"the literal {value!r} is no {target}; write {target}({value!r}) to convert it")
    raise TypeError(f"the literal {value!r} is beyond the range of {target}; write {target}({value!r}) for infinity")


def _real_to_complex(other: ScalarType) -> ScalarType:
    result = arithmetic_type(other, C64)
    assert result is not None
    return result


def _is_finite(value: Payload) -> bool:
    if isinstance(value, complex):
        return math.isfinite(value.real) and math.isfinite(value.imag)
    return isinstance(value, int) or math.isfinite(value)
