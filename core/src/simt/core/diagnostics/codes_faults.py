"""Codes of what ends a launch: found by checks while a kernel runs. The values of ``llvm.faults.FaultKind``."""
from __future__ import annotations

from simt.core.diagnostics.code import FaultCode

_NUMPY = "import numpy as np\n\n\n"

_FAULTS: tuple[FaultCode, ...] = (
    FaultCode(
        code="assertion",
        rule="What a kernel asserts holds in every thread; `fault` ends a thread the same way.",
        help=None,
        failing=_NUMPY + """\
@kernel
def show(x: In[i32]):
    assert x[0] > 0, f"{x[0]} is not positive"


show[1, 1](np.array([-1], np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(x: In[i32]):
    assert x[0] > 0, f"{x[0]} is not positive"


show[1, 1](np.array([1], np.int32))
""",
    ),
    FaultCode(
        code="deadlock",
        rule="Threads that wait for each other all come to the place where they wait.",
        help="let every thread that is waited for come to this place, or return before it: take the call out of `if` "
        "and of loops that threads leave at different times",
        failing=_NUMPY + """\
@kernel
def show(out: Out[i32]):
    i = thread.index_1d()
    if i % 2 == 0:
        block.sync()
    else:
        warp.sync()
    out[i] = 1


show[1, 32](np.zeros(32, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(out: Out[i32]):
    i = thread.index_1d()
    block.sync()
    warp.sync()
    out[i] = 1


show[1, 32](np.zeros(32, np.int32))
""",
    ),
    FaultCode(
        code="divergent-barrier",
        rule="The threads of a block, or the named lanes of a warp, meet at one and the same call.",
        help="let all threads that must meet reach one and the same call: take it out of `if` and of loops that they "
        "leave at different times; a warp operation names the lanes that call it",
        failing=_NUMPY + """\
@kernel
def show(out: Out[i32]):
    i = thread.index_1d()
    if i < 8:
        block.sync()
    else:
        block.sync()
    out[i] = 1


show[1, 32](np.zeros(32, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(out: Out[i32]):
    i = thread.index_1d()
    block.sync()
    out[i] = 1


show[1, 32](np.zeros(32, np.int32))
""",
    ),
    FaultCode(
        code="division-by-zero",
        rule="The divisor of an integer `//` or `%` is not zero.",
        help="test the divisor first: `if {divisor} != 0:`",
        failing=_NUMPY + """\
@kernel
def show(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    out[i] = 60 // x[i]


show[1, 2](np.array([6, 0], np.int32), np.zeros(2, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    out[i] = 60 // x[i] if x[i] != 0 else 0


show[1, 2](np.array([6, 0], np.int32), np.zeros(2, np.int32))
""",
    ),
    FaultCode(
        code="misaligned",
        rule="A value in memory starts at a multiple of its alignment. A launch refuses pointers that do not; the code "
        "checks those that it computes.",
        help="let the pointer be a multiple of the element's alignment, or read the value as smaller elements",
        failing=_NUMPY + """\
@kernel
def show(p: Ptr[i32], out: Out[i32]):
    out[0] = p[0]


show[1, 1](np.zeros(8, np.int8)[1:].ctypes.data, np.zeros(1, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(p: Ptr[i32], out: Out[i32]):
    out[0] = p[0]


values = np.zeros(2, np.int32)
show[1, 1](values.ctypes.data, np.zeros(1, np.int32))
""",
    ),
    FaultCode(
        code="out-of-bounds",
        rule="An index is not negative, and below the length of its axis.",
        help="test the index first: `if 0 <= {index} < {extent}:`",
        failing=_NUMPY + """\
@kernel
def show(out: Out[i32]):
    i = thread.index_1d()
    out[i] = 1


show[1, 32](np.zeros(20, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 1


show[1, 32](np.zeros(20, np.int32))
""",
    ),
    FaultCode(
        code="race",
        rule="Two threads touch one element, and one of them writes it, only with a barrier in between, or by atomic "
        "operations. Looked for with `race=True`.",
        help="within a block write `block.sync()` between the two accesses; else let each thread touch elements of its "
        "own, or make both accesses atomic: `atomic.add(array, index, value)`",
        failing=_NUMPY + """\
@kernel(race=True)
def show(x: In[i32], total: InOut[i32]):
    total[0] += x[thread.index_1d()]


show[1, 32](np.ones(32, np.int32), np.zeros(1, np.int32))
""",
        corrected=_NUMPY + """\
@kernel(race=True)
def show(x: In[i32], total: InOut[i32]):
    atomic.add(total, 0, x[thread.index_1d()])


show[1, 32](np.ones(32, np.int32), np.zeros(1, np.int32))
""",
    ),
    FaultCode(
        code="uninitialised-shared-read",
        rule="An element of shared memory is written before it is read; it holds no zeros at the start.",
        help="let a thread of the block store to it first, with `block.sync()` between the store and the read; "
        "`race=True` shows both where only the barrier is missing",
        failing=_NUMPY + """\
@kernel
def show(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    values = shared.array(i32, 32)
    values[i] = x[i]
    out[i] = values[31 - i]


show[1, 32](np.zeros(32, np.int32), np.zeros(32, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    values = shared.array(i32, 32)
    values[i] = x[i]
    block.sync()
    out[i] = values[31 - i]


show[1, 32](np.zeros(32, np.int32), np.zeros(32, np.int32))
""",
    ),
    FaultCode(
        code="zero-step",
        rule="The step of a `range` is not zero.",
        help="pass a step that is not zero, or test it first: `if {step} != 0:`",
        failing=_NUMPY + """\
@kernel
def show(step: i32, out: Out[i32]):
    for i in range(0, out.size, step):
        out[i] = 1


show[1, 1](0, np.zeros(4, np.int32))
""",
        corrected=_NUMPY + """\
@kernel
def show(step: i32, out: Out[i32]):
    for i in range(0, out.size, step):
        out[i] = 1


show[1, 1](2, np.zeros(4, np.int32))
""",
    ),
)

FAULT_CODES: dict[str, FaultCode] = {entry.code: entry for entry in _FAULTS}
