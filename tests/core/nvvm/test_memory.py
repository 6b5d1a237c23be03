"""Parameters and memory: what loads become, what the compiler may assume, how arguments are laid out."""
from __future__ import annotations

import re

import pytest

from simt.core.check import tir
from simt.core.errors import CompileError
from simt.core.nvvm.faults import RECORD_BYTES, RECORD_SYMBOL
from simt.core.options import Options
from simt.core.types import Access, AddressSpace, ArrayType, Field, PointerType, StructType, Type, VectorType
from simt.core.types.layout import align_of, align_up, size_of
from simt.core.types.scalar import BOOL, C64, F32, F64, I16, I32, I64, I128, U8
from tests.core.llvm import build
from tests.core.llvm.build import HERE, array, assign, binary, const, element, index, load, local, ref, store
from tests.core.nvvm.compiled import ARCHITECTURES, compile_for

X, OUT = array("x", F32, access=Access.IN), array("out", F32, access=Access.OUT)


def copy(source: tir.Local, target: tir.Local, *more: tir.Local) -> tir.Kernel:
    return build.kernel((source, target, *more), store(element(target, index(0)), load(element(source, index(0)))))


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_inputs_are_read_through_the_read_only_cache(target: str) -> None:
    assert "ld.global.nc." in compile_for(copy(X, OUT), target).ptx
    both = array("both", F32)
    kernel = build.kernel((both,), store(element(both, index(0)), load(element(both, index(1)))))
    assert "ld.global.nc." not in compile_for(kernel, target).ptx


def test_a_raw_pointer_may_reach_an_output() -> None:
    p, second = local("p", PointerType(F32)), element(OUT, index(1))
    through = tir.Pointee(span=HERE, type=F32, pointer=ref(p))
    again = store(element(OUT, index(0)), load(second))
    kernel = build.kernel((OUT, p), store(second, const(F32, 1)), store(through, const(F32, 2)), again)
    assert re.search(r"ld\.global\.[fb]32", compile_for(kernel).ptx)


@pytest.mark.parametrize("target", ARCHITECTURES)
@pytest.mark.parametrize(("element_type", "lanes", "instruction"), [
    (F32, 2, r"v2\.[fb]32|b64"), (F32, 4, r"v4\.[fb]32|v2\.b64"), (F64, 2, r"v2\.[fb]64"),
    (I16, 4, r"v4\.[ub]16|v2\.[ub]32|[ub]64"),
], ids=str)
def test_vectors_load_and_store_as_one_access(element_type, lanes: int, instruction: str, target: str) -> None:
    vector = VectorType(element_type, lanes)
    ptx = compile_for(copy(array("x", vector, access=Access.IN), array("out", vector, access=Access.OUT)), target).ptx
    assert re.search(rf"ld\.global\.nc\.({instruction})", ptx)
    assert re.search(rf"st\.global\.({instruction})", ptx)


PAIR = StructType("Pair", "Pair", (Field("flag", BOOL), Field("x", F64), Field("n", I16)))


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_arguments_are_packed_in_order_at_natural_alignment(target: str) -> None:
    types: list[Type] = [BOOL, F64, I16, PAIR, U8, I128, C64, PointerType(F32), VectorType(F32, 4)]
    parameters = tuple(local(f"p{position}", t) for position, t in enumerate(types))
    strided = array("m", F32, 2, strided=True)
    stores = [
        store(element(array(f"o{position}", t), index(0)), ref(parameter))
        for position, (t, parameter) in enumerate(zip(types, parameters, strict=True))
    ]
    outputs = tuple(array(f"o{position}", t) for position, t in enumerate(types))
    result = compile_for(build.kernel((*parameters, strided, *outputs), *stores), target)
    parameter = r"\.param (?:\.align (\d+) )?\.([a-z])(\d+) (?:\.ptr \S* ?\.align \d+ )?\w+(?:\[(\d+)\])?"
    listed = re.findall(parameter, result.ptx)
    sizes = [int(bits) // 8 * int(count or 1) for _, _, bits, count in listed]
    expected = [size_of(t) for t in types] + [8] * 5
    assert sizes[: len(expected)] == expected
    aligned = [int(alignment or int(bits) // 8) for alignment, _, bits, _ in listed]
    assert aligned[: len(types)] == [align_of(t) for t in types]
    end = 0
    for t in types:
        end = align_up(end, align_of(t)) + size_of(t)
    assert result.assemble().resources.constant_bytes == 0 or result.assemble().resources.constant_bytes > end


def allocation(
    name: str, t: Type, shape: tuple[int, ...], space: AddressSpace, data: bytes | None = None,
) -> tir.Allocation:
    view = local(name, ArrayType(t, shape, Access.INOUT, space))
    return tir.Allocation(span=HERE, local=view, alignment=max(16, align_of(t)), data=data)


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_static_memory(target: str) -> None:
    tile = allocation("tile", F32, (8, 32), AddressSpace.SHARED)
    table = allocation("table", F32, (2,), AddressSpace.CONSTANT, data=b"\0\0\x80\x3f\0\0\0\x40")
    scratch = allocation("scratch", F32, (4,), AddressSpace.LOCAL)
    i = local("i", I64)
    body = (
        store(element(tile.local, index(1), ref(i)), const(F32, 3)),
        store(element(scratch.local, ref(i)), load(element(table.local, ref(i)))),
        store(element(OUT, index(0)), load(element(scratch.local, index(2)))),
        store(element(OUT, index(1)), load(element(tile.local, ref(i), index(0)))),
    )
    kernel = tir.Kernel(span=HERE, name="k", parameters=(OUT, i), allocations=(tile, table, scratch), body=body)
    result = compile_for(kernel, target)
    assert re.search(r"\.shared \.align 16 \.b8 k_tile_0\[1024\]", result.ptx)
    assert re.search(r"\.const \.align 16 \.b8 k_table_0\[8\] = \{0, 0, 128, 63, 0, 0, 0, 64\}", result.ptx)
    assert "st.local" in result.ptx
    resources = result.assemble().resources
    assert resources.shared_bytes == 1024
    assert resources.stack_bytes in (0, 16)  # ptxas may keep the four elements in registers


def test_local_arrays_with_known_indices_live_in_registers() -> None:
    scratch = allocation("scratch", F32, (4,), AddressSpace.LOCAL)
    body = tuple(store(element(scratch.local, index(k)), const(F32, k)) for k in range(4))
    last = store(element(OUT, index(0)), binary("+", *(load(element(scratch.local, index(k))) for k in (1, 3))))
    kernel = tir.Kernel(span=HERE, name="k", parameters=(OUT,), allocations=(scratch,), body=(*body, last))
    assert "local" not in compile_for(kernel).ptx


def test_dynamic_shared_memory() -> None:
    start = tir.DynamicShared(span=HERE, type=PointerType(U8, AddressSpace.SHARED))
    pointer = tir.Bitcast(span=HERE, type=PointerType(F32, AddressSpace.SHARED), value=start)
    view = local("s", ArrayType(F32, (None,), Access.INOUT, AddressSpace.SHARED))
    made = tir.MakeArray(span=HERE, type=view.type, pointer=pointer, shape=(index(64),))
    kernel = build.kernel((OUT,), assign(view, made), store(element(view, index(3)), const(F32, 1)))
    assert ".extern .shared .align 16 .b8 simt_dynamic_shared[];" in compile_for(kernel).ptx


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_faults_share_one_record_and_exit(target: str) -> None:
    i = local("i", I64)
    message = tir.Message(parts=("i", (ref(i), "")))
    claim = tir.Assert(span=HERE, condition=build.compare("<", ref(i), index(9)), message=message)
    kernel = build.kernel((X, OUT, i), store(element(OUT, ref(i)), load(element(X, ref(i)))), claim)
    unchecked = compile_for(kernel, target)
    assert [site.kind for site in unchecked.module.sites] == ["assertion"]
    checked = compile_for(kernel, target, Options(checks=True))
    assert [site.kind for site in checked.module.sites] == ["out-of-bounds", "assertion"]
    assert checked.ptx.count("exit;") == 1
    assert f".global .align 8 .b8 {RECORD_SYMBOL}[{RECORD_BYTES}];" in checked.ptx
    assert checked.ptx.count("atom.") == 2
    assert "ld.volatile.global" in checked.ptx  # a failed grid ends early
    assert "trap" not in checked.ptx
    checked.assemble()
    nothing = compile_for(copy(X, OUT), target)
    assert not nothing.module.has_fault_record
    assert RECORD_SYMBOL not in nothing.ptx


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_launch_bounds(target: str) -> None:
    plain = copy(X, OUT)
    kernel = tir.Kernel(
        span=HERE, name="bounded", parameters=plain.parameters, allocations=(), body=plain.body, max_threads=256,
        min_blocks=2, cluster=(2, 1, 1) if target != "sm_75" else None,
    )
    ptx = compile_for(kernel, target).ptx
    assert re.search(r"\.maxntid 256(, 1, 1)?$", ptx, re.MULTILINE)
    assert ".minnctapersm 2" in ptx
    assert (".reqnctapercluster 2" in ptx) == (target != "sm_75")


def test_clusters_need_their_architecture() -> None:
    plain = copy(X, OUT)
    kernel = tir.Kernel(
        span=HERE, name="clustered", parameters=plain.parameters, allocations=(), body=plain.body, cluster=(2, 1, 1)
    )
    with pytest.raises(CompileError, match="clusters need sm_90, and clustered is compiled for sm_75"):
        compile_for(kernel, "sm_75")


def test_printing_passes_promoted_values() -> None:
    values = (const(I16, -3), const(F32, 0.5), const(BOOL, True), const(I64, 7), const(C64, 1 - 2j))
    parts = tuple(("%", (value, "")) for value in values)
    message = tir.Message(parts=(*[piece for pair in parts for piece in pair], (const(I32, 255), "#06x")))
    ptx = compile_for(build.kernel((), tir.Print(span=HERE, message=message))).ptx
    texts = [bytes(map(int, text.split(","))) for text in re.findall(r"\.b8 simt_string_\d+\[\d+\] = \{([^}]*)\}", ptx)]
    assert b"%%%d%%%g%%%s%%%lld%%(%g%+gj)%#06x\n" in [text.rstrip(b"\0") for text in texts]
    assert "call.uni" in ptx
