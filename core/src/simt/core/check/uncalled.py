"""Functions that are named where their result is meant: how messages show the call to write."""
from __future__ import annotations

import inspect

from simt.core.check.operand import ArrayMember, Closure, Method, Operand, Static


def is_function(operand: Operand) -> bool:
    """Whether the operand is something that only a call makes a value of."""
    match operand:
        case Static(value=value):
            return callable(value)
        case Closure() | Method() | ArrayMember():
            return True
        case _:
            return False


def call_of(operand: Operand, text: str | None = None) -> str:
    """``math.sqrt(x)`` for the function ``math.sqrt``; ``text``: how it is written."""
    name = text or _name(operand)
    return f"{f'({name})' if name.startswith('lambda') else name}({', '.join(_parameters(operand))})"


def call_help(operand: Operand) -> str | None:
    """The advice to call a function, where the operand is one."""
    return f"call it: `{call_of(operand)}`" if is_function(operand) and not _is_type(operand) else None


def uncalled(lhs: Static, rhs: Static) -> Operand | None:
    """The function among two compile-time operands, where the other is a number: it can only be meant to be called."""
    for function, other in ((lhs, rhs), (rhs, lhs)):
        if is_function(function) and not _is_type(function) and isinstance(other.value, bool | int | float | complex):
            return function
    return None


def _is_type(operand: Operand) -> bool:
    return isinstance(operand, Static) and isinstance(operand.value, type)


def _name(operand: Operand) -> str:
    match operand:
        case Static(value=value):
            name = str(getattr(value, "__name__", type(value).__name__))
            package, _, module = str(getattr(value, "__module__", "")).partition("simt.cuda_std.")
            public = [part for part in module.split(".") if not part.startswith("_")]
            return name if package or not module else ".".join([*public, name])
        case Closure(function=function):
            return function.name
        case Method(function=function):
            return function.__name__
        case ArrayMember(name=name):
            return name
        case _:
            return "f"


def _parameters(operand: Operand) -> list[str]:
    """The parameters without a default, ``...`` for any number and for what has no names."""
    match operand:
        case Closure(function=function):
            return [parameter.name for parameter in function.parameters if parameter.default is None]
        case Method(function=function):
            return _required(function)[1:]
        case Static(value=value):
            return _required(value)
        case _:
            return ["..."] if _name(operand) == "has" else []


def _required(function: object) -> list[str]:
    if isinstance(function, type):
        return ["..."]
    try:
        parameters = inspect.signature(function).parameters.values() if callable(function) else ()
    except (TypeError, ValueError):  # a builtin without a signature
        return ["..."]
    needed = [parameter for parameter in parameters if parameter.default is inspect.Parameter.empty]
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return ["..." if parameter.kind in optional else parameter.name for parameter in needed]
