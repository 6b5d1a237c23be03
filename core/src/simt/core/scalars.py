"""The scalar types as users write them: annotations in signatures, explicit conversions in code.

A type checker sees plain ``int``, ``float`` and ``complex``, so that kernels and their launches take Python numbers.
At run time each name is a class: ``f32(x)`` converts, and its instances follow the number rules. ``bool`` is Python's.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from simt.core.types import ScalarType, scalar
from simt.core.values.numpy_types import DTYPES
from simt.core.values.operators import SCALAR_CLASSES
from simt.core.values.scalar import Complex, Float, Integer, Scalar

if TYPE_CHECKING:
    i8: TypeAlias = int
    i16: TypeAlias = int
    i32: TypeAlias = int
    i64: TypeAlias = int
    i128: TypeAlias = int
    u8: TypeAlias = int
    u16: TypeAlias = int
    u32: TypeAlias = int
    u64: TypeAlias = int
    u128: TypeAlias = int
    f16: TypeAlias = float
    bf16: TypeAlias = float
    f32: TypeAlias = float
    f64: TypeAlias = float
    c64: TypeAlias = complex
    c128: TypeAlias = complex
else:

    def _declare(name: str, base: type[Scalar], description: str) -> type[Scalar]:
        kind = scalar.BY_NAME[name]
        members = {
            "__slots__": (), "__doc__": description, "__module__": __name__, "scalar_type": kind,
            "numpy_dtype": DTYPES[kind],
        }
        SCALAR_CLASSES[kind] = type(name, (base,), members)
        return SCALAR_CLASSES[kind]

    i8 = _declare("i8", Integer, "Signed integer of 8 bits: -128 to 127.")
    i16 = _declare("i16", Integer, "Signed integer of 16 bits: -32768 to 32767.")
    i32 = _declare("i32", Integer, "Signed integer of 32 bits.")
    i64 = _declare("i64", Integer, "Signed integer of 64 bits.")
    i128 = _declare("i128", Integer, "Signed integer of 128 bits.")
    u8 = _declare("u8", Integer, "Unsigned integer of 8 bits: 0 to 255.")
    u16 = _declare("u16", Integer, "Unsigned integer of 16 bits: 0 to 65535.")
    u32 = _declare("u32", Integer, "Unsigned integer of 32 bits.")
    u64 = _declare("u64", Integer, "Unsigned integer of 64 bits.")
    u128 = _declare("u128", Integer, "Unsigned integer of 128 bits.")
    f16 = _declare("f16", Float, "IEEE 754 binary16: 11 bits of precision, up to 65504.")
    bf16 = _declare("bf16", Float, "bfloat16: 8 bits of precision, the range of f32.")
    f32 = _declare("f32", Float, "IEEE 754 binary32: 24 bits of precision.")
    f64 = _declare("f64", Float, "IEEE 754 binary64: 53 bits of precision.")
    c64 = _declare("c64", Complex, "Two f32: a real and an imaginary part.")
    c128 = _declare("c128", Complex, "Two f64: a real and an imaginary part.")

SCALAR_NAMES = (
    "bf16", "c64", "c128", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128",
)
__all__ = [
    "SCALAR_CLASSES", "SCALAR_NAMES", "bf16", "c64", "c128", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "i128",
    "scalar_class_of", "u8", "u16", "u32", "u64", "u128",
]


def scalar_class_of(kind: ScalarType) -> type[object]:
    """The class that users write for a scalar type: ``f32`` for ``F32``, ``bool`` for ``BOOL``."""
    return bool if kind == scalar.BOOL else SCALAR_CLASSES[kind]
