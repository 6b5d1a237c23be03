"""Loops without checks beside loops with them: the same results, the same faults."""
from __future__ import annotations

import struct

import numpy as np
import pytest

from simt.core.check import tir
from simt.core.check.verify import verify
from simt.core.options import Options
from simt.core.passes.local_ranges import facts_of
from simt.core.passes.narrow_indices import narrow_indices
from simt.core.passes.version_loops import version_loops
from simt.core.types import Access
from simt.core.types.scalar import I32, I64
from tests.core.llvm.build import (
    HERE,
    array,
    assign,
    binary,
    compare,
    element,
    index,
    kernel,
    load,
    local,
    loop,
    ref,
    store,
)
from tests.core.llvm.host import compile_on_host

A, B = array("a", I32, 2, Access.IN), array("b", I32, 2, Access.IN)
OUT = array("out", I32)
K, ROW, COL, TOTAL, N = local("k", I64), local("row", I64), local("col", I64), local("total", I32), local("n", I64)
EXTENT = tir.Extent(span=HERE, type=I64, array=ref(A), axis=1)


def product(step: int = 1, column: tir.Expr | None = None) -> tir.Kernel:
    """``out[0] = sum(a[row, k] * b[k, col] for k in range(1, a.shape[1] - 1, step))`` at row 1, column 2."""
    left = load(element(A, ref(ROW), ref(K)))
    right = load(element(B, binary("+", ref(K), index(1)), column or ref(COL)))
    body = assign(TOTAL, binary("+", ref(TOTAL), binary("*", left, right)))
    stop = binary("-", EXTENT, index(1))
    return kernel(
        (A, B, OUT), assign(ROW, index(1)), assign(COL, index(2)),
        assign(TOTAL, load(element(OUT, index(0)))), loop(K, index(1), stop, index(step), body),
        store(element(OUT, index(0)), ref(TOTAL)),
    )


def run(form: tir.Kernel, proven: frozenset[int], shapes: tuple[tuple[int, int], tuple[int, int]], small: bool):
    a, b = (np.arange(np.prod(shape), dtype=np.int32).reshape(shape) for shape in shapes)
    out = np.zeros(1, np.int32)
    packed = b"".join(struct.pack("<qqq", m.ctypes.data, *m.shape) for m in (a, b))
    packed += struct.pack("<qq", out.ctypes.data, 1)
    code = compile_on_host(form, checks=True, small=small, proven=proven)
    fault = code.run(packed)
    return int(out[0]), None if fault is None else (fault[0].expression, fault[0].values, fault[1][:2])


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("shapes", [
    ((3, 9), (9, 4)), ((3, 9), (5, 4)), ((3, 9), (9, 2)), ((1, 9), (9, 4)), ((3, 1), (0, 0)),
], ids=str)
@pytest.mark.parametrize("step", [1, 3])
def test_results_and_faults_are_the_same(shapes, step: int, small: bool) -> None:
    plain = product(step)
    form = narrow_indices(plain, checks=True) if small else plain
    versioned, proven = version_loops(form, facts_of(form, small))
    verify(versioned, "version_loops")
    assert len(proven) == 2
    assert run(versioned, proven, shapes, small) == run(plain, frozenset(), shapes, False)


def test_an_index_that_is_loaded_keeps_its_check() -> None:
    column = tir.Convert(span=HERE, type=I64, value=load(element(OUT, index(0))))
    form = product(column=column)
    _, proven = version_loops(form, facts_of(form, False))
    assert len(proven) == 2  # a[row, k] and out[0]; b[k + 1, out[0]] may be anywhere


def test_loops_around_loops_and_steps_of_unknown_sign_stay() -> None:
    inner = loop(K, index(0), EXTENT, ref(N), store(element(OUT, ref(K)), load(element(OUT, index(0)))))
    form = kernel((A, B, OUT, N), loop(ROW, index(0), EXTENT, index(1), inner))
    same, proven = version_loops(form, facts_of(form, False))
    assert same is form
    assert proven == frozenset()


def test_the_gpu_compiles_both() -> None:
    pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")
    from tests.core.nvvm.compiled import compile_for

    guarded = tir.If(span=HERE, condition=compare("<", index(1), EXTENT), then=product().body, orelse=())
    form = kernel((A, B, OUT), guarded)
    checked = compile_for(form, options=Options(checks=True))
    assert checked.ptx.count("ld.global.nc") > compile_for(form).ptx.count("ld.global.nc")
    # One site an axis of a and b, and one of out, whose two accesses are at one place here: the fast loop adds none.
    assert len(checked.module.sites) == 5
