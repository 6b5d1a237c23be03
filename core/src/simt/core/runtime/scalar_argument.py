"""Scalar arguments: which Python values a scalar parameter takes.

Integers of every kind are checked by value. Python floats round to the parameter's type, as literals do, but never to
infinity. Typed floats (NumPy's, the language's) must widen. Nothing else converts unasked.
"""
from __future__ import annotations

import math
import operator
from typing import Any, cast

import numpy as np

from simt.core.errors import LaunchError
from simt.core.types import ScalarType
from simt.core.types.conversion import is_lossless
from simt.core.types.scalar import BOOL
from simt.core.values.literal import default_type
from simt.core.values.numpy_types import numpy_to_payload, scalar_type_of_dtype
from simt.core.values.payload import Payload, convert
from simt.core.values.rounding import round_integer
from simt.core.values.scalar import Scalar

Typed = tuple[Payload, ScalarType | None]


def scalar_payload(value: object, type: ScalarType, argument: str) -> Payload:
    """The Python number that a parameter of ``type`` receives for ``value``.

    Raises:
        LaunchError: not a number, out of range, or a conversion that would lose something.
    """
    payload, source = typed_number(value, argument, str(type))
    if isinstance(payload, bool) != (type == BOOL):
        if isinstance(payload, bool):
            raise _mismatch(value, type, argument, f"write int({argument})")
        raise _mismatch(value, type, argument, f"write bool({argument}), or a comparison")
    if isinstance(payload, bool):
        return payload
    if isinstance(payload, int):
        return _integer(payload, type, argument)
    return _inexact(value, payload, source, type, argument)


def typed_number(value: object, argument: str, expected: str) -> Typed:
    """The number that ``value`` is, and its scalar type; None for Python's own numbers, which are weak.

    Raises:
        LaunchError: not a number.
    """
    kind = type(value).__name__
    match value:
        case Scalar():
            return value.payload, value.scalar_type
        case np.generic():
            number = cast("np.generic[Any]", value)  # Any: of any dtype
            found = scalar_type_of_dtype(number.dtype)
            if found is not None:
                return numpy_to_payload(number, found), found
        case bool():
            return value, BOOL
        case int() | float() | complex():
            return value, None
        case _ if hasattr(value, "__index__") and not hasattr(value, "shape"):
            return operator.index(value), None  # pyright: ignore[reportArgumentType] -- it has __index__
        case _:
            pass
    if getattr(cast("object", value), "shape", None) == ():
        raise LaunchError(
            f"argument {argument}: an array of no axes given, {expected} expected; write {argument}.item()",
            argument=argument,
        )
    raise LaunchError(f"argument {argument}: {kind} given, {expected} expected", argument=argument)


def scalar_type_of(payload: Payload, source: ScalarType | None) -> ScalarType:
    """The type a number has by itself: its own, or the default of a literal."""
    return default_type(payload) if source is None else source


def _integer(value: int, type: ScalarType, argument: str) -> Payload:
    if type.is_integer:
        if type.minimum <= value <= type.maximum:
            return value
        raise LaunchError(
            f"argument {argument}: {value} is out of the range of {type} ({type.minimum} to {type.maximum})",
            argument=argument,
        )
    component = type.component if type.is_complex else type
    if round_integer(value, component) != value:
        raise LaunchError(
            f"argument {argument}: {type} does not hold the integer {value} exactly; write float({argument}) to round",
            argument=argument,
        )
    return convert(value, type)


def _inexact(
    value: object, payload: float | complex, source: ScalarType | None, type: ScalarType, argument: str
) -> Payload:
    if type.is_integer:
        raise _mismatch(value, type, argument, f"write int({argument}) to cut off the fraction")
    if isinstance(payload, complex) and not type.is_complex:
        raise _mismatch(value, type, argument, f"write {argument}.real")
    if source is not None and not is_lossless(source, type):
        raise LaunchError(
            f"argument {argument}: {_describe(value)} given, {type} expected, which would lose precision; "
            f"write {type}({argument})", argument=argument,
        )
    converted = convert(payload, type)
    if _finite(payload) and not _finite(converted):
        raise LaunchError(f"argument {argument}: {payload!r} is beyond the range of {type}", argument=argument)
    return converted


def _finite(number: Payload) -> bool:
    return math.isfinite(number.real) and math.isfinite(number.imag)


def _mismatch(value: object, type: ScalarType, argument: str, advice: str) -> LaunchError:
    return LaunchError(f"argument {argument}: {_describe(value)} given, {type} expected; {advice}", argument=argument)


def _describe(value: object) -> str:
    match value:
        case bool() | int() | float() | complex():
            return f"{value!r}" if type(value) in (bool, int, float, complex) else f"{value} ({type(value).__name__})"
        case _:
            return f"{value} ({type(value).__name__})"


