"""Index arithmetic in 32 bits gives what it gives in 64, on drawn expressions and on whole kernels."""
from __future__ import annotations

import struct

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simt.core.check import tir
from simt.core.check.verify import verify
from simt.core.passes.local_ranges import facts_of
from simt.core.passes.narrow_indices import makes_large_views, narrow_indices
from simt.core.passes.ranges import Range
from simt.core.types import AddressSpace, ArrayType, PointerType
from simt.core.types.scalar import BOOL, F32, I8, I32, I64, U8, U32
from tests.core.llvm import build
from tests.core.llvm.build import (
    HERE,
    array,
    assign,
    binary,
    compare,
    const,
    convert,
    element,
    index,
    load,
    local,
    loop,
    ref,
    store,
)
from tests.core.llvm.host import compile_on_host

OUT, SMALLS, WORDS = array("out", I64), array("smalls", I8), array("words", U32)
I, J = local("i", I64), local("j", I64)
EXTENT = tir.Extent(span=HERE, type=I64, array=ref(SMALLS), axis=0)


def leaves() -> st.SearchStrategy[tir.Expr]:
    read = st.sampled_from([SMALLS, WORDS]).map(lambda a: convert(load(element(a, index(3))), I64))
    constant = st.one_of(st.integers(-9, 9), st.sampled_from([2**31 - 1, -(2**31), 2**31, 2**40 + 5])).map(index)
    return st.one_of(st.sampled_from([ref(I), ref(J), EXTENT]), constant, read)


def grow(inner: st.SearchStrategy[tir.Expr]) -> st.SearchStrategy[tir.Expr]:
    plain = st.builds(binary, st.sampled_from(["+", "-", "*", "&", "|", "^", "min", "max"]), inner, inner)
    divisor = st.integers(1, 9).map(index)
    divided = st.builds(binary, st.sampled_from(["//", "%"]), inner, divisor)
    shifted = st.builds(binary, st.sampled_from(["<<", ">>"]), inner, st.integers(0, 40).map(index))
    cut = st.builds(lambda e, t: convert(convert(e, t), I64), inner, st.sampled_from([I32, U8, U32, BOOL]))
    chosen = st.builds(
        lambda op, a, b, x, y: tir.Conditional(span=HERE, type=I64, condition=compare(op, a, b), then=x, orelse=y),
        st.sampled_from(["<", "==", ">="]), inner, inner, inner, inner,
    )
    return st.one_of(plain, divided, shifted, cut, chosen)


@settings(max_examples=20, deadline=None)
@given(value=st.recursive(leaves(), grow, max_leaves=8), second=st.recursive(leaves(), grow, max_leaves=4))
def test_values_do_not_change(value: tir.Expr, second: tir.Expr) -> None:
    kept, at = local("kept", I64), local("at", I64)
    as_float = convert(convert(ref(kept), F32), I64)
    body = loop(
        I, index(0), EXTENT, index(3), assign(J, binary("-", ref(I), index(40))), assign(kept, value),
        store(element(OUT, ref(at)), ref(kept)), store(element(OUT, binary("+", ref(at), index(1))), second),
        store(element(OUT, binary("+", ref(at), index(2))), as_float), assign(at, binary("+", ref(at), index(3))),
    )
    kernel = build.kernel((OUT, SMALLS, WORDS), assign(J, index(7)), assign(at, index(0)), body)
    results = []
    for checks in (False, True):
        narrowed = narrow_indices(kernel, checks=checks)
        verify(narrowed, "narrow_indices")
        for form, small in ((kernel, False), (narrowed, True)):
            out, smalls = np.zeros(64, np.int64), np.arange(-20, 0, dtype=np.int8)
            words = np.full(9, 0xFFFF_FFF0, np.uint32)
            packed = b"".join(struct.pack("<qq", part.ctypes.data, part.size) for part in (out, smalls, words))
            assert compile_on_host(form, checks=checks, small=small, opt=1).run(packed) is None
            results.append(out.tolist())
    assert all(result == results[0] for result in results)


def types_of(kernel: tir.Kernel) -> dict[str, object]:
    return {node.local.name: node.local.type for node in tir.walk(kernel) if isinstance(node, tir.Assign | tir.For)}


def test_counters_and_what_derives_from_them_become_i32() -> None:
    twice = assign(J, binary("*", ref(I), index(2)))
    body = loop(I, index(0), EXTENT, index(1), twice, store(element(OUT, ref(J)), ref(I)))
    assert types_of(narrow_indices(build.kernel((OUT, SMALLS), body), checks=False)) == {"i": I32, "j": I32}


def test_what_grows_without_bound_stays_i64() -> None:
    label = tir.Label("while", 0)
    body = assign(I, binary("+", ref(I), index(1)))
    forever = tir.While(span=HERE, label=label, header=(), condition=compare("<", ref(I), EXTENT), body=(body,))
    kernel = build.kernel((OUT, SMALLS), assign(I, index(0)), forever)
    assert types_of(narrow_indices(kernel, checks=False)) == {"i": I64}


def test_a_parameter_and_a_local_in_memory_keep_their_types() -> None:
    n = local("n", I64)
    variable = tir.Variable(span=HERE, type=I64, local=I)
    kernel = build.kernel((OUT, n), assign(n, index(1)), assign(I, index(1)), store(variable, index(2**40)))
    assert types_of(narrow_indices(kernel, checks=False)) == {"n": I64, "i": I64}


def test_ranges_of_locals() -> None:
    body = loop(I, index(0), EXTENT, index(1), assign(J, binary("-", ref(I), const(I64, 5))))
    facts = facts_of(build.kernel((SMALLS,), body), small=True)
    assert facts.locals == {I: Range(0, 2**30 - 2), J: Range(-5, 2**30 - 7)}


def test_a_view_made_of_a_raw_pointer_may_be_large() -> None:
    for space, large in ((AddressSpace.GLOBAL, True), (AddressSpace.SHARED, False)):
        p, view = local("p", PointerType(F32, space)), local("v", ArrayType(F32, (None,), OUT.type.access, space))
        made = tir.MakeArray(span=HERE, type=view.type, pointer=ref(p), shape=(index(2**40),))
        assert makes_large_views(build.kernel((p,), assign(view, made))) is large
