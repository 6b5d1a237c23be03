"""Codes of the checker: arrays that a kernel declares, and tables that it captures."""
from __future__ import annotations

from simt.core.diagnostics.code import Code

MEMORY: tuple[Code, ...] = (
    Code(
        code="bad-alignment",
        rule="An alignment is a power of two that is known when the kernel is compiled.",
        failing="""\
@kernel
def show(out: Out[f32]):
    tile = shared_array(f32, 32, 12)
    tile[0] = 1
    out[0] = tile[0]
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    tile = shared_array(f32, 32, 16)
    tile[0] = 1
    out[0] = tile[0]
""",
    ),
    Code(
        code="bad-element-type",
        rule="The first argument of an array's declaration is its element type.",
        failing="""\
@kernel
def show(out: Out[f32]):
    tile = local_array(32, 4)
    tile[0] = 1
    out[0] = tile[0]
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    tile = local_array(f32, 32)
    tile[0] = 1
    out[0] = tile[0]
""",
    ),
    Code(
        code="bad-shape",
        rule="The shape of an array is one to three positive extents.",
        failing="""\
@kernel
def show(out: Out[f32]):
    tile = local_array(f32, 0)
    out[0] = 1
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    tile = local_array(f32, 4)
    tile[0] = 1
    out[0] = tile[0]
""",
    ),
    Code(
        code="bad-table",
        rule="A captured table is an array or tuple of numbers of one kind.",
        failing="""\
table = ("a", "b")


@kernel
def show(n: i32, out: Out[f32]):
    out[0] = f32(table[n])
""",
        corrected="""\
table = (1.0, 2.5, 1.0)


@kernel
def show(n: i32, out: Out[f32]):
    out[0] = f32(table[n])
""",
    ),
    Code(
        code="dynamic-shared-in-loop",
        rule="A slice of dynamic shared memory is taken once, where all threads pass once.",
        failing="""\
@kernel
def show(out: Out[f32]):
    for i in range(4):
        tile = dynamic_shared(f32, 4)
        tile[i] = 1
        out[i] = tile[i]
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    tile = dynamic_shared(f32, 4)
    for i in range(4):
        tile[i] = 1
        out[i] = tile[i]
""",
    ),
    Code(
        code="too-much-constant-memory",
        rule="Captured tables live in constant memory, which is 64 KiB.",
        failing="""\
import numpy

table = numpy.zeros(20_000, numpy.float32)


@kernel
def show(n: i32, out: Out[f32]):
    out[0] = table[n]
""",
        corrected="""\
@kernel
def show(table: In[f32], n: i32, out: Out[f32]):
    out[0] = table[n]
""",
    ),
    Code(
        code="too-much-shared-memory",
        rule="Static shared arrays of a block take at most 48 KiB.",
        failing="""\
@kernel
def show(out: Out[f32]):
    tile = shared_array(f32, 20_000)
    tile[0] = 1
    out[0] = tile[0]
""",
        corrected="""\
@kernel
def show(out: Out[f32]):
    tile = shared_array(f32, 10_000)
    tile[0] = 1
    out[0] = tile[0]
""",
    ),
)
