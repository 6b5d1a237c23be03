"""Patterns: what each annotation of a kernel accepts at a launch, prepared once a kernel."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, get_args, get_origin

from simt.core.annotations import ArrayAnnotation, ConstAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.types import Access, ArrayType, ImageKind, PointerType, TupleType, Type
from simt.core.values.annotation_type import image_type, type_of_annotation

Element = Type | TypeVar


@dataclass(frozen=True, slots=True)
class ArrayPattern:
    """``In[T, D2, Strided]`` and its sisters."""

    access: Access
    element: Element
    ndim: int
    strided: bool


@dataclass(frozen=True, slots=True)
class PointerPattern:
    """``Ptr[T]``: an array's first element, or an address."""

    element: Element


@dataclass(frozen=True, slots=True)
class ImagePattern:
    """``Texture[T, D2]`` or ``Surface[T, D2]``."""

    kind: ImageKind
    element: Element
    ndim: int


@dataclass(frozen=True, slots=True)
class ValuePattern:
    """A scalar, struct or vector."""

    type: Type


@dataclass(frozen=True, slots=True)
class VariablePattern:
    """A bare TypeVar: a value of whatever type it is bound to."""

    variable: TypeVar


@dataclass(frozen=True, slots=True)
class TuplePattern:
    """``tuple[A, B]``."""

    elements: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class ConstantPattern:
    """``Const[T]``, ``Callable[...]`` or ``type[T]``: the value becomes part of the code. ``type`` None: anything."""

    type: object


Pattern = (
    ArrayPattern | PointerPattern | ImagePattern | ValuePattern | VariablePattern | TuplePattern | ConstantPattern
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel, with what its annotation accepts."""

    name: str
    pattern: Pattern
    annotation: object


def pattern_of(annotation: object) -> Pattern:
    """The pattern of one annotation.

    Raises:
        TypeError: it names no type of kernel parameters; the message says what to write.
    """
    match annotation:
        case TypeVar():
            return VariablePattern(annotation)
        case ArrayAnnotation():
            return ArrayPattern(annotation.access, _element(annotation.element), annotation.ndim, annotation.strided)
        case PointerAnnotation():
            return PointerPattern(_element(annotation.element))
        case ImageAnnotation(kind=kind, ndim=int() as ndim):
            element = _element(annotation.element)
            if not isinstance(element, TypeVar):
                image_type(kind, element, ndim)  # refuses what no image holds
            return ImagePattern(kind, element, ndim)
        case ConstAnnotation():
            return ConstantPattern(annotation.type)
        case _:
            pass
    origin = get_origin(annotation)
    if origin is Callable or annotation is Callable or origin is type:
        return ConstantPattern(None)
    if origin is tuple and get_args(annotation) and ... not in get_args(annotation):
        return TuplePattern(tuple(pattern_of(element) for element in get_args(annotation)))
    return ValuePattern(type_of_annotation(annotation))


def concrete_type(pattern: Pattern, variables: dict[TypeVar, Type]) -> Type | None:
    """The type of arguments under ``pattern`` once its variables are bound; None for a compile-time value."""
    match pattern:
        case ArrayPattern():
            element = _bound(pattern.element, variables)
            return ArrayType(element, (None,) * pattern.ndim, pattern.access, strided=pattern.strided)
        case PointerPattern():
            return PointerType(_bound(pattern.element, variables))
        case ImagePattern():
            return image_type(pattern.kind, _bound(pattern.element, variables), pattern.ndim)
        case ValuePattern():
            return pattern.type
        case VariablePattern():
            return variables[pattern.variable]
        case TuplePattern():
            elements = [concrete_type(element, variables) for element in pattern.elements]
            return TupleType(tuple(element for element in elements if element is not None))
        case ConstantPattern():
            return None


def variables_of(pattern: Pattern) -> tuple[TypeVar, ...]:
    """The TypeVars in ``pattern``."""
    match pattern:
        case ArrayPattern(element=element) | PointerPattern(element=element) | ImagePattern(element=element):
            return (element,) if isinstance(element, TypeVar) else ()
        case VariablePattern(variable=variable):
            return (variable,)
        case TuplePattern(elements=elements):
            return tuple(variable for element in elements for variable in variables_of(element))
        case ValuePattern() | ConstantPattern():
            return ()


def allowed_types(variable: TypeVar) -> tuple[Type, ...]:
    """The types a constrained TypeVar admits; empty where it admits all."""
    return tuple(type_of_annotation(constraint) for constraint in variable.__constraints__)


def _bound(element: Element, variables: dict[TypeVar, Type]) -> Type:
    return variables[element] if isinstance(element, TypeVar) else element


def _element(annotation: object) -> Element:
    return annotation if isinstance(annotation, TypeVar) else type_of_annotation(annotation)
