"""Small vectors: 2, 3 or 4 scalars that load and store as one access where aligned."""
from __future__ import annotations

from typing import TYPE_CHECKING

from simt.core.scalars import f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
from simt.core.types import VectorType
from simt.core.types.scalar import BY_NAME
from simt.core.values.stored import CLASS_OF_STRUCT
from simt.core.values.vector import Vector, Vector2, Vector3, Vector4

if TYPE_CHECKING:
    f16x2 = Vector2[f16]
    f16x3 = Vector3[f16]
    f16x4 = Vector4[f16]
    f32x2 = Vector2[f32]
    f32x3 = Vector3[f32]
    f32x4 = Vector4[f32]
    f64x2 = Vector2[f64]
    f64x3 = Vector3[f64]
    f64x4 = Vector4[f64]
    i8x2 = Vector2[i8]
    i8x3 = Vector3[i8]
    i8x4 = Vector4[i8]
    i16x2 = Vector2[i16]
    i16x3 = Vector3[i16]
    i16x4 = Vector4[i16]
    i32x2 = Vector2[i32]
    i32x3 = Vector3[i32]
    i32x4 = Vector4[i32]
    i64x2 = Vector2[i64]
    i64x3 = Vector3[i64]
    i64x4 = Vector4[i64]
    u8x2 = Vector2[u8]
    u8x3 = Vector3[u8]
    u8x4 = Vector4[u8]
    u16x2 = Vector2[u16]
    u16x3 = Vector3[u16]
    u16x4 = Vector4[u16]
    u32x2 = Vector2[u32]
    u32x3 = Vector3[u32]
    u32x4 = Vector4[u32]
    u64x2 = Vector2[u64]
    u64x3 = Vector3[u64]
    u64x4 = Vector4[u64]
else:

    def _declare(name: str) -> type:
        element, lanes = name.split("x")
        kind = VectorType(BY_NAME[element], int(lanes))
        base = {2: Vector2, 3: Vector3, 4: Vector4}[kind.lanes]
        members = {"__slots__": (), "__module__": __name__, "__doc__": f"{lanes} {element}.", "vector_type": kind}
        CLASS_OF_STRUCT[kind] = type(name, (base,), members)
        return CLASS_OF_STRUCT[kind]

    f16x2 = _declare("f16x2")
    f16x3 = _declare("f16x3")
    f16x4 = _declare("f16x4")
    f32x2 = _declare("f32x2")
    f32x3 = _declare("f32x3")
    f32x4 = _declare("f32x4")
    f64x2 = _declare("f64x2")
    f64x3 = _declare("f64x3")
    f64x4 = _declare("f64x4")
    i8x2 = _declare("i8x2")
    i8x3 = _declare("i8x3")
    i8x4 = _declare("i8x4")
    i16x2 = _declare("i16x2")
    i16x3 = _declare("i16x3")
    i16x4 = _declare("i16x4")
    i32x2 = _declare("i32x2")
    i32x3 = _declare("i32x3")
    i32x4 = _declare("i32x4")
    i64x2 = _declare("i64x2")
    i64x3 = _declare("i64x3")
    i64x4 = _declare("i64x4")
    u8x2 = _declare("u8x2")
    u8x3 = _declare("u8x3")
    u8x4 = _declare("u8x4")
    u16x2 = _declare("u16x2")
    u16x3 = _declare("u16x3")
    u16x4 = _declare("u16x4")
    u32x2 = _declare("u32x2")
    u32x3 = _declare("u32x3")
    u32x4 = _declare("u32x4")
    u64x2 = _declare("u64x2")
    u64x3 = _declare("u64x3")
    u64x4 = _declare("u64x4")

VECTOR_NAMES = (
    "f16x2", "f16x3", "f16x4", "f32x2", "f32x3", "f32x4", "f64x2", "f64x3", "f64x4", "i8x2", "i8x3", "i8x4",
    "i16x2", "i16x3", "i16x4", "i32x2", "i32x3", "i32x4", "i64x2", "i64x3", "i64x4", "u8x2", "u8x3", "u8x4",
    "u16x2", "u16x3", "u16x4", "u32x2", "u32x3", "u32x4", "u64x2", "u64x3", "u64x4",
)
__all__ = [*VECTOR_NAMES, "VECTOR_NAMES", "Vector"]  # pyright: ignore[reportUnsupportedDunderAll] -- the names above
