"""Structs on the host: fields, the store rule, layout against ctypes, bytes."""
from __future__ import annotations

import ctypes
from typing import ClassVar

import numpy as np
import pytest

from simt.core import annotations
from simt.core.annotations import In, Out, Ptr
from simt.core.scalars import bf16, c128, f32, f64, i8, i32, i64, i128, u8, u16
from simt.core.struct import struct
from simt.core.types.layout import offsets_of, size_of
from simt.core.vectors import f32x2, f32x3, f32x4, i32x2


@struct
class Point:
    x: f32
    y: f32 = 2.0

    def norm2(self) -> f32:
        return self.x * self.x + self.y * self.y


@struct
class Mixed:
    a: u8
    point: Point
    b: i64
    pair: tuple[i8, f64]
    on: bool
    c: u16


class CPoint(ctypes.Structure):
    _fields_ = (("x", ctypes.c_float), ("y", ctypes.c_float))


class CPair(ctypes.Structure):
    _fields_ = (("f0", ctypes.c_int8), ("f1", ctypes.c_double))


class CMixed(ctypes.Structure):
    _fields_ = (("a", ctypes.c_uint8), ("point", CPoint), ("b", ctypes.c_int64), ("pair", CPair), ("on", ctypes.c_bool),
                ("c", ctypes.c_uint16))


def mixed() -> Mixed:
    return Mixed(3, Point(1.5), -4, (5, 0.25), True, 65535)


def test_layout_is_that_of_c():
    members = tuple(field.type for field in Mixed.struct_type.fields)
    assert offsets_of(members) == tuple(getattr(CMixed, name).offset for name, _ in CMixed._fields_)
    assert size_of(Mixed.struct_type) == ctypes.sizeof(CMixed) == Mixed.numpy_dtype.itemsize
    assert [Mixed.numpy_dtype.fields[name][1] for name in Mixed.numpy_dtype.names] == list(offsets_of(members))


def test_bytes_are_those_of_c():
    c = CMixed.from_buffer_copy(mixed().to_bytes())
    assert (c.a, c.point.x, c.point.y, c.b, c.pair.f0, c.pair.f1, c.on, c.c) == (3, 1.5, 2.0, -4, 5, 0.25, True, 65535)
    assert Mixed.from_buffer(bytes(c)) == mixed()
    array = np.frombuffer(mixed().to_bytes(), Mixed.numpy_dtype)
    assert array["point"]["x"][0] == np.float32(1.5) and array["c"][0] == 65535


def test_fields_are_typed_values():
    point = Point(0.1)
    assert point.x.scalar_type.name == "f32" and point.norm2().scalar_type.name == "f32"
    assert float(point.x) == float(np.float32(0.1))
    point.x += 1
    assert point.x.scalar_type.name == "f32"


def test_values_are_copied_where_they_are_stored():
    inner = Point(1)
    outer = Mixed(0, inner, 0, (0, 0), False, 0)
    inner.x = 9
    assert outer.point.x == 1
    outer.point.x = 7
    assert inner.x == 9 and outer.point.x == 7
    other = outer.copy()
    other.point.x = 8
    assert outer.point.x == 7 and other != outer


def test_keywords_defaults_and_equality():
    assert Point(x=1, y=2) == Point(1) and Point(1) != Point(1, 3)
    assert repr(Point(1)) == "Point(x=f32(1.0), y=f32(2.0))"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1))


@pytest.mark.parametrize("make, text", [
    (lambda: Point(), "no value for x"), (lambda: Point(1, 2, 3), "2 fields; 3 values"),
    (lambda: Point(z=1), "no field z"),
    (lambda: Point(1, x=2), "x is given twice"), (lambda: Point(f64(1)), "f64 may lose values; write f32"),
    (lambda: Point(1e39), "beyond the range"), (lambda: Point("a"), "not str"), (lambda: Point(1j), "is no f32"),
    (lambda: Mixed(256, Point(1), 0, (0, 0), False, 0), "does not fit u8"),
    (lambda: Mixed(0, (1, 2), 0, (0, 0), False, 0), "holds a Point, not tuple"),
    (lambda: Mixed(0, Point(1), 0, (0, 0, 0), False, 0), "tuple"),
    (lambda: Mixed(0, Point(1), 0, (0, 0), 2, 0), "no bool"),
])
def test_refused_values(make, text):
    with pytest.raises(TypeError, match=text):
        make()


def test_unknown_attributes_are_refused():
    with pytest.raises(AttributeError, match="Point has no field z; it has x, y"):
        Point(1).z = 3


def test_refused_fields():
    with pytest.raises(TypeError, match="float has no fixed width; write f32 or f64"):
        @struct
        class A:
            x: float
    with pytest.raises(TypeError, match="with a colon"):
        @struct
        class B:
            x = f32
    with pytest.raises(TypeError, match="n has no type"):
        @struct
        class C:
            x: f32
            n = 3
    with pytest.raises(TypeError, match="str is no type of kernel values"):
        @struct
        class D:
            name: str
    with pytest.raises(TypeError, match="no fixed length"):
        @struct
        class E:
            items: tuple[f32, ...]
    with pytest.raises(TypeError, match="__init__ is generated"):
        @struct
        class F:
            x: f32

            def __init__(self) -> None: ...
    with pytest.raises(TypeError, match="unknown here"):
        @struct
        class G:
            x: Nowhere


def test_structs_of_functions_see_their_neighbours():
    @struct
    class Inner:
        value: i32

    @struct
    class Outer:
        inner: Inner
        SIZE: ClassVar[int] = 4

    assert Outer(Inner(3)).inner.value == 3 and Outer.SIZE == 4
    assert Outer.struct_type.fields[0].type == Inner.struct_type


def test_a_derived_struct_begins_with_its_base():
    @struct
    class Point3(Point):
        z: f32 = 0.5

    point = Point3(1)
    assert (point.x, point.y, point.z) == (1, 2, 0.5) and point.norm2() == 5
    assert [field.name for field in Point3.struct_type.fields] == ["x", "y", "z"]


def test_wide_and_narrow_scalars_as_fields():
    @struct
    class Wide:
        a: i128
        b: bf16
        c: c128
        d: f32x3
        e: i32x2

    value = Wide(-(2**100), 1.5, 1 - 2j, f32x3(1, 2, 3), i32x2(4, 5))
    assert Wide.from_buffer(value.to_bytes()) == value
    assert size_of(Wide.struct_type) == Wide.numpy_dtype.itemsize == 80


def test_views_are_fields_too():
    @struct
    class Params:
        image: Out[f32, annotations.D2]
        points: In[Point]
        raw: Ptr[i32]
        scale: f32

    image = np.zeros((2, 2), np.float32)
    params = Params(image, image, 0, 1.0)
    assert params.image is image and size_of(Params.struct_type) == 24 + 16 + 8 + 8
    with pytest.raises(TypeError, match="no bytes outside a launch"):
        params.to_bytes()


def test_vectors():
    v = f32x4(1, 2, 3, 4)
    v.w = 9
    v[0] = 5
    assert list(map(float, v)) == [5, 2, 3, 9] and v.x == 5 and len(v) == 4 and f32x2(7) == f32x2(7, 7)
    assert v + v == f32x4(10, 4, 6, 18) and 2 * v == v * 2 and -v == 0 - v and v / 2 == f32x4(2.5, 1, 1.5, 4.5)
    assert v.copy() == v and v.copy() is not v
    with pytest.raises(TypeError, match="write f32"):
        v.x = f64(1)
    with pytest.raises(TypeError, match="4 values, or one for all"):
        f32x4(1, 2)
    with pytest.raises(IndexError):
        v[4]
    with pytest.raises(TypeError, match="vector of f64"):
        v * f64(2)
