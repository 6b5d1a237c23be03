"""HIR of each construct of the language, as text."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from simt.core.frontend import hir
from simt.core.frontend.read import read_function
from simt.core.frontend.show import show

Golden = Callable[[str, Mapping[str, str]], None]
LIMIT = 10


class Mode:
    FAST = 1
    SLOW = 2


def expressions(x: Any, y: Any, n: int = 3, *, key: Any = (1, 2)):
    """A docstring is dropped."""
    a = -x + ~n * 2 - +y
    b = x[1] + x[n, 2] + x[(n, 2)] + x[1:], x[::2, :n]
    c = 0 < n <= LIMIT != 3 and not a or b
    d = a if c else b
    e = math.sqrt(x.value.real) ** 2 // 3 % 4 << 1 >> 2 & 3 | 4 ^ 5
    f = print(x, y, sep=n)
    g = (), (1,), (1, (2, 3))
    h = 1.5, 2j, True, None, "text", 10**30
    i = f"{x} and {y:5.2f}{n!r}{{}}"
    j = x @ y / 2
    k = x is None, y is not None
    return a, b, c, d, e, f, g, h, i, j, k


def statements(x: Any, out: Any):
    pass
    "a bare text is dropped"
    ...
    a = b = x
    a, (b, c) = x
    [d, e] = x
    out[a, 0] = out.field = 1
    out[a] += 1
    out.field.inner -= 2
    typed: int = 3
    declared: float
    print(a)
    if a:
        return
    elif b:
        a = 1
    else:
        a = 2
    while a < 3:
        if b:
            break
        continue
    for i, (j, k) in range(c):
        a += i + j + k
    assert a
    assert b, f"b is {b}"
    return d, e, typed, declared


def matching(x: Any, y: Any):
    match x:
        case 1 | 2 | -3:
            y = 1
        case Mode.FAST | math.pi if y > 2:
            y = 2
        case True:
            y = 3
        case "a" | None:
            y = 4
        case 5 | _ if y:
            y = 5
        case _:
            pass
    return y


def nesting(x: Any):
    scale = 2

    def outer(y: int, step: int = scale) -> int:
        def inner(z):
            return z + y + scale + LIMIT

        return inner(step)

    apply = lambda f, v=x: f(v) + scale + math.pi
    return apply(outer) + apply(lambda y: math.floor(y) + Mode.SLOW)


def test_expressions(golden: Golden) -> None:
    golden("expressions", {"hir": show(read_function(expressions))})


def test_statements(golden: Golden) -> None:
    golden("statements", {"hir": show(read_function(statements))})


def test_matching(golden: Golden) -> None:
    golden("matching", {"hir": show(read_function(matching))})


def test_nesting(golden: Golden) -> None:
    golden("nesting", {"hir": show(read_function(nesting))})


def test_captured_names_are_the_longest_chains_sorted() -> None:
    assert read_function(expressions).captured == ("LIMIT", "math.sqrt", "print")
    assert read_function(matching).captured == ("Mode.FAST", "math.pi")
    # `scale`, `x` and `outer` are locals of the function around; what the nested functions take from outside counts.
    assert read_function(nesting).captured == ("LIMIT", "Mode.SLOW", "int", "math.floor", "math.pi")


def test_nested_functions_list_their_own_captures() -> None:
    define = read_function(nesting).body[1]
    assert isinstance(define, hir.Define)
    assert define.function.captured == ("LIMIT", "scale")
    inner = define.function.body[0]
    assert isinstance(inner, hir.Define)
    assert inner.function.captured == ("LIMIT", "scale", "y")


def test_a_name_assigned_anywhere_is_local_everywhere() -> None:
    def reads_before_writing(x: int):
        y = late + LIMIT
        late = x
        return y + late

    first = read_function(reads_before_writing).body[0]
    assert isinstance(first, hir.Assign) and isinstance(first.value, hir.Binary)
    assert isinstance(first.value.lhs, hir.LocalName)
    assert isinstance(first.value.rhs, hir.CapturedName)


def test_private_names_are_those_of_the_class() -> None:
    class Holder:
        def get(self) -> Any:
            return self.__hidden + self.__dunder__

    assert show(read_function(Holder.get)).splitlines()[1].strip() == "return (self._Holder__hidden + self.__dunder__)"


def test_spans_are_those_of_the_file() -> None:
    body = read_function(statements).body
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for statement in body:
        line = lines[statement.span.line - 1].encode()
        text = line[statement.span.col :].decode()
        assert text and not text[0].isspace()
        assert statement.span.filename == __file__
    assign = body[0]
    assert isinstance(assign, hir.Assign)
    assert lines[assign.span.line - 1].encode()[assign.value.span.col : assign.value.span.end_col] == b"x"


def test_columns_are_bytes() -> None:
    def wide(é: Any, x: Any):
        return é + "日本" + x

    statement = read_function(wide).body[0]
    assert isinstance(statement, hir.Return) and isinstance(statement.value, hir.Binary)
    span = statement.value.rhs.span
    with open(__file__, "rb") as file:
        line = file.read().split(b"\n")[span.line - 1]
    assert line[span.col : span.end_col] == b"x"
