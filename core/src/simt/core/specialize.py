"""From the arguments of a launch to the ``Signature`` a kernel is compiled for, and the argument record's leaves.

Array and typed scalar arguments bind TypeVars first; plain Python numbers take what is bound, or a literal's default.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from types import CellType, FunctionType
from typing import TypeVar, cast

import numpy as np

from simt.core.check.signature import Constant, Signature
from simt.core.errors import LaunchError
from simt.core.runtime.aliasing import check_aliases
from simt.core.runtime.argument import Arguments, add_argument, array_memory, describe_dtype
from simt.core.runtime.dtypes import dtype_of
from simt.core.runtime.packing import Leaf
from simt.core.runtime.pattern import (
    ArrayPattern,
    ConstantPattern,
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
from simt.core.runtime.scalar_argument import scalar_payload, scalar_type_of, typed_number
from simt.core.types import ScalarType, Type
from simt.core.values.annotation_type import declared_type
from simt.core.values.numpy_types import scalar_type_of_dtype
from simt.core.values.stored import CLASS_OF_STRUCT

SMALL = 1 << 30  # elements and threads below which indices fit 32 bits with room for a product of two coordinates


@dataclass(frozen=True, slots=True)
class Bound:
    """The arguments of one launch, checked. ``key`` tells specialisations apart exactly (1, 1.0 and True differ)."""

    signature: Signature
    key: object
    leaves: list[Leaf]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a TypeVar stands for, and the argument that says so."""

    type: Type
    argument: str


def bind(parameters: tuple[Parameter, ...], arguments: tuple[object, ...], threads: int) -> Bound:
    """Check ``arguments``, one for each parameter, for a grid of ``threads`` threads in all.

    Raises:
        LaunchError: an argument does not fit its parameter; the message names it.
    """
    variables = _bind_variables(parameters, arguments)
    packed = Arguments()
    types: list[Type | Constant] = []
    for parameter, value in zip(parameters, arguments, strict=True):
        type = concrete_type(parameter.pattern, variables)
        if type is None:
            types.append(constant_of(parameter, value))
        else:
            add_argument(packed, parameter.name, value, type)
            types.append(type)
    check_aliases(packed.arrays)
    small = threads < SMALL and all(array.memory.size < SMALL for array in packed.arrays)
    signature = Signature(tuple(types), small)
    return Bound(signature, signature_key(signature), packed.leaves)


def constant_of(parameter: Parameter, value: object) -> Constant:
    """The compile-time value of a ``Const``, ``Callable`` or ``type`` parameter, in the type it declares.

    Raises:
        LaunchError: not a value of the declared type, or one that no code can hold.
    """
    assert isinstance(parameter.pattern, ConstantPattern)
    declared = parameter.pattern.type
    scalar = declared_type(declared)
    if isinstance(scalar, ScalarType):
        return Constant(scalar_payload(value, scalar, parameter.name))
    if isinstance(declared, type) and not isinstance(value, declared):
        raise LaunchError(
            f"argument {parameter.name}: {type(value).__name__} given, {declared.__name__} expected",
            argument=parameter.name,
        )
    kind = type(value).__name__
    if isinstance(value, np.generic | list | dict | set | np.ndarray):
        raise LaunchError(
            f"argument {parameter.name}: a compile-time value is a number, bool, enum member, type, function or tuple "
            f"of those, not {kind}", argument=parameter.name,
        )
    return Constant(value)


def record_types(signature: Signature) -> tuple[Type, ...]:
    """The types in the argument record: those of all parameters that are not compile-time values."""
    return tuple(argument for argument in signature.arguments if not isinstance(argument, Constant))


def signature_key(signature: Signature) -> object:
    """A hashable that is equal only for signatures that give the same code."""
    return signature.small, tuple(
        constant_key(argument.value) if isinstance(argument, Constant) else argument for argument in signature.arguments
    )


def constant_key(value: object) -> object:
    """A hashable that tells compile-time values apart: by type, floats by bits, functions by code and captures."""
    match value:
        case float():
            return float, value.hex()
        case complex():
            return complex, value.real.hex(), value.imag.hex()
        case tuple():
            return tuple, tuple(constant_key(item) for item in cast("tuple[object, ...]", value))
        case FunctionType():
            captured = tuple(_cell_key(cell) for cell in value.__closure__ or ())
            return FunctionType, value.__code__, id(value.__globals__), captured, constant_key(value.__defaults__)
        case _:
            return _hashable(value)


def _cell_key(cell: CellType) -> object:
    try:
        return constant_key(cell.cell_contents)
    except ValueError:  # not assigned yet
        return None


def _hashable(value: object) -> object:
    try:
        hash(value)
    except TypeError:
        return type(value), id(value)
    return type(value), value


# ---- TypeVars


def _bind_variables(parameters: tuple[Parameter, ...], arguments: tuple[object, ...]) -> dict[TypeVar, Type]:
    bound: dict[TypeVar, Binding] = {}
    weak: list[tuple[TypeVar, str, object]] = []
    for parameter, value in zip(parameters, arguments, strict=True):
        if variables_of(parameter.pattern):
            _collect(parameter.pattern, parameter.name, value, bound, weak)
    for variable, name, value in weak:
        if variable not in bound:
            payload, source = typed_number(value, name, f"a number for {variable.__name__}")
            _bind(variable, _weak_type(variable, scalar_type_of(payload, source)), name, bound)
    return {variable: binding.type for variable, binding in bound.items()}


def _collect(
    pattern: Pattern, name: str, value: object, bound: dict[TypeVar, Binding], weak: list[tuple[TypeVar, str, object]]
) -> None:
    match pattern:
        case ArrayPattern(element=element) | PointerPattern(element=element):
            if isinstance(element, TypeVar):
                _bind(element, _element_type(name, value, element), name, bound)
        case VariablePattern(variable=variable):
            declared = declared_type(value.__class__)
            if declared is not None:
                _bind(variable, declared, name, bound)
                return
            _, source = typed_number(value, name, f"a value for {variable.__name__}")
            if source is None:
                weak.append((variable, name, value))
            else:
                _bind(variable, source, name, bound)
        case TuplePattern(elements=elements):
            if isinstance(value, tuple):
                for index, (element, part) in enumerate(zip(elements, cast("tuple[object, ...]", value), strict=False)):
                    _collect(element, f"{name}[{index}]", part, bound, weak)
        case ValuePattern() | ConstantPattern():
            pass


def _bind(variable: TypeVar, type: Type, name: str, bound: dict[TypeVar, Binding]) -> None:
    allowed = allowed_types(variable)
    if allowed and type not in allowed:
        names = ", ".join(map(str, allowed))
        raise LaunchError(
            f"argument {name}: {type} given, {variable.__name__} is one of {names}", argument=name,
        )
    first = bound.setdefault(variable, Binding(type, name))
    if first.type != type:
        raise LaunchError(
            f"argument {name}: {variable.__name__} is {first.type} by argument {first.argument}, but {type} here; "
            f"both must have one type", argument=name,
        )


def _weak_type(variable: TypeVar, default: ScalarType) -> Type:
    """A literal's type: its default if the TypeVar admits it, else the first scalar of the default's kind."""
    allowed = allowed_types(variable)
    if not allowed or default in allowed:
        return default
    same = (t for t in allowed if isinstance(t, ScalarType) and t.kind is default.kind)
    return next(same, default)


def _element_type(name: str, value: object, variable: TypeVar) -> Type:
    memory = array_memory(name, value)
    scalar = scalar_type_of_dtype(memory.dtype)
    if scalar is not None:
        return scalar
    if memory.dtype.fields is not None:
        for declared in CLASS_OF_STRUCT:
            if dtype_of(declared) == memory.dtype:
                return declared
    raise LaunchError(
        f"argument {name}: elements of dtype {describe_dtype(memory)} have no type of the language, so "
        f"{variable.__name__} cannot stand for it", argument=name,
    )


# ---- signatures without arguments


def signature_of(kernel: str, parameters: tuple[Parameter, ...], given: tuple[object, ...] | None) -> Signature:
    """The signature that annotations name: the kernel's own, or ``given``, one annotation or constant a parameter.

    Raises:
        LaunchError: a TypeVar or compile-time value is left open, or ``given`` does not fit.
    """
    if given is None:
        open_names = [parameter.name for parameter in parameters if _is_open(parameter.pattern)]
        if open_names:
            raise LaunchError(
                f"{kernel} is compiled for the types or values of {', '.join(open_names)}: pass example arguments, or "
                f"signature=({', '.join(_example(parameter) for parameter in parameters)},)", argument=open_names[0],
            )
        given = tuple(parameter.annotation for parameter in parameters)
    if len(given) != len(parameters):
        raise LaunchError(f"{kernel} has {len(parameters)} parameters, the signature {len(given)} entries")
    return Signature(tuple(_given(parameter, entry) for parameter, entry in zip(parameters, given, strict=True)))


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
        case PointerPattern(TypeVar() as variable):
            return f"Ptr[{next(iter(allowed_types(variable)), 'f32')}]"
        case _:
            annotation = parameter.annotation
            return getattr(annotation, "__name__", str(annotation))
