"""What the assembler or the compiler behind us refuses is reported with the kernel and the line of Python."""
from __future__ import annotations

import pytest

from simt.core import CompileError, InternalCompilerError, Out, i32, kernel
from simt.core.intrinsics.declare import Behavior, Sm, intrinsic
from simt.core.intrinsics.recipe import Body, InlinePtx


@intrinsic(
    gpu=InlinePtx("no.such.instruction $0, $1;", "=r,r"), cpu=Body(), ptx=r"no\.such", since=Sm(50),
    source="none: an instruction that no architecture has", behavior=Behavior.EFFECT,
)
def no_such_instruction(x: i32) -> i32:
    """An instruction that the assembler refuses."""
    return x + 1


@kernel
def uses_it(out: Out[i32]):
    value = i32(1)
    out[0] = no_such_instruction(value)  # the line


def test_the_assembler_names_kernel_and_line():
    with pytest.raises((CompileError, InternalCompilerError)) as caught:
        uses_it.compile(signature=(Out[i32],), target="sm_80")
    text = str(caught.value)
    assert "refuses kernel uses_it" in text and "no_such_instruction(value)" in text
    assert __file__.rpartition("/")[2] in text
