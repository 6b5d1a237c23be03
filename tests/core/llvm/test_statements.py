"""Control flow, loops, places and checks of the shared emission, run on the host."""
from __future__ import annotations

import ctypes
import struct

import numpy as np
import pytest

from simt.core.check import tir
from simt.core.llvm.faults import FaultKind
from simt.core.types import Access, Field, PointerType, ScalarType, StructType, TupleType, VectorType
from simt.core.types.layout import offsets_of, size_of
from simt.core.types.scalar import BOOL, F32, F64, I8, I16, I32, I64, INTEGERS, U8, U32, U64, Kind
from tests.core.llvm import build
from tests.core.llvm.build import HERE, assign, binary, compare, const, element, index, load, local, loop, ref, store
from tests.core.llvm.host import compile_on_host

OUT = build.array("out", I64)


def pointer_and_size(array: np.ndarray) -> bytes:
    return struct.pack("<qq", array.ctypes.data, array.size)


def collect(t: ScalarType, start: int, stop: int, step: int, *, constant_step: bool, limit: int = 64) -> list[int]:
    """The counter's values in a compiled loop, at most ``limit`` of them."""
    counter, n = local("i", t), local("n", I64)
    starts, stops, steps = local("start", t), local("stop", t), local("step", t)
    leave = tir.Break(span=HERE, label=tir.Label("for", 0))
    full = tir.If(span=HERE, condition=compare(">=", ref(n), index(limit)), then=(leave,), orelse=())
    body = (full, store(element(OUT, ref(n)), tir.Convert(span=HERE, type=I64, value=ref(counter))),
            assign(n, binary("+", ref(n), index(1))), assign(counter, const(t, 0)))
    kernel = build.kernel(
        (starts, stops, steps, OUT), assign(n, index(0)),
        loop(counter, ref(starts), ref(stops), const(t, step) if constant_step else ref(steps), *body),
        store(element(OUT, index(limit)), ref(n)),
    )
    out = np.zeros(limit + 1, np.int64)
    width, signed = size_of(t), t.kind is Kind.SIGNED
    packed = b"".join(value.to_bytes(width, "little", signed=signed) for value in (start, stop, step))
    packed += b"\0" * (-len(packed) % 8) + pointer_and_size(out)
    assert compile_on_host(kernel).run(packed) is None
    return out[: out[limit]].tolist()


@pytest.mark.parametrize("constant_step", [True, False])
@pytest.mark.parametrize("t", [I8, U8, I64], ids=str)
def test_range_never_overflows(t: ScalarType, constant_step: bool) -> None:
    low, high = t.minimum, t.maximum
    cases = [(0, 10, 3), (0, 9, 3), (5, 5, 1), (7, 3, 2), (high - 5, high, 1), (high - 5, high, 4), (low, low + 3, 100)]
    if t.kind is Kind.SIGNED:
        cases += [(10, 0, -3), (0, 10, -1), (low + 5, low, -1), (low + 5, low, -4), (high, low, low), (low, high, high)]
    for start, stop, step in cases:
        assert collect(t, start, stop, step, constant_step=constant_step) == list(range(start, stop, step))


def test_while_with_break_and_continue() -> None:
    n, total, label = local("n", I64), local("total", I64), tir.Label("while", 1)
    skip = tir.If(span=HERE, condition=compare("==", binary("%", ref(n), index(3)), index(0)),
                  then=(tir.Continue(span=HERE, label=label),), orelse=())
    leave = tir.If(span=HERE, condition=compare(">", ref(n), index(10)),
                   then=(tir.Break(span=HERE, label=label), store(element(OUT, index(0)), index(-1))), orelse=())
    body = (assign(n, binary("+", ref(n), index(1))), skip, leave, assign(total, binary("+", ref(total), ref(n))))
    loop_node = tir.While(span=HERE, label=label, header=(), condition=const(BOOL, True), body=body)
    kernel = build.kernel(
        (OUT,), assign(n, index(0)), assign(total, index(0)), loop_node, store(element(OUT, index(0)), ref(total))
    )
    out = np.zeros(1, np.int64)
    compile_on_host(kernel).run(pointer_and_size(out))
    assert out[0] == sum(k for k in range(1, 11) if k % 3)


def test_block_is_left_by_break() -> None:
    label = tir.Label("call", 0)
    inner = tir.If(span=HERE, condition=compare(">", load(element(OUT, index(0))), index(5)),
                   then=(tir.Break(span=HERE, label=label),), orelse=(store(element(OUT, index(1)), index(7)),))
    block = tir.Block(span=HERE, label=label, body=(inner, store(element(OUT, index(2)), index(8))))
    kernel = build.kernel((OUT,), block, store(element(OUT, index(3)), index(9)))
    code = compile_on_host(kernel)
    for first, want in ((6, [6, 0, 0, 9]), (5, [5, 7, 8, 9])):
        out = np.array([first, 0, 0, 0])
        code.run(pointer_and_size(out))
        assert out.tolist() == want


def test_only_the_chosen_operand_is_evaluated() -> None:
    i = local("i", I64)
    inside = compare("<", ref(i), tir.Extent(span=HERE, type=I64, array=ref(OUT), axis=0))
    value = load(element(OUT, ref(i)))
    both = tir.ShortCircuit(span=HERE, type=BOOL, op=tir.LogicalOp.AND, lhs=inside, rhs=compare("==", value, index(4)))
    chosen = tir.Conditional(span=HERE, type=I64, condition=inside, then=value, orelse=index(-1))
    kernel = build.kernel((OUT, i), store(element(OUT, index(0)), chosen),
                          store(element(OUT, index(1)), build.convert(both, I64)))
    code = compile_on_host(kernel, checks=True)
    for at, want in ((2, [4, 1, 4]), (1 << 40, [-1, 0, 4])):
        out = np.array([0, 0, 4])
        assert code.run(pointer_and_size(out) + struct.pack("<q", at)) is None
        assert out.tolist() == want


@pytest.mark.parametrize("small", [False, True])
def test_axes_are_row_major_and_bounds_are_checked(small: bool) -> None:
    grid = build.array("grid", I32, 3)
    i, j, k = (local(name, I64) for name in "ijk")
    kernel = build.kernel((grid, i, j, k), store(element(grid, ref(i), ref(j), ref(k)), const(I32, 1)))
    code = compile_on_host(kernel, checks=True, small=small)

    def run(*indices: int):
        memory = np.zeros((2, 3, 4), np.int32)
        result = code.run(struct.pack("<qqqq", memory.ctypes.data, *memory.shape) + struct.pack("<qqq", *indices))
        return memory, result

    memory, fault = run(1, 2, 3)
    assert fault is None
    assert memory[1, 2, 3] == 1
    assert memory.sum() == 1
    cases = (((2, 0, 0), "i", (2, 2)), ((0, -1, 0), "j", (-1, 3)), ((0, 0, 1 << 32), "k", (1 << 32, 4)))
    for indices, name, values in cases:
        memory, fault = run(*indices)
        assert fault is not None
        site, words = fault
        assert site.kind is FaultKind.OUT_OF_BOUNDS
        assert [value.name for value in site.values] == [name, f"shape[{'ijk'.index(name)}]"]
        assert tuple(words[:2]) == values
        assert memory.sum() == 0


def test_strides_and_sub_arrays() -> None:
    matrix, row = build.array("matrix", F64, 2, strided=True), build.array("row", F64, 1, strided=True)
    i, j = local("i", I64), local("j", I64)
    sub = tir.SubArray(span=HERE, type=row.type, array=ref(matrix), indices=(ref(i),))
    kernel = build.kernel((matrix, OUT, i, j), assign(row, sub), store(element(row, ref(j)), const(F64, 2.5)),
                          store(element(OUT, index(0)), tir.Extent(span=HERE, type=I64, array=ref(row), axis=0)))
    base, out = np.zeros((6, 8)), np.zeros(1, np.int64)
    view = base[::2, ::-1]
    packed = struct.pack("<qqqqq", view.ctypes.data, *view.shape, *(stride // 8 for stride in view.strides))
    compile_on_host(kernel, checks=True).run(packed + pointer_and_size(out) + struct.pack("<qq", 2, 3))
    assert view[2, 3] == 2.5
    assert base.sum() == 2.5
    assert out[0] == 8


POINT = StructType("Point", "Point", (
    Field("flag", BOOL), Field("x", F64), Field("tag", I16), Field("pair", TupleType((I8, I64))),
    Field("colour", VectorType(F32, 3)), Field("last", U8),
))


def test_structs_have_c_layout() -> None:
    points = build.array("points", POINT)
    one = local("one", POINT)

    def member(place: tir.Place, position: int) -> tir.Member:
        parts = POINT.fields if place.type == POINT else None
        t = parts[position].type if parts else place.type.elements[position]  # type: ignore[union-attr]
        return tir.Member(span=HERE, type=t, place=place, index=position)

    variable = tir.Variable(span=HERE, type=POINT, local=one)
    lane = tir.Item(span=HERE, type=F32, place=member(variable, 4), index=index(2))
    kernel = build.kernel(
        (points,), assign(one, load(element(points, index(0)))),
        store(member(variable, 1), const(F64, -1.5)), store(member(member(variable, 3), 1), index(1 << 40)),
        store(lane, const(F32, 9.0)), store(member(variable, 0), build.unary("not", load(member(variable, 0)))),
        store(element(points, index(1)), ref(one)),
    )

    class Pair(ctypes.Structure):
        _fields_ = (("a", ctypes.c_int8), ("b", ctypes.c_int64))

    class CPoint(ctypes.Structure):
        # C has no 16-byte float vector; the bytes before it are those that its alignment leaves.
        _fields_ = (("flag", ctypes.c_bool), ("x", ctypes.c_double), ("tag", ctypes.c_int16), ("pair", Pair),
                    ("gap", ctypes.c_char * (offsets_of(tuple(f.type for f in POINT.fields))[4] - 40)),
                    ("colour", ctypes.c_float * 4), ("last", ctypes.c_uint8), ("end", ctypes.c_char * 15))

    assert ctypes.sizeof(CPoint) == size_of(POINT)
    raw = np.zeros(2 * size_of(POINT) + 16, np.uint8)
    raw = raw[-raw.ctypes.data % 16 :]
    both = (CPoint * 2).from_address(raw.ctypes.data)
    both[0] = CPoint(True, 1.0, -7, Pair(3, 4), b"", (1, 2, 3, 0), 200)
    compile_on_host(kernel).run(struct.pack("<qq", raw.ctypes.data, 2))
    two = both[1]
    assert (two.flag, two.x, two.tag, two.pair.a, two.pair.b, two.last) == (False, -1.5, -7, 3, 1 << 40, 200)
    assert list(two.colour)[:3] == [1, 2, 9]


def test_pointers() -> None:
    p = local("p", PointerType(U32))
    second = tir.Offset(span=HERE, type=p.type, pointer=ref(p), count=index(1))
    kernel = build.kernel((p,), store(tir.Pointee(span=HERE, type=U32, pointer=second), const(U32, 77)))
    code = compile_on_host(kernel, checks=True)
    memory = np.zeros(4, np.uint32)
    assert code.run(struct.pack("<q", memory.ctypes.data)) is None
    assert memory.tolist() == [0, 77, 0, 0]
    fault = code.run(struct.pack("<q", memory.ctypes.data + 2))
    assert fault is not None
    assert fault[0].kind is FaultKind.MISALIGNED
    assert fault[1][:2] == [memory.ctypes.data + 6, 4]


@pytest.mark.parametrize("t", INTEGERS, ids=str)
def test_division_by_zero_is_reported(t: ScalarType) -> None:
    a, b = local("a", t), local("b", t)
    quotient = build.convert(binary("//", ref(a), ref(b)), I64)
    code = compile_on_host(build.kernel((OUT, a, b), store(element(OUT, index(0)), quotient)), checks=True)
    out, width = np.zeros(1, np.int64), size_of(t)

    def run(divisor: int):
        start = b"\0" * (-16 % width) if width == 16 else b""
        operands = b"".join(value.to_bytes(width, "little") for value in (7, divisor))
        return code.run(pointer_and_size(out) + start + operands)

    assert run(2) is None
    assert out[0] == 3
    fault = run(0)
    assert fault is not None
    assert fault[0].kind is FaultKind.DIVISION_BY_ZERO
    assert [value.name for value in fault[0].values] == ["a", "b"]
    assert fault[1][:2] == [7, 0]


def test_zero_step_is_reported() -> None:
    i, step = local("i", I32), local("step", I32)
    kernel = build.kernel((step,), loop(i, const(I32, 0), const(I32, 5), ref(step)))
    code = compile_on_host(kernel, checks=True)
    assert code.run(struct.pack("<i", 1)) is None
    fault = code.run(struct.pack("<i", 0))
    assert fault is not None
    assert fault[0].kind is FaultKind.ZERO_STEP


def test_assertions_record_the_values_of_their_message() -> None:
    x, flag, big = local("x", F32), local("flag", BOOL), local("big", U64)
    message = tir.Message(parts=("x is ", (ref(x), ".2f"), ", flag ", (ref(flag), ""), (ref(big), "x")))
    holds = compare(">", ref(x), const(F32, 0))
    kernel = build.kernel((x, flag, big), tir.Assert(span=HERE, condition=holds, message=message))
    code = compile_on_host(kernel)
    assert code.run(struct.pack("<f?xxxQ", 1.0, True, 1)) is None
    fault = code.run(struct.pack("<f?xxxQ", -1.5, True, 2**64 - 1))
    assert fault is not None
    site, words = fault
    assert site.kind is FaultKind.ASSERTION
    assert [(value.name, value.type) for value in site.values] == [("x", F64), ("flag", BOOL), ("big", U64)]
    assert struct.unpack("<d", struct.pack("<q", words[0]))[0] == -1.5
    assert words[1:3] == [1, -1]
    assert [part if isinstance(part, str) else (part.value, part.format) for part in site.message] == [
        "x is ", (0, ".2f"), ", flag ", (1, ""), (2, "x"),
    ]


def test_bytes_of_bools_in_arrays() -> None:
    flags = build.array("flags", BOOL, access=Access.INOUT)
    kernel = build.kernel((flags,), store(element(flags, index(1)), build.unary("not", load(element(flags, index(0))))))
    memory = np.array([False, False, True])
    compile_on_host(kernel).run(pointer_and_size(memory))
    assert memory.tolist() == [False, True, True]
