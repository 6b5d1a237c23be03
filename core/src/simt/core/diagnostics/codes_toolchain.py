"""Codes of what NVIDIA's compiler and assembler refuse."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

_DECLARED = """\
from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import Body, InlinePtx


@intrinsic(
    gpu=InlinePtx("{instruction} $0, $1;", "=r,r"), cpu=Body(), ptx="{instruction}", since=Sm(50), source="PTX ISA"
)
def reversed_bits_{name}(x: u32) -> u32:
    \"\"\"The bits of ``x`` from last to first.\"\"\"
    return x


@kernel
def show(x: In[u32], out: Out[u32]):
    out[0] = reversed_bits_{name}(x[0])
"""

TOOLCHAIN: tuple[Code, ...] = (
    Code(
        code="toolchain-rejects",
        rule="Inline PTX is passed on as it is written: it must be an instruction of the architecture.",
        failing=_DECLARED.format(instruction="brev.x32", name="wrong"),
        corrected=_DECLARED.format(instruction="brev.b32", name="right"),
    ),
)
