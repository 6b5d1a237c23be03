"""Codes of the front end: kinds of functions that kernels leave out, and sources that cannot be read."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

FUNCTIONS: tuple[Code, ...] = (
    Code(
        code="async-construct",
        rule="A kernel has no event loop: `async` and `await` mean nothing there.",
        failing="""\
@kernel
async def show(out: Out[i32]):
    out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1
""",
    ),
    Code(
        code="decorated-function",
        rule="A function defined inside a kernel takes no decorators: they are host code that runs at each definition.",
        failing="""\
def same(function):
    return function


@kernel
def show(out: Out[i32]):
    @same
    def one() -> i32:
        return i32(1)
    out[0] = one()
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    def one() -> i32:
        return i32(1)
    out[0] = one()
""",
    ),
    Code(
        code="generator",
        rule="A generator is an object that outlives its call; write the loop at its place of use.",
        failing="""\
@kernel
def show(out: Out[i32]):
    yield out[0]
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[0] = 1
""",
    ),
    Code(
        code="nests-too-deep",
        rule="The compiler follows 2000 levels of syntax; each term of a chain of operators, `elif` or `case` is one.",
        failing="""\
import linecache

text = "def many(a: i32) -> i32:\\n    return " + " + ".join(["a"] * 2500)
linecache.cache["many.py"] = (len(text), None, text.splitlines(True), "many.py")
exec(compile(text, "many.py", "exec"))


@kernel
def show(x: In[i32], out: Out[i32]):
    out[0] = many(x[0])
""",
        corrected="""\
@kernel
def show(x: In[i32], out: Out[i32]):
    total = 0
    for _ in range(2500):
        total += x[0]
    out[0] = total
""",
    ),
    Code(
        code="source-changed",
        rule="A kernel is compiled from its text, so the text must be that of the code that runs.",
        failing="""\
def half(x: i32) -> i32:
    return x // 2


half.__code__ = half.__code__.replace(co_consts=(None, 3))


@kernel
def show(out: InOut[i32]):
    out[0] = half(out[0])
""",
        corrected="""\
def half(x: i32) -> i32:
    return x // 2


@kernel
def show(out: InOut[i32]):
    out[0] = half(out[0])
""",
    ),
    Code(
        code="source-unavailable",
        rule="A kernel is compiled from its text, so the text must be found: in a file, a notebook or a recent REPL.",
        failing="""\
exec("def half(x: i32) -> i32: return x // 2")


@kernel
def show(out: InOut[i32]):
    out[0] = half(out[0])
""",
        corrected="""\
def half(x: i32) -> i32:
    return x // 2


@kernel
def show(out: InOut[i32]):
    out[0] = half(out[0])
""",
    ),
    Code(
        code="starred-parameter",
        rule=(
            "A kernel and its functions have a fixed list of parameters; pass a tuple for several values of "
            "unknown number."
        ),
        failing="""\
def first(*values):
    return values[0]


@kernel
def show(out: Out[i32]):
    out[0] = first(1, 2)
""",
        corrected="""\
def first(values):
    return values[0]


@kernel
def show(out: Out[i32]):
    out[0] = first((1, 2))
""",
    ),
    Code(
        code="type-parameters",
        rule="A function inside a kernel has no type parameters: it is compiled anew for each call anyway.",
        failing="""\
@kernel
def show(out: InOut[i32]):
    def same[T](x: T) -> T:
        return x
    out[0] = same(out[1])
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    def same(x):
        return x
    out[0] = same(out[1])
""",
    ),
    Code(
        code="unresolved-annotation",
        rule="The annotations of a kernel say its types, so each must have a value when the kernel is first compiled.",
        failing="""\
from __future__ import annotations


@kernel
def show(out: Out[missing]):
    out[0] = 1
""",
        corrected="""\
from __future__ import annotations


@kernel
def show(out: Out[i32]):
    out[0] = 1
""",
    ),
)
