"""Scalar types: one frozen value each, compared by value."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a scalar's bits mean."""

    BOOL = "bool"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    COMPLEX = "complex"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """One scalar type. ``bits`` counts value bits: 1 for bool, 128 for c128 (two f64)."""

    name: str
    kind: Kind
    bits: int

    def __str__(self) -> str:
        return self.name

    @property
    def is_integer(self) -> bool:
        """True for signed and unsigned integers, not for bool."""
        return self.kind in (Kind.SIGNED, Kind.UNSIGNED)

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_complex(self) -> bool:
        return self.kind is Kind.COMPLEX

    @property
    def component(self) -> ScalarType:
        """The real type of a complex type's two parts."""
        assert self.is_complex
        return F32 if self.bits == 64 else F64

    @property
    def minimum(self) -> int:
        """Smallest value of an integer type or bool."""
        return -(1 << (self.bits - 1)) if self.kind is Kind.SIGNED else 0

    @property
    def maximum(self) -> int:
        """Largest value of an integer type or bool."""
        return (1 << (self.bits - (self.kind is Kind.SIGNED))) - 1


BOOL = ScalarType("bool", Kind.BOOL, 1)
I8 = ScalarType("i8", Kind.SIGNED, 8)
I16 = ScalarType("i16", Kind.SIGNED, 16)
I32 = ScalarType("i32", Kind.SIGNED, 32)
I64 = ScalarType("i64", Kind.SIGNED, 64)
I128 = ScalarType("i128", Kind.SIGNED, 128)
U8 = ScalarType("u8", Kind.UNSIGNED, 8)
U16 = ScalarType("u16", Kind.UNSIGNED, 16)
U32 = ScalarType("u32", Kind.UNSIGNED, 32)
U64 = ScalarType("u64", Kind.UNSIGNED, 64)
U128 = ScalarType("u128", Kind.UNSIGNED, 128)
F16 = ScalarType("f16", Kind.FLOAT, 16)
BF16 = ScalarType("bf16", Kind.FLOAT, 16)
F32 = ScalarType("f32", Kind.FLOAT, 32)
F64 = ScalarType("f64", Kind.FLOAT, 64)
C64 = ScalarType("c64", Kind.COMPLEX, 64)
C128 = ScalarType("c128", Kind.COMPLEX, 128)

SIGNED = (I8, I16, I32, I64, I128)
UNSIGNED = (U8, U16, U32, U64, U128)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (F16, BF16, F32, F64)
COMPLEXES = (C64, C128)
SCALARS = (BOOL, *INTEGERS, *FLOATS, *COMPLEXES)
BY_NAME = {scalar.name: scalar for scalar in SCALARS}
