"""Finding the text of functions, however they were made, and refusing text that is not that of the code."""
from __future__ import annotations

import functools
import importlib.util
import linecache
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simt.core.errors import CompileError
from simt.core.frontend import hir
from simt.core.frontend.read import read_function, source_of
from simt.core.frontend.show import show


def plain(function: Any) -> Any:
    return function


def with_argument(*_: Any) -> Callable[[Any], Any]:
    return plain


def returned(function: Any) -> str:
    """What the function returns, as HIR text."""
    last = read_function(function).body[-1]
    assert isinstance(last, hir.Return) and last.value is not None
    return show(read_function(function)).splitlines()[-1].strip().removeprefix("return ")


def load(path: Path, name: str = "loaded") -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def no_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions of a file within one second would share compiled bytecode."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@plain
@with_argument(
    1,
    lambda: 2,
)
@plain
def decorated(x: int) -> int:
    return x + 1


def test_decorated() -> None:
    function = read_function(decorated)
    assert function.name == "decorated"
    with open(__file__, encoding="utf-8") as file:
        assert file.read().splitlines()[function.span.line - 1].startswith("def decorated")
    assert source_of(decorated).startswith("@plain\n@with_argument(\n")


def test_wrapped_by_a_decorator() -> None:
    @functools.wraps(decorated)
    def wrapper(x: int) -> int:
        return decorated(x) + 2

    assert returned(wrapper) == "($decorated(x) + 2)"


def test_nested_in_a_function_with_closure() -> None:
    def factory(n: int) -> Callable[[int], int]:
        def inner(x: int) -> int:
            return x + n

        return inner

    assert returned(factory(1)) == "(x + $n)"
    assert read_function(factory(1)) is read_function(factory(2)), "functions of one def share their HIR"


def test_multi_line_text_left_of_the_function() -> None:
    def kernel(x: int) -> int:
        assert x, """
left of the function
    """
        return x

    assert returned(kernel) == "x"


def test_comment_left_of_the_function() -> None:
    def kernel(x: int) -> int:
        y = x + 1
# a comment at the margin
        return y

    assert returned(kernel) == "y"


def test_lambdas() -> None:
    first, second = (lambda x: x + 1), (lambda x: x + 2)
    assert (returned(first), returned(second)) == ("(x + 1)", "(x + 2)")
    same = [lambda x: x, lambda x: x]
    spans = [read_function(f).span for f in same]
    assert spans[0].col < spans[1].col, "equal lambdas are told apart by their place"
    passed = plain(
        lambda x:
        x + 3
    )
    assert returned(passed) == "(x + 3)"
    outer = lambda x: lambda y: x + y
    assert returned(outer(1)) == "($x + y)"
    by_default = lambda x, f=lambda x: x: f(x)
    assert returned(by_default) == "f(x)"


def test_methods() -> None:
    class Thing:
        __slots__ = ()

        def method(self) -> Any:
            return self.__x  # pyright: ignore

        @staticmethod
        def static(x: int) -> int:
            return x

        @property
        def computed(self) -> Any:
            return self

        def with_class(self) -> Any:
            return __class__  # pyright: ignore

        def own_class(self) -> Any:
            return Thing()

    assert returned(Thing.method) == "self._Thing__x"
    assert returned(Thing.static) == "x"
    assert returned(Thing.computed.fget) == "self"
    assert returned(Thing.with_class) == "$__class__"
    assert returned(Thing.own_class) == "$Thing()"


def test_conditional_definitions_with_one_name() -> None:
    if len(sys.argv) >= 0:
        def chosen(x: int) -> int:
            return x + 1
    else:
        def chosen(x: int) -> int:
            return x + 2
    assert returned(chosen) == "(x + 1)"


def test_notebook_cell() -> None:
    """IPython compiles a cell under a name of its own and puts the text into linecache."""
    for number, text in enumerate(("def f(x):\n    return x + 1\n", "def f(x):\n    return x + 2\n"), 1):
        name = f"<ipython-input-{number}-0123456789ab>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        namespace: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(text, name, "exec"), namespace)
        assert returned(namespace["f"]) == f"(x + {number})"
        assert read_function(namespace["f"]).span.filename == name


def test_source_from_a_loader() -> None:
    """A module in a zip file has a loader that knows its text; linecache asks it."""

    class Loader:
        def get_source(self, name: str) -> str:
            return "\n\ndef f(x):\n    return x * 7\n" if name == "zipped" else ""

    namespace: dict[str, Any] = {"__name__": "zipped", "__loader__": Loader()}
    exec(compile("\n\ndef f(x):\n    return x * 7\n", "/no/such.zip/zipped.py", "exec"), namespace)
    assert returned(namespace["f"]) == "(x * 7)"


def test_source_unavailable() -> None:
    namespace: dict[str, Any] = {}
    exec("def hidden(x): return x", namespace)
    with pytest.raises(CompileError) as caught:
        read_function(namespace["hidden"])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "source-unavailable"
    assert "`hidden`" in diagnostic.message
    assert diagnostic.help is not None and ".py file" in diagnostic.help


def test_file_edited_after_import_keeps_the_text_of_the_import(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    path.write_text("def f(x):\n    return x + 1\n\ndef g(x):\n    return x + 10\n")
    module = load(path)
    assert returned(module.f) == "(x + 1)"
    path.write_text("def f(x):\n    return x + 2\n\ndef g(x):\n    return x + 20\n")
    assert returned(module.g) == "(x + 10)"


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x + 2\n",  # a constant
        "def f(x):\n    return y + 1\n",  # a name
        "def f(x):\n    return x - 1\n",  # an operator
        "\ndef f(x):\n    return x + 1\n",  # its place
        "def f(x, y):\n    return x + 1\n",
        "def g(x):\n    return x + 1\n",
        "def f(x):\n    return (x +\n",  # no longer Python
        "",
    ],
)
def test_changed_source_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "changed.py"
    path.write_text("def f(x):\n    return x + 1\n")
    module = load(path)
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        read_function(module.f)
    (diagnostic,) = caught.value.diagnostics
    # Up to Python 3.12 an empty file is one without lines.
    assert diagnostic.code == "source-changed" or (not text and diagnostic.code == "source-unavailable")


def test_reloaded_module_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "reloaded.py"
    path.write_text("def f(x):\n    return x + 1\n")
    assert returned(load(path).f) == "(x + 1)"
    path.write_text("def f(x):\n    return x + 2\n")
    os.utime(path, ns=(1, 1))
    assert returned(load(path).f) == "(x + 2)"


def test_moved_into_another_module(tmp_path: Path) -> None:
    path = tmp_path / "origin.py"
    path.write_text("def f(x):\n    return x + K\n")
    module = load(path)
    moved = types.FunctionType(module.f.__code__, {"K": 1, "__name__": "elsewhere"})
    assert returned(moved) == "(x + $K)"


def test_odd_layouts(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(
        b"\xef\xbb\xbf# a byte order mark\r\n"
        b"def one(x): return x + 1\r\n"
        b"if True: two = lambda x: (x +\r\n  2)\r\n"
        b"class A:\r\n\tclass B:\r\n\t\tdef three(self):\r\n\t\t\treturn self.__x\r\n"
        b"\tdef own(self):\r\n\t\treturn A(self)\r\n"
        b"def four(\r\n    x,\r\n    y=(lambda x: x),\r\n):\r\n\r\n\r\n    return x\r\n"
        b"def five(x): \\\r\n  return x"
    )
    module = load(path)
    assert returned(module.one) == "(x + 1)"
    assert returned(module.two) == "(x + 2)"
    assert returned(module.A.B.three) == "self._B__x"
    assert returned(module.A.own) == "$A(self)"
    assert returned(module.four) == "x"
    assert returned(module.five) == "x"


def test_future_annotations_and_warnings_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "future.py"
    path.write_text(
        "from __future__ import annotations\nimport warnings\nwarnings.simplefilter('ignore')\n"
        "def f(x: Missing) -> Missing:\n    local: AlsoMissing = x\n    assert local, '\\d'\n    return local\n"
    )
    spec = path.read_text()
    namespace: dict[str, Any] = {"__name__": "future"}
    import warnings

    with warnings.catch_warnings(action="ignore"):
        exec(compile(spec, str(path), "exec"), namespace)
    function = read_function(namespace["f"])
    assert function.captured == ("AlsoMissing",), "annotations of the signature belong to the host"


def test_method_calls_on_imported_and_other_globals(tmp_path: Path) -> None:
    """Python compiles a method call on an imported name to other instructions than on any other global."""
    path = tmp_path / "calls.py"
    path.write_text(
        "import math\nother = math\n"
        "def imported(x):\n    return math.sqrt(x) + math.pi\n"
        "def assigned(x):\n    return other.sqrt(x) + other.pi\n"
        "def both(x):\n    f = lambda y: math.floor(y) + other.ceil(y)\n"
        "    return math.sqrt(x) + other.sqrt(x) + f(x)\n"
        "def recursive(x):\n    return recursive(x - 1)\n"
        f"def long(x):\n    return {' + '.join(f'math.v{i}(x)' for i in range(300))} + other.pi\n"
    )
    module = load(path)
    assert returned(module.imported) == "($math.sqrt(x) + $math.pi)"
    assert returned(module.assigned) == "($other.sqrt(x) + $other.pi)"
    assert returned(module.both) == "(($math.sqrt(x) + $other.sqrt(x)) + f(x))"
    assert returned(module.recursive) == "$recursive((x - 1))"
    assert len(read_function(module.long).captured) == 301
