"""Chains and nesting that exceed Python's own recursion limit: right results, or an error at the user's line."""
from __future__ import annotations

import linecache
import sys
import threading
import warnings
from typing import Any

import numpy as np
import pytest

from simt.core import CompileError, In, InternalCompilerError, Kernel, Out, deep_stack, i32, kernel
from simt.core.deep_stack import is_on_deep_stack, on_deep_stack
from simt.core.frontend.nesting import MAXIMUM_NESTING
from simt.cuda_std import thread

NAMES = {"In": In, "Out": Out, "i32": i32, "kernel": kernel, "thread": thread, "__name__": __name__}
HEAD = "@kernel\ndef subject(x: In[i32], out: Out[i32]):\n    i = thread.index_1d()\n    a = x[i]\n"


def defined(text: str, name: str) -> Kernel[Any]:
    """The kernel ``subject`` of a module text."""
    filename = f"<deep {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = dict(NAMES)
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    return namespace["subject"]


def sums(terms: int) -> str:
    return HEAD + "    out[i] = " + " + ".join(f"(a ^ {k})" if k % 3 == 0 else "a" for k in range(terms)) + "\n"


def elifs(branches: int) -> str:
    lines = [f"    {'el' * (k > 0)}if a == {k * 7 % branches}:\n        out[i] = {k}\n" for k in range(branches)]
    return f"{HEAD}{''.join(lines)}    else:\n        out[i] = -1\n"


def cases(count: int) -> str:
    lines = [f"        case {k * 7 % count}:\n            out[i] = {k}\n" for k in range(count)]
    return f"{HEAD}    out[i] = -1\n    match a:\n{''.join(lines)}"


def conjunction(terms: int) -> str:
    tests = " and ".join(f"a != {k}" for k in range(terms))
    return f"{HEAD}    out[i] = 1 if {tests} else 0\n"


def conditional(terms: int) -> str:
    return f"{HEAD}    out[i] = {' '.join(f'{k} if a == {k} else' for k in range(terms))} -1\n"


def returns(count: int) -> str:
    lines = [f"    if a == {k}:\n        return {k * k % 1000}\n" for k in range(count)]
    return f"def found(a: i32) -> i32:\n{''.join(lines)}    return -1\n\n\n{HEAD}    out[i] = found(a)\n"


SHAPES = {
    "sum": sums(900), "elif": elifs(500), "match": cases(500), "and": conjunction(400), "if-else": conditional(300),
    "returns": returns(300),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_long_chains_give_what_python_gives(shape: str) -> None:
    text = SHAPES[shape]
    x = np.array([0, 1, 2, 5, 77, 149, 299, 398, 450, 499, 1000, -3], np.int32)
    out = np.zeros_like(x)
    defined(text, shape)[1, x.size](x, out)
    plain: dict[str, Any] = {"kernel": lambda f: f, "In": {i32: None}, "Out": {i32: None}, "i32": i32}
    expected = np.zeros_like(x)
    for position in range(x.size):
        plain["thread"] = type("Position", (), {"index_1d": staticmethod(lambda at=position: at)})
        exec(text, plain)
        plain["subject"](x.tolist(), expected)
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("shape", ["sum", "match"])
def test_long_chains_for_a_gpu(shape: str) -> None:
    assert ".entry subject(" in defined(SHAPES[shape], f"{shape} for a GPU").inspect("ptx")


def test_a_short_kernel_at_the_end_of_the_callers_stack() -> None:
    def deeper(levels: int) -> str:
        return deeper(levels - 1) if levels else defined(sums(3), "small").inspect("tir")

    assert "kernel subject(" in deeper(sys.getrecursionlimit() - 150)


@pytest.mark.parametrize(("shape", "line"), [
    (sums, 5), (conjunction, 5), (conditional, 5), (cases, 6), (elifs, 5 + 2 * MAXIMUM_NESTING - 4),
])
def test_what_is_too_deep_is_refused_at_its_line(shape: Any, line: int) -> None:
    text = shape(MAXIMUM_NESTING + 50)
    with pytest.raises(CompileError, match="give parts of a long expression names") as caught:
        on_deep_stack(lambda: defined(text, f"too deep {shape.__name__}").inspect("tir"))
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code == "nests-too-deep"
    assert abs(diagnostic.primary.span.line - line) <= 10


def test_what_the_deep_stack_does_not_hold_is_refused_at_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deep_stack, "CALLS", 1500)
    with pytest.raises(CompileError) as caught:
        defined(sums(900), "too deep for the stack").inspect("tir")
    [diagnostic] = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.primary.span.line) == ("nests-too-deep", 5)


def test_a_warning_is_given_once() -> None:
    text = f"{HEAD}    a + 1\n    out[i] = {' + '.join(['a'] * 900)}\n"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        defined(text, "warned").compile()
    assert len([warning for warning in caught if "unused-value" in str(warning.message)]) == 1


def test_the_callers_limits_are_as_before() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    assert on_deep_stack(lambda: (is_on_deep_stack(), sys.getrecursionlimit())) == (True, deep_stack.CALLS)
    with pytest.raises(ZeroDivisionError):
        on_deep_stack(lambda: 1 // 0)
    assert (sys.getrecursionlimit(), threading.stack_size()) == before
    assert not is_on_deep_stack()


class Rung:
    """Every operation on it calls the next through C code, without end."""

    def __eq__(self, other: object) -> bool:
        return [Rung()] == [Rung()]


@pytest.mark.parametrize("work", [lambda: Rung() == Rung(), lambda: next(endless())], ids=["comparison", "generators"])
def test_endless_recursion_ends_before_the_stack_does(work: Any) -> None:
    with pytest.raises(RecursionError):
        on_deep_stack(work)


def endless() -> Any:
    yield from endless()


def test_other_failures_are_still_internal_errors(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    def broken(kernel: object) -> str:
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr("simt.core.inspection.show_tir", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(InternalCompilerError, match="ZeroDivisionError"):
        defined(sums(900), "broken").inspect("tir")
