"""Codes of the checker: what a kernel prints, asserts and reveals."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

MESSAGES: tuple[Code, ...] = (
    Code(
        code="bad-format",
        rule="The format in a message must be one for the value's type.",
        failing="""\
@kernel
def show(x: f32):
    print(f"{x:d}")
""",
        corrected="""\
@kernel
def show(x: f32):
    print(f"{x:.3f}")
""",
    ),
    Code(
        code="not-printable",
        rule="Messages show numbers and texts.",
        failing="""\
@kernel
def show(x: In[f32]):
    print(x)
""",
        corrected="""\
@kernel
def show(x: In[f32]):
    print(x[0])
""",
    ),
    Code(
        code="revealed-type",
        rule="`reveal_type` shows the type that its argument has, as type checkers do.",
        failing="""\
from typing import reveal_type


@kernel
def show(n: i32, out: Out[i32]):
    out[0] = reveal_type(n)
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = n
""",
    ),
    Code(
        code="static-assertion",
        rule="A condition that is known when the kernel is compiled holds.",
        failing="""\
@kernel
def show(out: Out[f32]):
    static_assert(D2.ndim == 3, "planes")
    out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    static_assert(D3.ndim == 3, "planes")
    out[0] = 1
""",
    ),
    Code(
        code="text-value",
        rule="A text is a message; it is no value to compute with.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    text = f"{n}"
    out[0] = n
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    print(f"{n}")
    out[0] = n
""",
    ),
    Code(
        code="unsupported-format",
        rule="The printf of a GPU knows fewer formats than Python.",
        failing="""\
@kernel
def show(x: f32):
    print(f"{x:^10}")
""",
        corrected="""\
@kernel
def show(x: f32):
    print(f"{x:10f}")
""",
    ),
)
