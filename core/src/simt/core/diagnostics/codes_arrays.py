"""Codes of the checker: indices, and the elements of arrays and tuples."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

ARRAYS: tuple[Code, ...] = (
    Code(
        code="bad-index",
        rule="An index is an integer.",
        failing="""\
@kernel
def show(x: f32, out: Out[f32]):
    out[x] = 1
""",
        corrected="""\
@kernel
def show(x: f32, out: Out[f32]):
    out[i64(x)] = 1
""",
    ),
    Code(
        code="index-out-of-range",
        rule="An index that is known when the kernel is compiled must be inside.",
        failing="""\
@kernel
def show(out: Out[i32]):
    pair = (1, 2)
    out[0] = pair[2]
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    pair = (1, 2)
    out[0] = pair[1]
""",
    ),
    Code(
        code="lost-change",
        rule="An array's element in a local is a copy; a change of the copy must be stored.",
        failing="""\
@struct
class Point:
    x: f32


@kernel
def show(points: InOut[Point]):
    p = points[0]
    p.x = 1
""",
        corrected="""\
@struct
class Point:
    x: f32


@kernel
def show(points: InOut[Point]):
    p = points[0]
    p.x = 1
    points[0] = p
""",
    ),
    Code(
        code="negative-index",
        rule="Indices do not count from the end of an array.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[-1] = 1
""",
        corrected="""\
@kernel
def show(out: Out[i32]):
    out[out.size - 1] = 1
""",
    ),
    Code(
        code="not-own-index",
        rule="A DisjointOut is indexed by the thread's own index only: that is why it has no races.",
        failing="""\
@kernel
def show(out: DisjointOut[i32]):
    i = thread.index_1d()
    out[i + 1] = 1
""",
        corrected="""\
@kernel
def show(out: DisjointOut[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 1
""",
    ),
    Code(
        code="not-subscriptable",
        rule="Arrays, tuples, vectors and pointers can be indexed.",
        failing="""\
@kernel
def show(n: i32, out: Out[i32]):
    out[0] = n[0]
""",
        corrected="""\
@kernel
def show(n: In[i32], out: Out[i32]):
    out[0] = n[0]
""",
    ),
    Code(
        code="read-of-output",
        rule="An `Out` is written only: what it holds before the kernel runs is not defined.",
        failing="""\
@kernel
def show(out: Out[i32]):
    out[0] = out[0] + 1
""",
        corrected="""\
@kernel
def show(out: InOut[i32]):
    out[0] = out[0] + 1
""",
    ),
    Code(
        code="read-only-array",
        rule="An `In` is read only.",
        failing="""\
@kernel
def show(x: In[i32]):
    x[0] = 1
""",
        corrected="""\
@kernel
def show(x: InOut[i32]):
    x[0] = 1
""",
    ),
    Code(
        code="slice",
        rule="Arrays are indexed by element; a part of one is the array with an offset.",
        failing="""\
@kernel
def show(x: In[f32], out: Out[f32]):
    part = x[1:3]
    out[0] = part[0]
""",
        corrected="""\
@kernel
def show(x: In[f32], out: Out[f32]):
    start = 1
    out[0] = x[start]
""",
    ),
    Code(
        code="struct-alias",
        rule="A struct has one name at a time: Python would change it under both, a copy would not.",
        failing="""\
@struct
class Point:
    x: f32


@kernel
def show(out: Out[f32]):
    a = Point(1)
    b = a
    b.x = 2
    out[0] = a.x
""",
        corrected="""\
@struct
class Point:
    x: f32


@kernel
def show(out: Out[f32]):
    a = Point(1)
    b = Point(a.x)
    b.x = 2
    out[0] = a.x
""",
    ),
    Code(
        code="wrong-index-count",
        rule="An array takes an index for each of its axes.",
        failing="""\
@kernel
def show(x: In[f32, D2], out: Out[f32]):
    out[0] = x[0, 0, 0]
""",
        corrected="""\
@kernel
def show(x: In[f32, D2], out: Out[f32]):
    out[0] = x[0, 0]
""",
    ),
)
