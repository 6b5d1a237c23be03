"""What kernels leave out is poison: it is reported once, silences what follows from it, and hides nothing else."""
from __future__ import annotations

import pytest

from simt.core import In, Out, f32, i32, kernel
from simt.core.errors import CompileError


def with_list(x):
    values = [x, x]
    return values[0] + missing_in_function


def returns_from_try(x) -> f32:
    try:
        return x / 2
    except ValueError:
        return f32(0)


@kernel
def everything(x: In[f32], n: i32, out: Out[f32]):
    a = [1, 2, 3]
    out[0] = a[0] + a
    out[1] = missing_1
    with open("file") as f:
        b = f.read() + missing_never_checked
    out[2] = b + f
    first, *rest = (1, 2, 3)
    out[3] = first + rest[0]
    import os
    out[4] = os.getpid(n)
    if (m := n) > 0:
        out[5] = missing_2
    out[6] = m
    for (i, *j) in x:
        out[7] = i
        last = j
    out[8] = last + missing_3
    out[9] = max(*(1, 2)) + missing_4

    def any_number(*values):
        return values

    class Local:
        pass

    out[10] = any_number(1, 2) + Local().value
    g = lambda **names: names
    out[11] = g(a=1)
    out[12] = with_list(n)
    out[13] = returns_from_try(x[0])
    match n:
        case [1, 2]:
            out[14] = 1
        case other:
            out[15] = other + missing_5
    out[16] = f"{n:{n}}" if n in (1, 2) else n
    while n > 0:
        out[17] = missing_6
    else:
        out[18] = 1
    del out
    try:
        return missing_never_checked
    finally:
        pass
    x.size = n


def test_each_part_is_reported_once_and_all_else_is_found() -> None:
    with pytest.raises(CompileError) as caught:
        everything.compile()
    names = [d.message.split("`")[1] for d in caught.value.diagnostics if d.code == "unknown-name"]
    assert names == [*(f"missing_{i}" for i in range(1, 5)), "missing_in_function", "missing_5", "missing_6"]
    assert [d.code for d in caught.value.diagnostics if d.code != "unknown-name"] == [
        "list-display", "with-in-kernel", "starred-value", "import-in-kernel", "assignment-expression", "starred-value",
        "unpacked-argument", "starred-parameter", "class-in-kernel", "starred-parameter", "list-display",
        "try-in-kernel", "match-pattern", "match-capture", "format-nested", "membership-test", "loop-else", "delete",
        "try-in-kernel", "unknown-attribute",
    ]


@kernel
def refused_and_mistyped(n: i32, out: Out[f32]):
    out[0] = n
    out[1] = sum([n, n])


@pytest.mark.parametrize("stage", ["tir", "llvm"])
def test_every_stage_after_reading_reports_both(stage: str) -> None:
    with pytest.raises(CompileError) as caught:
        refused_and_mistyped.inspect(stage)
    assert [d.code for d in caught.value.diagnostics] == ["implicit-conversion", "list-display"]
    with pytest.raises(CompileError) as caught:
        refused_and_mistyped.inspect("hir")
    assert [d.code for d in caught.value.diagnostics] == ["list-display"]
