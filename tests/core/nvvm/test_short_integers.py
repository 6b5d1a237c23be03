"""No 16-bit negation or absolute value reaches the assembler."""
from __future__ import annotations

import re

import pytest

from simt.core import In, Out, i8, i16, i32, kernel
from simt.core.errors import InternalCompilerError
from simt.core.nvvm.short_integers import rewrite_short_integers


@kernel
def magnitudes(x: In[i16], y: In[i8], out: Out[i32]):
    v = x[0]
    out[0] = i32(abs(v))
    out[1] = i32(-v if v < 0 else v)
    out[2] = i32(-x[1])
    out[3] = i32(i16(0) - x[2])
    out[4] = i32(abs(y[0]))
    out[5] = i32(-x[3] <= x[4])


def test_they_are_written_otherwise():
    ptx = magnitudes.inspect("ptx", target="sm_90")
    assert not re.search(r"\b(neg|abs)\.s16\b", ptx)
    assert "%short" in ptx and "abs.s32 %wide, %wide;" in ptx
    assert magnitudes.compile(target="sm_90").cubin


def test_other_instructions_stay():
    ptx = "\tneg.s32 \t%r1, %r2;\n\tabs.s32 %r3, %r4;\n\tneg.f32 %f1, %f2;\n"
    assert rewrite_short_integers(ptx) == ptx


def test_a_predicate_is_an_internal_error():
    with pytest.raises(InternalCompilerError, match="predicate"):
        rewrite_short_integers("\t@%p1 neg.s16 %rs1, %rs2;\n")
