"""Python that kernels leave out: every construct has its code, all are reported at once, and none is forgotten."""
from __future__ import annotations

import ast
import linecache
import sys
from types import FunctionType
from typing import Any

import pytest

from simt.core.diagnostics.code import Code
from simt.core.diagnostics.codes_expressions import EXPRESSIONS
from simt.core.diagnostics.codes_functions import FUNCTIONS
from simt.core.diagnostics.codes_statements import STATEMENTS
from simt.core.diagnostics.render import render
from simt.core.errors import CompileError
from simt.core.frontend.read import read_function
from simt.core.frontend.unsupported import REFUSALS

# These are about the function as a whole and have tests of their own.
APART = {"nests-too-deep", "source-changed", "source-unavailable", "unresolved-annotation"}
NEEDS = {"type-parameters": (3, 12), "type-statement": (3, 12), "template-string": (3, 14)}
CODES = [code for code in (*EXPRESSIONS, *FUNCTIONS, *STATEMENTS) if code.code not in APART]


def functions(text: str, name: str) -> list[FunctionType]:
    """The functions of a module text; names of the suite stand for nothing, and decorators return the function."""

    class Names(dict[str, Any]):
        def __missing__(self, key: str) -> Any:
            if key in __builtins__:  # pyright: ignore
                raise KeyError(key)
            return Anything()

    class Anything:
        def __getitem__(self, _: Any) -> Any:
            return self

        def __call__(self, function: Any) -> Any:
            return function

    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"kernel": lambda f: f, "struct": lambda c: c}  # pyright: ignore
    namespace |= {key: Anything() for key in ("InOut", "Out", "i32")}
    exec(compile(text, name, "exec", dont_inherit=True), namespace)
    return [f for f in namespace.values() if isinstance(f, FunctionType) and f.__code__.co_filename == name]


def codes(text: str, name: str) -> list[str]:
    found: list[str] = []
    for function in functions(text, name):
        try:
            read_function(function)
        except CompileError as error:
            found += [diagnostic.code for diagnostic in error.diagnostics]
            assert all(render(diagnostic) for diagnostic in error.diagnostics)
    return found


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_examples_of_each_code(code: Code) -> None:
    if sys.version_info >= NEEDS.get(code.code, (3, 11)):
        assert set(codes(code.failing, f"<failing {code.code}>")) == {code.code}
    assert codes(code.corrected, f"<corrected {code.code}>") == []


SUPPORTED = {
    "AnnAssign", "Assert", "Assign", "Attribute", "AugAssign", "BinOp", "BoolOp", "Break", "Call", "Compare",
    "Constant", "Continue", "Expr", "For", "FormattedValue", "FunctionDef", "If", "IfExp", "JoinedStr", "Lambda",
    "Match", "Name", "Pass", "Return", "Slice", "Subscript", "Tuple", "UnaryOp", "While", "Interpolation",
}


def test_every_construct_of_this_python_is_decided() -> None:
    old = {"Index", "ExtSlice", "Num", "Str", "Bytes", "NameConstant", "Ellipsis"}  # names kept from before Python 3.9
    constructs = {c.__name__ for base in (ast.stmt, ast.expr) for c in base.__subclasses__()} - old
    assert constructs <= SUPPORTED | set(REFUSALS)
    assert not SUPPORTED & set(REFUSALS)


def test_all_are_reported_in_source_order_also_inside_of_refused_blocks() -> None:
    text = """\
def f(x, out, *rest):
    with x as y:
        try:
            out[0] = [1]
        except ValueError:
            del x
        else:
            raise x
        finally:
            import math
    for i in x:
        out[i] = {1} if i in x else (z := 2)
    else:
        out[0] = b"1"
    match x:
        case [1, 2] if lambda: (yield):
            out[0] = {1: 2}
"""
    found = codes(text, "<all>")
    assert found == [
        "starred-parameter", "with-in-kernel", "try-in-kernel", "list-display", "delete", "raise-in-kernel",
        "import-in-kernel", "set-display", "membership-test", "assignment-expression", "loop-else", "bytes-literal",
        "match-pattern", "generator", "dict-display",
    ]


def test_position_and_words() -> None:
    text = "def f(out):\n    if out[0]:\n        out[1] = [1, 2]\n"
    (function,) = functions(text, "<words>")
    with pytest.raises(CompileError) as caught:
        read_function(function)
    assert str(caught.value) == "\n".join(
        [
            "error[list-display]: a list is not available in a kernel",
            " --> <words>:3:18",
            "  |",
            "3 |         out[1] = [1, 2]",
            "  |                  ^^^^^^ a list would allocate memory",
            "  = help: write a tuple `(a, b)`, or declare an array of the kernel",
        ]
    )


def test_annotations_and_defaults_of_the_host_are_not_refused() -> None:
    text = "from typing import Callable\ndef f(x: Callable[[int], int], y=[1], *, z={}):\n    return x\n"
    assert codes(text, "<host>") == []


def test_annotations_of_nested_functions_may_list_types() -> None:
    text = "from typing import Callable\ndef f(x):\n    def g({}):\n        return 1\n    return g\n"
    assert codes(text.format("h: Callable[[int], int]"), "<nested>") == []
    assert codes(text.format("y=[1]"), "<nested default>") == ["list-display"]
