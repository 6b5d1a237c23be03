"""What the compiler may and may not assume about whole kernels, read off their PTX."""
from __future__ import annotations

import re

import pytest

from simt.core import D2, DisjointOut, In, InOut, Out, f32, kernel, u32
from simt.core.errors import InternalCompilerError
from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import Body, LlvmCall
from simt.cuda_std import block, shared, thread

pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")


@kernel
def reads_across_a_barrier(values: InOut[f32], out: Out[f32]):
    tile = shared.array(f32, 64)
    mine = thread.thread_idx.x
    tile[mine] = values[mine + 64]
    before = values[5] + tile[7]
    block.sync()
    out[mine] = before + values[5] + tile[7]


@kernel
def updates_in_a_loop(total: InOut[f32], x: In[f32]):
    for i in range(x.size):
        total[0] += x[i]


@kernel
def copies_rows(source: In[f32, D2], target: DisjointOut[f32, D2]):
    column, row = thread.index_2d()
    if row < target.shape[0] and column < target.shape[1]:
        target[row, column] = source[row, column]


@intrinsic(gpu=LlvmCall("llvm.umin.i32"), cpu=Body(), ptx="min", since=Sm(50), source="LLVM 12, llvm.umin")
def newer_than_llvm_7(x: u32, y: u32) -> u32:
    """An intrinsic that LLVM 7 takes for an external function."""
    return min(x, y)


@kernel
def calls_it(out: InOut[u32]):
    out[0] = newer_than_llvm_7(out[1], out[2])


@kernel
def größe(é: In[f32], è: InOut[f32]):
    ñ = shared.array(f32, 4)
    ü = shared.array(f32, 4)
    ñ[thread.thread_idx.x] = é[0]
    ü[thread.thread_idx.x] = é[1]
    block.sync()
    è[0] = ñ[0] + ü[1]


@pytest.mark.parametrize("target", ["sm_75", "cpu"])
def test_names_in_any_script(target: str) -> None:
    größe.compile(target=target)


@pytest.mark.parametrize("target", ["sm_75", "sm_90", "sm_100"])
def test_other_threads_may_write_before_a_barrier_ends(target: str) -> None:
    ptx = reads_across_a_barrier.inspect("ptx", target=target)
    assert len(re.findall(r"ld\.global\.[fb]32", ptx)) == 3
    assert len(re.findall(r"ld\.shared\.[fb]32", ptx)) == 2


@pytest.mark.parametrize("target", ["sm_75", "sm_90", "sm_100"])
def test_without_barriers_outputs_are_unaliased(target: str) -> None:
    """The sum stays in a register: nothing that the loop reads can change it."""
    ptx = updates_in_a_loop.inspect("ptx", target=target)
    assert len(re.findall(r"ld\.global\.[fb]32", ptx)) == 1


@pytest.mark.parametrize("target", ["sm_75", "sm_90", "sm_100"])
def test_indices_of_a_small_launch_are_computed_in_32_bits(target: str) -> None:
    ptx = copies_rows.inspect("ptx", target=target)
    assert not re.search(r"setp\.\w+\.[su]64", ptx)
    assert re.search(r"mad\.lo\.s32", ptx)


def test_an_intrinsic_that_llvm_7_lacks_is_our_bug() -> None:
    with pytest.raises(InternalCompilerError, match=r"llvm\.umin\.i32 for sm_75"):
        calls_it.compile(target="sm_75")
    assert "min.u32" in calls_it.inspect("ptx", target="sm_100")
