"""Python classes and the types they stand for, in both directions."""
from __future__ import annotations

from types import FunctionType
from typing import cast

from simt.core.check.host_values import scalar_type_of_class
from simt.core.scalars import SCALAR_CLASSES
from simt.core.types import ScalarType, StructType, Type, VectorType
from simt.core.types.scalar import BOOL
from simt.core.values.stored import CLASS_OF_STRUCT


def type_of_class(value: object) -> Type | None:
    """The type that ``value`` names: a scalar, struct or vector class; None for anything else."""
    scalar = scalar_type_of_class(value)
    if scalar is not None:
        return scalar
    if isinstance(value, type):
        for attribute in ("struct_type", "vector_type"):
            found = vars(value).get(attribute)
            if isinstance(found, StructType | VectorType):
                return found
    return None


def class_of(kind: Type) -> type:
    """The Python class of a type, for ``x.dtype`` and methods."""
    match kind:
        case ScalarType():
            return bool if kind == BOOL else SCALAR_CLASSES[kind]
        case StructType() | VectorType():
            return cast("type", CLASS_OF_STRUCT[kind])
        case _:
            raise KeyError(kind)


def is_of_every_struct(method: FunctionType) -> bool:
    """Whether a method is one that every struct has, written for the host."""
    return method.__module__ == "simt.core.struct"
