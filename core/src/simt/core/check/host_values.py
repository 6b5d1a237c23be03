"""Values and types of the host as the compiler's: NumPy dtypes, typed scalars."""
from __future__ import annotations

from typing import Any, cast

import numpy as np

from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import BOOL, BY_NAME


def scalar_type_of_class(value: object) -> ScalarType | None:
    """The scalar type that a Python class stands for: ``f32``, ``bool``, or a NumPy scalar class."""
    if value is bool:
        return BOOL
    found = getattr(value, "scalar_type", None) if isinstance(value, type) else None
    if isinstance(found, ScalarType):
        return found
    if isinstance(value, type) and issubclass(value, np.generic):
        return scalar_type_of_dtype(np.dtype(value))
    if isinstance(value, np.dtype):
        return scalar_type_of_dtype(cast("np.dtype[Any]", value))  # Any: a dtype of unknown kind
    return None


def scalar_type_of_dtype(dtype: np.dtype[Any]) -> ScalarType | None:  # Any: any kind of dtype is looked up
    kinds = {"i": f"i{8 * dtype.itemsize}", "u": f"u{8 * dtype.itemsize}", "f": f"f{8 * dtype.itemsize}",
             "c": f"c{8 * dtype.itemsize}", "b": "bool"}
    if dtype.name == "bfloat16":
        return BY_NAME["bf16"]
    return BY_NAME.get(kinds.get(dtype.kind, ""))


def host_constant(value: object, span: Span) -> tir.Const | None:
    """A typed scalar of the host (``f32(1.5)``, ``numpy.float32(1.5)``) as a constant of its type."""
    scalar = scalar_type_of_class(type(value))
    if scalar is None or isinstance(value, bool):
        return None
    number: bool | int | float | complex
    if scalar.is_complex:
        number = complex(cast("complex", value))
    elif scalar.is_float:
        number = float(cast("float", value))
    elif scalar.kind is Kind.BOOL:
        number = bool(value)
    else:
        number = int(cast("int", value))
    return tir.Const(span=span, type=scalar, value=number)
