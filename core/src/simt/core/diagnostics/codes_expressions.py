"""Codes of the front end: expressions of Python that kernels leave out."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

EXPRESSIONS: tuple[Code, ...] = (
    Code(
        code="assignment-expression",
        rule="`:=` is not available in kernels; an assignment is a statement of its own.",
        failing="""\
@kernel
def show(out: Out[i32]):
    if (n := out.size) > 0:
        out[0] = i32(n)
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    n = out.size
    if n > 0:
        out[0] = i32(n)
""",
    ),
    Code(
        code="bytes-literal",
        rule="Bytes are objects, and there are no objects on a device; write the numbers.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0] = b"a"[0]
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 97
""",
    ),
    Code(
        code="comprehension",
        rule="A comprehension would allocate memory; write a loop into an array.",
        failing="""\
@kernel
def show(out: Out[i32]):
    values = [i * i for i in range(4)]
    out[0] = values[3]
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    for i in range(4):
        out[i] = i * i
""",
    ),
    Code(
        code="dict-display",
        rule="A dict would allocate memory; use `match`, a struct or an array indexed by number.",
        failing="""\
@kernel
def show(out: Out[i32]):
    price = {1: 10, 2: 20}
    out[0] = price[1]
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    match out.size:
        case 1:
            out[0] = 10
        case _:
            out[0] = 20
""",
    ),
    Code(
        code="ellipsis",
        rule="`...` stands for no value in a kernel; write each index.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[...] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1
""",
    ),
    Code(
        code="format-nested",
        rule="The format of a value in a message is fixed when the kernel is compiled.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    width = 4
    print(f"{out[0]:{width}}")
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    print(f"{out[0]:4}")
""",
    ),
    Code(
        code="list-display",
        rule="A list would allocate memory; write a tuple, or an array of the kernel.",
        failing="""\
@kernel
def show(out: Out[i32]):
    pair = [1, 2]
    out[0] = pair[0]
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    pair = (1, 2)
    out[0] = pair[0]
""",
    ),
    Code(
        code="membership-test",
        rule="`in` would search; write the comparisons, or the loop.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    if out[0] in (1, 2):
        out[0] = 0
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    if out[0] == 1 or out[0] == 2:
        out[0] = 0
""",
    ),
    Code(
        code="set-display",
        rule="A set would allocate memory; write a tuple, or comparisons.",
        failing="""\
@kernel
def show(out: Out[i32]):
    primes = {2, 3}
    out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    primes = (2, 3)
    out[0] = primes[0]
""",
    ),
    Code(
        code="template-string",
        rule="A template is an object; a message is an f-string.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    print(t"{out[0]}")
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    print(f"{out[0]}")
""",
    ),
    Code(
        code="unpacked-argument",
        rule="`*` and `**` in a call hide how many arguments there are; write each of them.",
        failing="""\
def add(a, b):
    return a + b


@kernel
def show(out: Out[i32]):
    pair = (1, 2)
    out[0] = add(*pair)
""",
        corrected="""\
def add(a, b):
    return a + b


@kernel
def show(out: Out[i32]):
    pair = (1, 2)
    out[0] = add(pair[0], pair[1])
""",
    ),
)
