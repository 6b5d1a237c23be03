"""Codes of the checker: numbers, their operators and conversions."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

NUMBERS: tuple[Code, ...] = (
    Code(
        code="ambiguous-conversion",
        rule="`int(...)` and `float(...)` do not say how wide the number is; the language's types do.",
        failing="""\
@kernel
def show(x: In[f32], out: Out[i32]):
    out[0] = int(x[0])
""",
        corrected="""\
@kernel
def show(x: In[f32], out: Out[i32]):
    out[0] = i32(x[0])
""",
    ),
    Code(
        code="constant-evaluation",
        rule="What is known when the kernel is compiled is computed then, and that must succeed.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1 // 0
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1 // 2
""",
    ),
    Code(
        code="double-precision",
        rule="A kernel without f64 parameters that computes in f64 is probably meant to compute in f32.",
        failing="""\
@kernel
def show(x: In[f32], out: Out[f32]):
    out[0] = f32(x[0] * f64(0.5))
""",
        corrected="""\
@kernel
def show(x: In[f32], out: Out[f32]):
    out[0] = x[0] * 0.5
""",
    ),
    Code(
        code="identity-comparison",
        rule="`is` compares compile-time values; numbers at run time have no identity.",
        failing="""\
@kernel
def show(x: In[i32], out: Out[i32]):
    if x[0] is x[1]:
        out[0] = 1
""",
        corrected="""\
@kernel
def show(x: In[i32], out: Out[i32]):
    if x[0] == x[1]:
        out[0] = 1
""",
    ),
    Code(
        code="implicit-conversion",
        rule="Storing and passing convert only where no value can be lost; every other conversion is written.",
        failing="""\
@kernel
def show(x: In[f32], out: Out[i32]):
    out[0] = x[0]
""",
        corrected="""\
@kernel
def show(x: In[f32], out: Out[i32]):
    out[0] = i32(x[0])
""",
    ),
    Code(
        code="integer-division",
        rule="`/` of two integers is ambiguous: `//` gives an integer, a conversion gives a fraction.",
        failing="""\
@kernel
def show(n: i32, out: Out[f32]):
    out[0] = n / 2
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[f32]):
    out[0] = f32(n) / 2
""",
    ),
    Code(
        code="literal-out-of-range",
        rule="A literal takes the type of what it meets, and must fit it.",
        failing="""\
@kernel
def show(x: In[i8], out: Out[i8]):
    out[0] = x[0] + 300
""",
        corrected="""\
@kernel
def show(x: In[i8], out: Out[i16]):
    out[0] = i16(x[0]) + 300
""",
    ),
    Code(
        code="mixed-operands",
        rule="Two types combine only where one type holds every value of both.",
        failing="""\
@kernel
def show(a: i64, b: u64, out: Out[i64]):
    out[0] = a + b
""",
        corrected="""\
@kernel
def show(a: i64, b: u64, out: Out[i64]):
    out[0] = a + i64(b)
""",
    ),
    Code(
        code="not-a-condition",
        rule="`and`, `or` and conditions take what is true or false.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = 1 if n and n > 2 else 0
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = 1 if n != 0 and n > 2 else 0
""",
    ),
    Code(
        code="range-bound",
        rule="The bounds of range() are integers.",
        failing="""\
@kernel
def show(x: f32, out: Out[i32]):
    for i in range(x):
        out[i] = 1
""",
        corrected="""\
@kernel
def show(x: f32, out: Out[i32]):
    for i in range(i32(x)):
        out[i] = 1
""",
    ),
    Code(
        code="unsupported-operator",
        rule="The operator has no meaning for these types.",
        failing="""\
@kernel
def show(x: f32, out: Out[f32]):
    out[0] = x & 1
""",
        corrected="""\
@kernel
def show(x: f32, out: Out[f32]):
    out[0] = bitcast(bitcast(x, u32) & 1, f32)
""",
    ),
)
