"""Codes of the checker: names, calls and what crosses them."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

CALLS: tuple[Code, ...] = (
    Code(
        code="kernel-returns-value",
        rule="A kernel returns nothing; results go to its outputs.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1
    return out.size
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = i32(out.size)
""",
    ),
    Code(
        code="missing-annotation",
        rule="The annotations of a kernel's parameters say what a launch takes.",
        failing="""\
@kernel
def show(x, out: Out[f32]):
    out[0] = x[0]
""",
        corrected="""\
@kernel
def show(x: In[f32], out: Out[f32]):
    out[0] = x[0]
""",
    ),
    Code(
        code="missing-return",
        rule="A function that returns a value returns one on every path.",
        failing="""\
def sign(x: f32) -> f32:
    if x > 0:
        return f32(1)


@kernel
def show(x: f32, out: Out[f32]):
    out[0] = sign(x)
""",
        corrected="""\
def sign(x: f32) -> f32:
    if x > 0:
        return f32(1)
    return f32(0)


@kernel
def show(x: f32, out: Out[f32]):
    out[0] = sign(x)
""",
    ),
    Code(
        code="needs-newer-architecture",
        rule="An instruction exists from some architecture on; a kernel for older ones guards it.",
        failing="""\
@kernel
def show(x: In[u32], out: Out[u32]):
    i = thread.index_1d()
    out[i] = warp.match_any(x[i])
""",
        corrected="""\
@kernel
def show(x: In[u32], out: Out[u32]):
    i = thread.index_1d()
    if cfg.has("compute_70"):
        out[i] = warp.match_any(x[i])
""",
    ),
    Code(
        code="not-callable",
        rule="Functions, types and intrinsics can be called.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = n(1)
""",
        corrected="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = n * 1
""",
    ),
    Code(
        code="not-constant",
        rule="What decides the code, as a shape or an unrolled range, is known when the kernel is compiled.",
        failing="""\
@kernel
def show(n: i32, out: Out[f32]):
    tile = local_array(f32, n)
    tile[0] = 1
    out[0] = tile[0]
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    tile = local_array(f32, 8)
    tile[0] = 1
    out[0] = tile[0]
""",
    ),
    Code(
        code="python-function",
        rule="A kernel calls intrinsics and functions written in Python; other functions are host code.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0] = hash(1)
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = abs(1)
""",
    ),
    Code(
        code="recursion",
        rule="Functions are expanded where they are called, so they cannot call themselves.",
        failing="""\
def count(n: i32) -> i32:
    return count(n - 1) if n > 0 else n


@kernel
def show(n: i32, out: Out[i32]):
    out[0] = count(n)
""",
        corrected="""\
def count(n: i32) -> i32:
    while n > 0:
        n -= 1
    return n


@kernel
def show(n: i32, out: Out[i32]):
    out[0] = count(n)
""",
    ),
    Code(
        code="type-mismatch",
        rule="An argument has the type that its parameter is declared with.",
        failing="""\
def first(x: In[f32]) -> f32:
    return x[0]


@kernel
def show(n: f32, out: Out[f32]):
    out[0] = first(n)
""",
        corrected="""\
def first(x: In[f32]) -> f32:
    return x[0]


@kernel
def show(n: In[f32], out: Out[f32]):
    out[0] = first(n)
""",
    ),
    Code(
        code="uncalled-function",
        rule="A function does something only where it is called: with its parentheses.",
        failing="""\
@kernel
def show(out: Out[i32]):
    block.sync
    out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    block.sync()
    out[0] = 1
""",
    ),
    Code(
        code="unknown-attribute",
        rule="The value has no attribute of this name.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0] = i32(out.length)
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = i32(out.size)
""",
    ),
    Code(
        code="unknown-name",
        rule="Every name is a parameter, a local, or known where the kernel is defined.",
        failing="""\
@kernel
def show(x: f32, out: Out[f32]):
    out[0] = x + undefined
""",
        corrected="""\
undefined = 2.0


@kernel
def show(x: f32, out: Out[f32]):
    out[0] = x + undefined
""",
    ),
    Code(
        code="wrong-arguments",
        rule="A call gives what the function's parameters ask for.",
        failing="""\
def add(a, b):
    return a + b


@kernel
def show(n: i32, out: Out[i32]):
    out[0] = add(n)
""",
        corrected="""\
def add(a, b):
    return a + b


@kernel
def show(n: i32, out: Out[i32]):
    out[0] = add(n, 1)
""",
    ),
)
