"""Looking up captured names and evaluating annotations, as Python does both."""
from __future__ import annotations

import math
import types
from typing import Any, TypeVar

import pytest

from simt.core.annotations import D2, ArrayAnnotation, In, Out
from simt.core.errors import CompileError
from simt.core.frontend.names import NameMissing, annotations_of, captured_value
from simt.core.scalars import f32, i32

LIMIT = 10
T = TypeVar("T")


class Settings:
    class Inner:
        depth = 4


def make(n: int) -> Any:
    late: Any
    if n < 0:
        late = 1

    def function(x: Any) -> Any:
        return x + n + late + LIMIT

    return function


def test_closure_module_builtin_and_attributes() -> None:
    assert captured_value(make(7), "n") == 7
    assert captured_value(make(7), "LIMIT") == 10
    assert captured_value(make(7), "len") is len
    assert captured_value(make(7), "math.pi") == math.pi
    assert captured_value(make(7), "Settings.Inner.depth") == 4


def test_a_closure_hides_the_module_and_the_module_hides_builtins() -> None:
    def enclosing() -> Any:
        LIMIT = 99

        def function() -> Any:
            return LIMIT

        return function

    assert captured_value(enclosing(), "LIMIT") == 99
    shadowing = types.FunctionType(make(1).__code__, {"len": 5, "__builtins__": {}}, closure=make(1).__closure__)
    assert captured_value(shadowing, "len") == 5


def test_missing_names_say_which_part() -> None:
    cases = {
        "nowhere": ("nowhere", None), "nowhere.at.all": ("nowhere", None), "math.nothing.more": ("math.nothing", math),
        "Settings.Inner.width": ("Settings.Inner.width", Settings.Inner), "late": ("late", None),
    }
    for dotted, (missing, known) in cases.items():
        with pytest.raises(NameMissing) as caught:
            captured_value(make(7), dotted)
        assert (caught.value.missing, caught.value.known) == (missing, known)


def test_extra_names_come_last() -> None:
    extra = {"only_here": 5, "LIMIT": -1}
    assert captured_value(make(1), "only_here", extra) == 5
    assert captured_value(make(1), "LIMIT", extra) == 10


def test_annotations_as_text() -> None:
    def function(x: In[f32, D2], out: "Out[i32]", n, m: "T" = 0) -> None: ...  # noqa: UP037

    values = annotations_of(function)
    x, out = values["x"], values["out"]
    assert isinstance(x, ArrayAnnotation) and (x.element, x.ndim) == (f32, 2)
    assert isinstance(out, ArrayAnnotation) and out.element is i32
    assert values["m"] is T
    assert values["return"] is None
    assert list(values) == ["x", "out", "m", "return"], "a parameter without an annotation is absent"


def test_annotations_with_names_of_the_frame_that_defines() -> None:
    Real = f32

    def function(x: Real) -> In[Real]: ...  # pyright: ignore

    with pytest.raises(CompileError):
        annotations_of(function)
    values = annotations_of(function, {"Real": Real})
    assert values["x"] is f32
    assert isinstance(values["return"], ArrayAnnotation)


def test_annotations_with_names_of_the_closure() -> None:
    Real = f32

    def function(x: Real) -> Any:  # pyright: ignore
        return Real(x)

    assert annotations_of(function)["x"] is f32


def test_unresolved_annotations_are_all_reported_at_their_place() -> None:
    def function(x: Missing, y: f32, z: In[f32, f32, f32, f32]) -> AlsoMissing: ...  # pyright: ignore

    with pytest.raises(CompileError) as caught:
        annotations_of(function)
    found = caught.value.diagnostics
    assert [d.code for d in found] == ["unresolved-annotation"] * 3
    assert [d.message for d in found] == [
        "the annotation of `x` has no value", "the annotation of `z` has no value",
        "the result's annotation has no value",
    ]
    assert "name 'Missing' is not defined" in found[0].primary.text
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    shown = [lines[d.primary.span.line - 1][d.primary.span.col : d.primary.span.end_col] for d in found]
    assert shown == ["Missing", "In[f32, f32, f32, f32]", "AlsoMissing"]
