"""From the arguments of a launch to the ``Signature`` a kernel is compiled for, and the argument record's leaves.

Array and typed scalar arguments bind TypeVars first; plain Python numbers take what is bound, or a literal's default.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np

from simt.core.check.signature import Constant, Signature
from simt.core.constant_key import constant_key
from simt.core.errors import LaunchError
from simt.core.runtime.aliasing import check_aliases
from simt.core.runtime.argument import Arguments, add_argument, array_memory, describe_dtype, host_image
from simt.core.runtime.dtypes import dtype_of
from simt.core.runtime.memory import Located, Memory
from simt.core.runtime.packing import Leaf
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
    variables_of,
)
from simt.core.runtime.place import common_place
from simt.core.runtime.scalar_argument import scalar_payload, scalar_type_of, typed_number
from simt.core.types import ScalarType, Type
from simt.core.values.annotation_type import declared_type
from simt.core.values.numpy_types import scalar_type_of_dtype
from simt.core.values.stored import CLASS_OF_STRUCT

SMALL = 1 << 30  # elements and threads below which indices fit 32 bits with room for a product of two coordinates


@dataclass(frozen=True, slots=True)
class Bound:
    """The arguments of one launch, checked. ``key`` tells specialisations apart exactly (1, 1.0 and True differ).

    ``place`` is where the arrays say that it runs, see ``runtime.place``; ``located`` the memory it reaches.
    """

    signature: Signature
    key: object
    leaves: list[Leaf]
    place: int | None = None
    located: tuple[Located, ...] = ()


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
    small = threads < SMALL and all(_is_small(array.memory) for array in packed.arrays)
    signature = Signature(tuple(types), small)
    place = common_place(packed.located)
    return Bound(signature, signature_key(signature), packed.leaves, place, tuple(packed.located))


def _is_small(memory: Memory) -> bool:
    """Whether elements and extents are few; an array without elements may have a large extent."""
    return memory.size < SMALL and all(extent < SMALL for extent in memory.shape)


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
        case ImagePattern(kind=kind, element=element):
            if isinstance(element, TypeVar):
                _bind(element, host_image(name, value, kind).type.element, name, bound)
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
