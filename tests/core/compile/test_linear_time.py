"""The compiler's own passes take linear time: some more lines cost the same number of calls in a long kernel as in a
short one. Calls of Python functions are counted, and each step of a generator, which is the same on every machine.
"""
from __future__ import annotations

import itertools
import linecache
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal

import pytest

from simt.core import In, Kernel, Out, i32, kernel
from simt.cuda_std import thread

STEP = 12
NAMES = {"In": In, "Out": Out, "i32": i32, "kernel": kernel, "thread": thread, "__name__": __name__}
HEAD = """\
@kernel
def subject(x: In[i32], out: Out[i32]):
    i = thread.index_1d()
    if i < out.size:
        a = x[i]
"""

COUNTS: dict[str, Callable[[int], str]] = {
    "one name": lambda n: "".join(f"        a = a * 3 + x[i + {k % 5}]\n" for k in range(n)) + "        out[i] = a\n",
    "many names": lambda n: "        t0 = a\n" + "".join(
        f"        t{k + 1} = t{k} * 3 + x[i + {k % 5}]\n" for k in range(n)
    ) + f"        out[i] = t{n}\n",
    "stores": lambda n: "".join(f"        out[i + {k}] = x[i] // {k + 1}\n" for k in range(n)),
    "terms": lambda n: f"        out[i] = {' + '.join(['a'] * n)}\n",
    "and": lambda n: f"        if {' and '.join(f'a != {k}' for k in range(n))}:\n            out[i] = 1\n",
    "and of elements": lambda n: f"        if {' and '.join(f'x[i + {k}] > 0' for k in range(n))}:\n"
    "            out[i] = 1\n",
    "or": lambda n: f"        if {' or '.join(f'a == {k}' for k in range(n))}:\n            out[i] = 1\n",
    "comparisons": lambda n: f"        if {' < '.join(['a'] * n)}:\n            out[i] = 1\n",
    "if-else": lambda n: f"        out[i] = {' '.join(f'{k} if a == {k} else' for k in range(n))} -1\n",
    "if": lambda n: "".join(f"        if i + {k} < x.size:\n            a += x[i + {k}]\n" for k in range(n))
    + "        out[i] = a\n",
    "elif": lambda n: "".join(f"        {'el' * (k > 0)}if a < {k}:\n            out[i] = {k}\n" for k in range(n)),
    "case": lambda n: "        match a:\n" + "".join(
        f"            case {k}:\n                out[i] = {k}\n" for k in range(n)
    ),
    "loops": lambda n: "".join(f"        for j in range({k + 1}):\n            a += x[j]\n" for k in range(n))
    + "        out[i] = a\n",
    "calls": lambda n: "        def step(v):\n            return v * a\n        b = a\n" + "        b = step(b)\n" * n
    + "        out[i] = b\n",
}


def defined(body: str, name: str) -> Kernel[Any]:
    """The kernel ``subject`` with this body."""
    text, filename = HEAD + body, f"<linear {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = dict(NAMES)
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    return namespace["subject"]


def calls_of(work: Callable[[], object]) -> int:
    """How many Python calls, and steps of generators, ``work`` makes."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(("stage", "checks"), [("llvm", True), ("llvm", False), ("nvvm", False)])
@pytest.mark.parametrize("shape", COUNTS)
def test_each_further_line_costs_the_same(shape: str, stage: Literal["llvm", "nvvm"], checks: bool) -> None:
    counts: list[int] = []
    defined(COUNTS[shape](1), f"first {shape} {stage} {checks}").inspect(stage)  # imports what the others then have
    for size in (STEP, 2 * STEP, 3 * STEP):
        subject = defined(COUNTS[shape](size), f"{shape} {size} {stage} {checks}").with_options(checks=checks)
        counts.append(calls_of(lambda subject=subject: subject.inspect(stage)))
    first, second = (after - before for before, after in itertools.pairwise(counts))
    assert first > 50 * STEP, "the count sees the work"
    assert second < 1.15 * first, counts
