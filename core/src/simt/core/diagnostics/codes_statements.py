"""Codes of the front end: statements of Python that kernels leave out."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

STATEMENTS: tuple[Code, ...] = (
    Code(
        code="annotated-target",
        rule="An annotation gives a new local its type; elements and attributes have theirs already.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0]: i32 = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1
""",
    ),
    Code(
        code="class-in-kernel",
        rule="A class is made on the host; kernels use the structs that exist when they are compiled.",
        failing="""\
@kernel
def show(out: Out[i32]):
    class Pair:
        pass
    out[0] = 1
""",
        corrected="""\
@struct
class Pair:
    a: i32
    b: i32


@kernel
def show(out: Out[i32]):
    out[0] = Pair(1, 2).a
""",
    ),
    Code(
        code="delete",
        rule="Locals of a kernel live in registers and end with the function; there is nothing to delete.",
        failing="""\
@kernel
def show(out: Out[i32]):
    n = 1
    out[0] = n
    del n
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    n = 1
    out[0] = n
""",
    ),
    Code(
        code="import-in-kernel",
        rule="Modules are imported on the host; a kernel uses the names that its module has imported.",
        failing="""\
@kernel
def show(out: Out[i32]):
    import math
    out[0] = i32(math.pi)
""",
        corrected="""\
import math


@kernel
def show(out: Out[i32]):
    out[0] = i32(math.pi)
""",
    ),
    Code(
        code="loop-else",
        rule="`else` after a loop is refused: most readers take it for something else. Use a flag.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    for i in range(4):
        if out[i] == 7:
            break
    else:
        out[0] = 1
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    found = False
    for i in range(4):
        if out[i] == 7:
            found = True
            break
    if not found:
        out[0] = 1
""",
    ),
    Code(
        code="match-capture",
        rule="A `case` compares with values; a plain name would match everything and assign to it.",
        failing="""\
@kernel
def show(out: Out[i32]):
    match out.size:
        case 1:
            out[0] = 1
        case other:
            out[0] = i32(other)
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    match out.size:
        case 1:
            out[0] = 1
        case _:
            out[0] = i32(out.size)
""",
    ),
    Code(
        code="match-pattern",
        rule="A `case` compares with literals, dotted names, `|` of those, or `_`; it takes nothing apart.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    match (out[0], out[1]):
        case (0, 1):
            out[2] = 1
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    if out[0] == 0 and out[1] == 1:
        out[2] = 1
""",
    ),
    Code(
        code="outer-assignment",
        rule=(
            "A function assigns its own locals only; the host's names are constants in a kernel, and a "
            "nested function returns its result."
        ),
        failing="""\
count = 0


@kernel
def show(out: Out[i32]):
    global count
    count = 1
    out[0] = count
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    count = 1
    out[0] = count
""",
    ),
    Code(
        code="raise-in-kernel",
        rule="A kernel raises no exceptions; `assert` stops the grid and reports at the host.",
        failing="""\
@kernel
def show(out: Out[i32]):
    if out.size == 0:
        raise ValueError("empty")
    out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    assert out.size != 0, "empty"
    out[0] = 1
""",
    ),
    Code(
        code="starred-value",
        rule="`*` needs a number of values that is known; write each of them.",
        failing="""\
@kernel
def show(out: Out[i32]):
    first, *rest = (1, 2, 3)
    out[0] = first
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    first, second, third = (1, 2, 3)
    out[0] = first
""",
    ),
    Code(
        code="try-in-kernel",
        rule="Nothing is caught on a device: a fault stops the grid and is raised at the host. Test before instead.",
        failing="""\
@kernel
def show(out: Out[i32]):
    try:
        out[0] = 1
    except IndexError:
        pass
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    if out.size > 0:
        out[0] = 1
""",
    ),
    Code(
        code="type-statement",
        rule="A type alias is host code; write it outside the kernel.",
        failing="""\
@kernel
def show(out: Out[i32]):
    type Count = i32
    out[0] = 1
""",
        corrected="""\
Count = i32


@kernel
def show(out: Out[i32]):
    count: Count = 1
    out[0] = count
""",
    ),
    Code(
        code="with-in-kernel",
        rule="There are no context managers on a device; write what happens before and after.",
        failing="""\
from contextlib import nullcontext


@kernel
def show(out: Out[i32]):
    with nullcontext():
        out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1
""",
    ),
)
