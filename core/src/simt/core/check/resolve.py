"""Annotations to types."""
from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, Union, cast, get_args, get_origin

from simt.core.annotations import ArrayAnnotation, ConstAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.check.classes import type_of_class
from simt.core.check.state import State
from simt.core.diagnostics.span import Span
from simt.core.intrinsics.lanes import Lanes
from simt.core.types import ArrayType, ImageKind, PointerType, TupleType, Type
from simt.core.values.annotation_type import image_type


def resolve_annotation(
    state: State, annotation: object, bound: Mapping[str, Type], span: Span, *, quiet: bool = False,
) -> Type | None:
    """The type that an annotation names, type variables replaced by what they are bound to.

    None where it names no type of a value: ``Callable``, ``object``, an unbound variable (each without a report), or
    something else (reported unless ``quiet``).
    """
    match annotation:
        case TypeVar():
            return bound.get(annotation.__name__)
        case ArrayAnnotation(access=access, element=element, ndim=ndim, strided=strided):
            inner = resolve_annotation(state, element, bound, span, quiet=quiet)
            return None if inner is None else ArrayType(inner, (None,) * ndim, access, strided=strided)
        case PointerAnnotation(element=element):
            inner = resolve_annotation(state, element, bound, span, quiet=quiet)
            return None if inner is None else PointerType(inner)
        case ImageAnnotation(kind=kind, element=element, ndim=ndim):
            inner = resolve_annotation(state, element, bound, span, quiet=quiet)
            return None if inner is None or ndim is None else _image(state, kind, inner, ndim, span)
        case ConstAnnotation(type=inner):
            return resolve_annotation(state, inner, bound, span, quiet=quiet)
        case _:
            pass
    found = type_of_class(annotation)
    if found is not None:
        return found
    origin = get_origin(annotation)
    if origin is tuple:
        parts = [resolve_annotation(state, part, bound, span, quiet=quiet) for part in get_args(annotation)]
        return None if None in parts else TupleType(tuple(part for part in parts if part is not None))
    if not quiet and not is_open(annotation):
        state.error(
            "bad-annotation", f"`{describe(annotation)}` is not the type of a kernel value", span, "annotated here",
            help="use f32, i32, a struct class, tuple[...], In[...], Out[...], InOut[...], Ptr[...], Texture[...], "
            "Surface[...], Callable[...]",
        )
    return None


def _image(state: State, kind: ImageKind, element: Type, ndim: int, span: Span) -> Type | None:
    try:
        return image_type(kind, element, ndim)
    except TypeError as error:
        state.error("bad-annotation", str(error), span, "annotated here")
        return None


def is_open(annotation: object) -> bool:
    """Whether an annotation leaves the type to the call: Python's own number types say a kind, not a width."""
    origin = get_origin(annotation)
    return (
        annotation in (object, None, type(None), types.FunctionType, Callable, type, range, int, float, complex, Any)
        or origin in (Callable, type, Lanes, Union)
        or isinstance(annotation, TypeVar | types.UnionType | str)
    )


def describe(annotation: object) -> str:
    """How a message names an annotation."""
    return cast("str", getattr(annotation, "__name__", str(annotation)))
