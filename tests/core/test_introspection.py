"""What a prompt or an editor shows of objects that stand in for a function: name, signature, documentation."""
from __future__ import annotations

import inspect
import pydoc

import pytest

from simt.core import Const, In, Ptr, bitcast, f32, fault, i32, kernel, static_range
from simt.core.annotations import D2, Strided
from simt.cuda_std import block, math, shared, warp


@pytest.mark.parametrize(
    ("stand_in", "shown", "parameters"),
    [
        (block.sync, "<intrinsic block.sync() -> None>", []),
        (math.atan2, "<intrinsic math.atan2(y: Float, x: Float) -> Float>", ["y", "x"]),
        (
            warp.shuffle_down,
            "<intrinsic warp.shuffle_down(value: Scalar, delta: i32, width: i32 = 32, members: u32 = 4294967295) "
            "-> Scalar>",
            ["value", "delta", "width", "members"],
        ),
        (
            shared.dynamic,
            "<language form dynamic_shared(dtype: type[T], count: int) -> MutableView[T, Any, Any]>",
            ["dtype", "count"],
        ),
        (static_range, "<language form static_range(*bounds: int) -> range>", ["bounds"]),
        (fault, "<language form fault(message: str) -> NoReturn>", ["message"]),
    ],
)
def test_it_shows_as_its_function(stand_in: object, shown: str, parameters: list[str]) -> None:
    assert repr(stand_in) == shown
    assert callable(stand_in)
    assert list(inspect.signature(stand_in).parameters) == parameters


@pytest.mark.parametrize("stand_in", [warp.ballot, shared.array, bitcast])
def test_help_is_the_documentation_and_nothing_of_the_class(stand_in: object) -> None:
    text = pydoc.render_doc(stand_in, renderer=pydoc.plaintext)
    documentation = inspect.getdoc(stand_in)
    assert documentation is not None and documentation.splitlines()[0] in text
    assert "class " not in text and "_dataclass" not in text


@kernel
def scale(x: In[f32], factor: f32) -> None:
    """Multiply."""


def test_kernels_have_their_function_s_signature_and_documentation() -> None:
    assert repr(scale) == "<kernel scale(x, factor)>"
    assert list(inspect.signature(scale).parameters) == ["x", "factor"]
    assert inspect.getdoc(scale) == "Multiply."


def test_annotations_show_as_they_are_written() -> None:
    shown = [repr(annotation) for annotation in (In[f32], In[f32, D2, Strided], Ptr[f32], Const[i32])]
    assert shown == ["In[f32]", "In[f32, D2, Strided]", "Ptr[f32]", "Const[i32]"]
