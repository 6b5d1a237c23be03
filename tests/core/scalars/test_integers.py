"""Integer values against Python's own integers."""
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simt.core.scalars import i8, i16, i32, i64, i128, scalar_class_of, u8, u16, u32, u64, u128
from simt.core.types.scalar import INTEGERS, Kind

CLASSES = (i8, i16, i32, i64, i128, u8, u16, u32, u64, u128)
EXACT = {"+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
         "^": operator.xor, "//": operator.floordiv, "%": operator.mod}


def edges(kind):
    """Values where integers of the type go wrong, and some others."""
    special = {0, 1, 2, 3, 7, -1, -2, -7, kind.minimum, kind.minimum + 1, kind.maximum, kind.maximum - 1,
               kind.maximum // 2, 1 << kind.bits // 2}
    inside = sorted(value for value in special if kind.minimum <= value <= kind.maximum)
    return st.sampled_from(inside) | st.integers(kind.minimum, kind.maximum)


def wrapped(value: int, kind) -> int:
    """Two's complement by definition: the value of the range that differs by a multiple of 2**bits."""
    return (value - kind.minimum) % 2**kind.bits + kind.minimum


def meeting(a, b):
    """The rule from design.md, written again."""
    if a.kind is b.kind:
        return max(a, b, key=lambda t: t.bits)
    signed, unsigned = (a, b) if a.kind is Kind.SIGNED else (b, a)
    if signed.bits > unsigned.bits:
        return signed
    wider = [t for t in INTEGERS if t.kind is Kind.SIGNED and t.bits > unsigned.bits]
    return None if unsigned.bits >= 64 else wider[0]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_same_type(cls, data):
    kind = cls.scalar_type
    a, b = data.draw(edges(kind)), data.draw(edges(kind))
    for op, exact in EXACT.items():
        if op in ("//", "%") and b == 0:
            with pytest.raises(ZeroDivisionError):
                exact(cls(a), cls(b))
            continue
        result = exact(cls(a), cls(b))
        assert type(result) is cls
        assert int(result) == wrapped(exact(a, b), kind), op


@given(st.sampled_from(INTEGERS), st.sampled_from(INTEGERS), st.data())
def test_mixed_types(left, right, data):
    a, b = data.draw(edges(left)), data.draw(edges(right))
    x, y = scalar_class_of(left)(a), scalar_class_of(right)(b)
    common = meeting(left, right)
    if common is None:
        for op in (operator.add, operator.lt, operator.eq, operator.and_):
            with pytest.raises(TypeError, match="no integer type holds both"):
                op(x, y)
        return
    assert (x + y).scalar_type == common
    assert int(x * y) == wrapped(a * b, common)
    assert [x < y, x <= y, x == y, x != y, x >= y, x > y] == [a < b, a <= b, a == b, a != b, a >= b, a > b]
    if b:
        assert int(x // y) == wrapped(a // b, common)
        assert int(x % y) == wrapped(a % b, common)


@given(st.sampled_from(INTEGERS), st.sampled_from(INTEGERS), st.data())
def test_shifts(left, right, data):
    a, count = data.draw(edges(left)), data.draw(edges(right))
    x, by = scalar_class_of(left)(a), scalar_class_of(right)(count)
    large = count < 0 or count >= left.bits
    assert (x << by).scalar_type == left
    assert int(x << by) == (0 if large else wrapped(a << count, left))
    assert int(x >> by) == ((-1 if a < 0 else 0) if large else a >> count)


@given(st.sampled_from(INTEGERS), st.data())
def test_unary(kind, data):
    a = data.draw(edges(kind))
    x = scalar_class_of(kind)(a)
    assert int(-x) == wrapped(-a, kind)
    assert int(~x) == wrapped(~a, kind)
    assert int(abs(x)) == wrapped(abs(a), kind)
    assert int(+x) == a
    assert bool(x) == (a != 0)
    assert hash(x) == hash(a) and x == a and float(x) == float(a) and f"{x:+d}" == f"{a:+d}"


@given(st.sampled_from(INTEGERS), st.integers(0, 64), st.data())
def test_powers(kind, exponent, data):
    a = data.draw(edges(kind))
    result = scalar_class_of(kind)(a) ** exponent
    assert result.scalar_type == kind
    assert int(result) == wrapped(a**exponent, kind)


@given(st.sampled_from(INTEGERS), st.integers(-(2**130), 2**130))
def test_explicit_conversion_wraps(kind, value):
    assert int(scalar_class_of(kind)(value)) == wrapped(value, kind)


def test_conversion_between_integer_types_wraps():
    assert int(u8(i32(-1))) == 255
    assert int(i8(u8(200))) == -56
    assert int(u64(i8(-1))) == 2**64 - 1
    assert int(i64(u32(2**32 - 1))) == 2**32 - 1


def test_minimum_by_minus_one_wraps():
    assert int(i32(-(2**31)) // i32(-1)) == -(2**31)
    assert int(i32(-(2**31)) % i32(-1)) == 0


def test_bool_counts_as_the_narrowest_integer():
    assert (u8(3) + True).scalar_type == u8.scalar_type
    assert int(u8(255) + True) == 0
    assert u8(1) == True  # noqa: E712
    assert int(u8(6) & True) == 0


@pytest.mark.parametrize("make, text", [
    (lambda: i32(1) / i32(2), "write // for the floor"),
    (lambda: i32(1) / 2, "write // for the floor"),
    (lambda: i32(2) ** i32(2), r"as in f32\(x\)"),
    (lambda: i32(2) ** -1, "literal exponent from 0 to 64"),
    (lambda: i32(1) << -1, "shift the other way"),
    (lambda: i32(1) << 1.0, "takes integers"),
    (lambda: i32("1"), "str is no number"),
    (lambda: i32(1j), "take .real, .imag or abs"),
])
def test_refused(make, text):
    with pytest.raises(TypeError, match=text):
        make()
