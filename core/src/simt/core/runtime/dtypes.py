"""Kernel types and NumPy dtypes: the same bytes under two names.

Scalars are listed in ``values/numpy_types.py``. Structs and tuples have C layout; vectors are structured dtypes with
the fields x, y, z, w.
"""
from __future__ import annotations

from typing import Any, assert_never

import numpy as np

from simt.core.errors import LaunchError
from simt.core.types import ArrayType, ImageType, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.layout import offsets_of, size_of
from simt.core.types.scalar import BF16, BOOL
from simt.core.values.numpy_types import DTYPES, NumpyType, scalar_type_of_dtype

VECTOR_FIELDS = "xyzw"


def dtype_of(type: Type) -> NumpyType:
    """The NumPy dtype with the bytes of ``type``.

    Raises:
        LaunchError: arrays cannot hold this type (views, pointers, images).
    """
    match type:
        case ScalarType():
            return DTYPES[type]
        case StructType():
            return _structured([field.name for field in type.fields], tuple(field.type for field in type.fields), type)
        case TupleType():
            return _structured([f"f{index}" for index in range(len(type.elements))], type.elements, type)
        case VectorType():
            return _structured(list(VECTOR_FIELDS[: type.lanes]), (type.element,) * type.lanes, type)
        case ArrayType() | PointerType() | ImageType():
            raise LaunchError(f"no array holds elements of type {type}")
        case _:
            assert_never(type)


def same_layout(dtype: NumpyType, expected: Type) -> bool:
    """Whether elements of ``dtype`` are values of ``expected``: kinds, sizes, byte order, fields, offsets, padding."""
    if isinstance(expected, ScalarType):
        return scalar_type_of_dtype(dtype) == expected
    return dtype.fields is not None and dtype == dtype_of(expected)


def numpy_name(type: Type) -> str:
    """How a user writes the dtype: ``np.float32``, ``ml_dtypes.bfloat16``."""
    if type == BF16:
        return "ml_dtypes.bfloat16"
    if isinstance(type, ScalarType) and DTYPES[type].fields is None:
        return "np.bool_" if type == BOOL else f"np.{DTYPES[type].name}"
    return f"simt's dtype of {type}"


def as_dtype(element: object) -> NumpyType:
    """The dtype a user means by ``f32``, a struct class, ``np.float32``, ``"f4"`` or a dtype.

    Raises:
        LaunchError: not a type of array elements.
    """
    declared: Any = getattr(element, "scalar_type", None) or getattr(element, "struct_type", None)  # set by decorators
    declared = declared or getattr(element, "vector_type", None)
    if declared is not None:
        return dtype_of(declared)
    try:
        return np.dtype(element)  # pyright: ignore[reportArgumentType, reportUnknownVariableType, reportCallIssue] -- checked by NumPy
    except TypeError as error:
        raise LaunchError(f"{element!r} is not a type of array elements; write f32, np.float32 or a struct") from error


def _structured(names: list[str], members: tuple[Type, ...], whole: Type) -> NumpyType:
    return np.dtype({
        "names": names,
        "formats": [dtype_of(member) for member in members],
        "offsets": list(offsets_of(members)),
        "itemsize": size_of(whole),
    })
