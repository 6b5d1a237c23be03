"""The type variables of the device library: each is the set of types that an operation is defined for."""
from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from simt.core.scalars import bf16, c64, c128, f16, f32, f64, i8, i16, i32, i64, i128, u8, u16, u32, u64, u128
from simt.core.vectors import (
    f16x2,
    f16x4,
    f32x2,
    f32x4,
    i8x2,
    i8x4,
    i16x2,
    i16x4,
    i32x2,
    i32x4,
    u8x2,
    u8x4,
    u16x2,
    u16x4,
    u32x2,
    u32x4,
)

if TYPE_CHECKING:
    from simt.core.annotations import HostArray, MutableView, Ptr

Float = TypeVar("Float", f16, bf16, f32, f64)
"""What ``math`` computes. f16 and bf16 are computed in f32 and rounded once."""

FullFloat = TypeVar("FullFloat", f32, f64)

Integer = TypeVar("Integer", i32, u32, i64, u64)
"""Integers that the hardware's bit and atomic instructions have."""

Number = TypeVar("Number", i32, u32, i64, u64, f32, f64)
"""Numbers that fit one atomic access and have arithmetic there."""

Scalar = TypeVar("Scalar", bool, i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f16, bf16, f32, f64, c64, c128)
"""Every scalar."""

Texel = TypeVar(
    "Texel", u8, i8, u16, i16, u32, i32, f32, u8x2, i8x2, u16x2, i16x2, u32x2, i32x2, f32x2, u8x4, i8x4, u16x4, i16x4,
    u32x4, i32x4, f32x4,
)
"""What a read of a texture gives."""

SurfaceTexel = TypeVar(
    "SurfaceTexel", u8, i8, u16, i16, u32, i32, f16, f32, u8x2, i8x2, u16x2, i16x2, u32x2, i32x2, f16x2, f32x2, u8x4,
    i8x4, u16x4, i16x4, u32x4, i32x4, f16x4, f32x4,
)
"""What a surface holds."""

T = TypeVar("T")

if TYPE_CHECKING:
    Writable: TypeAlias = MutableView[T, Any, Any] | HostArray | Ptr[T]
    """A writable array of any number of axes in any address space, or a pointer."""

    Meeting: TypeAlias = Annotated[T, "a literal takes the array's element type"]
    """A value that takes the element type of the array beside it, as a literal does in a store."""
    AnyFloat: TypeAlias = float
    """A float of any type, or a literal, beside which it takes its type."""
else:
    AnyFloat = object

    class Writable:
        """``Writable[T]`` leaves the type to the call."""

        def __class_getitem__(cls, element: object) -> object:
            return object

    class Meeting:
        """``Meeting[T]`` leaves the type to the call."""

        def __class_getitem__(cls, element: object) -> object:
            return object
