"""Values and types of the host as the compiler's: NumPy dtypes, typed scalars, elements of tuples."""
from __future__ import annotations

from typing import Any, cast

import numpy as np

from simt.core.check import tir
from simt.core.check.operand import Operand, Runtime, Static
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
        return scalar_type_of_dtype(np.dtype(cast("Any", value)))  # Any: a class of unknown kind
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


def host_operand(value: object, span: Span) -> Operand:
    """A Python object as an operand: typed scalars of the host become constants of their type."""
    constant = host_constant(value, span)
    return Static(value) if constant is None else Runtime(constant)


def static_elements(operand: Operand, span: Span) -> tuple[Operand, ...] | None:
    """The elements of a compile-time tuple, list, range or one-dimensional NumPy array; None for anything else."""
    value = operand.value if isinstance(operand, Static) else None
    if isinstance(value, tuple | list | range) or (isinstance(value, np.ndarray) and value.ndim == 1):
        return tuple(host_operand(element, span) for element in cast("tuple[object, ...]", value))
    return None
