"""What ``help``, ``inspect.signature`` and editors find of objects that stand in for a function."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

FROM_FUNCTION = ("__name__", "__qualname__", "__module__", "__doc__")
PRESENTED = (*FROM_FUNCTION, "__signature__")
"""The attributes that ``present_as`` sets: none of them decides what an object does."""


def present_as(stand_in: object, function: Callable[..., Any]) -> None:  # Any: functions of every signature
    """Give an object, frozen or not, the name, place, documentation and signature of a function.

    ``__wrapped__`` is not set: the function is not what the object does in a kernel.
    """
    for name in FROM_FUNCTION:
        object.__setattr__(stand_in, name, getattr(function, name))
    object.__setattr__(stand_in, "__signature__", inspect.signature(function))


def signature_text(function: Callable[..., Any]) -> str:  # Any: as above
    """``(x: Float, y: Float) -> Float``, with the annotations as they are written in the source."""
    signature = inspect.signature(function)
    parameters = ", ".join(map(_parameter_text, signature.parameters.values()))
    returns = "" if signature.return_annotation is inspect.Signature.empty else f" -> {signature.return_annotation}"
    return f"({parameters}){returns}"


def _parameter_text(parameter: inspect.Parameter) -> str:
    star = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else ""
    text = f"{star}{parameter.name}"
    if parameter.annotation is not inspect.Parameter.empty:
        text += f": {parameter.annotation}"
    return text if parameter.default is inspect.Parameter.empty else f"{text} = {parameter.default!r}"
