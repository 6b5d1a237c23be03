"""Waiting for the launch before: what the compiler may no longer assume of inputs, and that the CPU target goes on."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import CompileError, In, Out, f32, kernel
from simt.cuda_std import grid, thread

pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")


@kernel
def plain(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i]


@kernel
def waiting(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    grid.wait_for_previous()
    out[i] = x[i]
    grid.let_next_start()


def test_inputs_are_loaded_after_the_wait_and_not_through_the_read_only_cache():
    ptx = waiting.inspect("ptx", np.zeros(4, np.float32), np.zeros(4, np.float32), target="sm_90")
    assert "ld.global.nc" not in ptx
    assert ptx.index("griddepcontrol.wait") < ptx.index("ld.global") < ptx.index("griddepcontrol.launch_dependents")
    assert "ld.global.nc" in plain.inspect("ptx", np.zeros(4, np.float32), np.zeros(4, np.float32), target="sm_90")


def test_on_the_cpu_target_it_does_nothing():
    x, out = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    waiting[1, 4](x, out)
    assert (out == x).all()


def test_older_architectures_have_no_such_wait():
    with pytest.raises(CompileError, match="sm_90"):
        waiting.inspect("ptx", np.zeros(4, np.float32), np.zeros(4, np.float32), target="sm_80")
