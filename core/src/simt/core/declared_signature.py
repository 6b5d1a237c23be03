"""Signatures without arguments: what a kernel's annotations, or those given to ``compile``, say."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar, cast

from simt.core.check.signature import Constant, Signature
from simt.core.errors import LaunchError
from simt.core.runtime.pattern import (
    ArrayPattern,
    ConstantPattern,
    ImagePattern,
    Parameter,
    Pattern,
    PointerPattern,
    TuplePattern,
    ValuePattern,
    VariablePattern,
    allowed_types,
    concrete_type,
    pattern_of,
    variables_of,
)
from simt.core.specialize import constant_of
from simt.core.types import Type


def signature_of(kernel: str, parameters: tuple[Parameter, ...], given: object) -> Signature:
    """The signature that annotations name: the kernel's own, or ``given``, one annotation or constant a parameter.

    Raises:
        LaunchError: a TypeVar or compile-time value is left open, or ``given`` does not fit.
    """
    wanted = f"signature=({''.join(f'{_example(parameter)}, ' for parameter in parameters).rstrip()})"
    if given is None:
        open_names = [parameter.name for parameter in parameters if _is_open(parameter.pattern)]
        if open_names:
            raise LaunchError(
                f"{kernel} is compiled for the types or values of {', '.join(open_names)}: pass example arguments, or "
                f"{wanted}", argument=open_names[0],
            )
        given = tuple(parameter.annotation for parameter in parameters)
    if not isinstance(given, tuple | list):
        raise LaunchError(f"signature {given!r} is no tuple; write {wanted}", argument="signature")
    entries = tuple(cast("Iterable[object]", given))
    if len(entries) != len(parameters):
        raise LaunchError(
            f"{kernel} has {len(parameters)} parameters, the signature {len(entries)} entries; write {wanted}",
            argument="signature",
        )
    return Signature(tuple(_given(parameter, entry) for parameter, entry in zip(parameters, entries, strict=True)))


def _given(parameter: Parameter, entry: object) -> Type | Constant:
    if isinstance(parameter.pattern, ConstantPattern):
        return constant_of(parameter, entry)
    try:
        pattern = pattern_of(entry)
    except TypeError as error:
        raise LaunchError(f"signature of {parameter.name}: {error}", argument=parameter.name) from None
    if _is_open(pattern):
        raise LaunchError(f"signature of {parameter.name}: {entry} is not one type", argument=parameter.name)
    type = concrete_type(pattern, {})
    assert type is not None
    if not _admits(parameter.pattern, pattern):
        message = f"signature of {parameter.name}: {type} given, {parameter.annotation} declared"
        raise LaunchError(message, argument=parameter.name)
    return type


def _admits(declared: Pattern, given: Pattern) -> bool:
    """Whether ``given`` is ``declared`` with its TypeVars replaced."""
    match declared, given:
        case VariablePattern(variable), ValuePattern(type):
            return not allowed_types(variable) or type in allowed_types(variable)
        case ArrayPattern(element=TypeVar() as variable), ArrayPattern(element=element):
            fits = not allowed_types(variable) or element in allowed_types(variable)
            return fits and replace(declared, element=element) == given
        case PointerPattern(element=TypeVar() as variable), PointerPattern(element=element):
            return not allowed_types(variable) or element in allowed_types(variable)
        case ImagePattern(element=TypeVar() as variable), ImagePattern(element=element):
            fits = not allowed_types(variable) or element in allowed_types(variable)
            return fits and replace(declared, element=element) == given
        case TuplePattern(expected), TuplePattern(found):
            return len(expected) == len(found) and all(map(_admits, expected, found))
        case _:
            return declared == given


def _is_open(pattern: Pattern) -> bool:
    return isinstance(pattern, ConstantPattern) or bool(variables_of(pattern))


def _example(parameter: Parameter) -> str:
    """An entry for ``signature=``: the annotation, with a TypeVar's first constraint in its place."""
    match parameter.pattern:
        case ConstantPattern():
            return f"<value of {parameter.name}>"
        case VariablePattern(variable):
            return str(next(iter(allowed_types(variable)), "f32"))
        case ArrayPattern(access, TypeVar() as variable, ndim, strided):
            element = next(iter(allowed_types(variable)), "f32")
            return f"{access}[{element}{f', D{ndim}' if ndim > 1 else ''}{', Strided' if strided else ''}]"
        case ImagePattern(kind, TypeVar() as variable, ndim):
            return f"{kind}[{next(iter(allowed_types(variable)), 'f32')}{f', D{ndim}' if ndim > 1 else ''}]"
        case PointerPattern(TypeVar() as variable):
            return f"Ptr[{next(iter(allowed_types(variable)), 'f32')}]"
        case _:
            annotation = parameter.annotation
            return getattr(annotation, "__name__", str(annotation))
