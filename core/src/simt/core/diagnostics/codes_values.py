"""Codes of the checker: values, their names, and the statements around them."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

VALUES: tuple[Code, ...] = (
    Code(
        code="bad-annotation",
        rule="An annotation is a type that a kernel's values can have.",
        failing="""\
@kernel
def show(x: str, out: Out[i32]):
    out[0] = 1
""",
        corrected="""\
@kernel
def show(x: i32, out: Out[i32]):
    out[0] = x
""",
    ),
    Code(
        code="compile-time-name",
        rule="A name for a function or type keeps it: what is called is known when the kernel is compiled.",
        failing="""\
@kernel
def show(n: i32, out: Out[f32]):
    f = lambda x: x + 1
    if n > 0:
        f = lambda x: x + 2
    out[0] = f(f32(1))
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[f32]):
    step = 1
    if n > 0:
        step = 2
    f = lambda x: x + step
    out[0] = f(f32(1))
""",
    ),
    Code(
        code="conflicting-types",
        rule="A name has one type, and a function returns one type.",
        failing="""\
def pick(n: i32):
    if n > 0:
        return f32(1)
    return (1, 2)


@kernel
def show(n: i32, out: Out[f32]):
    out[0] = pick(n)
""",
        corrected="""\
def pick(n: i32):
    if n > 0:
        return f32(1)
    return f32(2)


@kernel
def show(n: i32, out: Out[f32]):
    out[0] = pick(n)
""",
    ),
    Code(
        code="match-guard",
        rule="The guard of a case is a condition without effects.",
        failing="""\
@kernel
def show(count: InOut[i32]):
    match count.size:
        case 1 if atomic.add(count, 0, 1) > 0:
            count[0] = 1
""",
        corrected="""\
@kernel
def show(count: InOut[i32]):
    match count.size:
        case 1:
            if atomic.add(count, 0, 1) > 0:
                count[0] = 1
""",
    ),
    Code(
        code="match-subject",
        rule="`match` compares numbers and compile-time values.",
        failing="""\
@kernel
def show(x: In[i32], out: Out[i32]):
    match x:
        case 1:
            out[0] = 1
""",
        corrected="""\
@kernel
def show(x: In[i32], out: Out[i32]):
    match x[0]:
        case 1:
            out[0] = 1
""",
    ),
    Code(
        code="not-a-value",
        rule="Numbers, structs, tuples and arrays are values that a kernel computes with.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = f32 if n > 0 else i32
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = 1 if n > 0 else 2
""",
    ),
    Code(
        code="not-iterable",
        rule="Loops run over range(), static_range(), grid_stride() and tuples.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    for i in n:
        out[i] = 1
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    for i in range(n):
        out[i] = 1
""",
    ),
    Code(
        code="possibly-unbound",
        rule="A local has a value on every path that leads to its use.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    if n > 0:
        value = 1
    out[0] = value
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    value = 0
    if n > 0:
        value = 1
    out[0] = value
""",
    ),
    Code(
        code="unpacking",
        rule="A tuple is unpacked into as many names as it has elements.",
        failing="""\
@kernel
def show(out: Out[i32]):
    a, b = (1, 2, 3)
    out[0] = a + b
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    a, b, c = (1, 2, 3)
    out[0] = a + b + c
""",
    ),
    Code(
        code="unrolled-too-often",
        rule="A loop is unrolled at most 1024 times.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    for i in static_range(100_000):
        out[i] += 1
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    for i in range(100_000):
        out[i] += 1
""",
    ),
    Code(
        code="unused-value",
        rule="A value that is computed and dropped is probably a mistake.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    n + 1
    out[0] = n
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = n + 1
""",
    ),
)
