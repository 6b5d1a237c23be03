"""No instruction whose overflow ptxas leaves open reaches the assembler."""
from __future__ import annotations

import re

import pytest

from simt.core import In, Out, i8, i16, i32, i64, kernel
from simt.core.errors import InternalCompilerError
from simt.core.nvvm.wrapping import rewrite_wrapping


@kernel
def magnitudes(x: In[i16], y: In[i8], z: In[i32], w: In[i64], out: Out[i64]):
    v = x[0]
    out[0] = i64(abs(v))
    out[1] = i64(-v if v < 0 else v)
    out[2] = i64(-x[1])
    out[3] = i64(i16(0) - x[2])
    out[4] = i64(abs(y[0]))
    out[5] = i64(-x[3] <= x[4])
    out[6] = i64(abs(z[0]) % (z[1] | 1))
    out[7] = abs(w[0]) // (w[1] | 1)


def test_they_are_written_otherwise():
    ptx = magnitudes.inspect("ptx", target="sm_90")
    assert not re.search(r"\b(neg\.s16|abs\.s(16|32|64))\b", ptx)
    assert "shr.s32 %sign" in ptx and "shr.s64 %sign" in ptx and "not.b16 %low" in ptx
    assert magnitudes.compile(target="sm_90").cubin


def test_other_instructions_stay():
    ptx = "\tneg.s32 \t%r1, %r2;\n\tabs.f32 %f3, %f4;\n\tneg.f32 %f1, %f2;\n"
    assert rewrite_wrapping(ptx) == ptx


def test_a_predicate_is_an_internal_error():
    with pytest.raises(InternalCompilerError, match="predicate"):
        rewrite_wrapping("\t@%p1 neg.s16 %rs1, %rs2;\n")
