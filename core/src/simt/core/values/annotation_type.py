"""From what a user writes in an annotation to the type it names."""
from __future__ import annotations

from types import GenericAlias
from typing import Any, get_args, get_origin

from simt.core.annotations import ArrayAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.types import (
    ArrayType,
    ImageKind,
    ImageType,
    PointerType,
    ScalarType,
    StructType,
    TupleType,
    Type,
    VectorType,
)
from simt.core.types.image import SURFACE_CHANNELS, TEXTURE_CHANNELS, is_image_element
from simt.core.types.scalar import BOOL

_INSTEAD = {int: "i32 or i64", float: "f32 or f64", complex: "c64 or c128"}


def type_of_annotation(annotation: object) -> Type:
    """The type that a scalar, struct or vector class, ``bool``, ``tuple[...]``, ``In[...]`` or ``Ptr[...]`` names.

    Raises:
        TypeError: the annotation names no type of kernel values; the message says what to write.
    """
    if annotation is bool:
        return BOOL
    named = declared_type(annotation)
    if named is not None:
        return named
    if isinstance(annotation, ArrayAnnotation):
        element = type_of_annotation(annotation.element)
        return ArrayType(element, (None,) * annotation.ndim, annotation.access, strided=annotation.strided)
    if isinstance(annotation, PointerAnnotation):
        return PointerType(type_of_annotation(annotation.element))
    if isinstance(annotation, ImageAnnotation) and annotation.ndim is not None:
        return image_type(annotation.kind, type_of_annotation(annotation.element), annotation.ndim)
    if get_origin(annotation) is tuple:
        elements = get_args(annotation)
        if not elements or ... in elements:
            raise TypeError(f"{annotation} has no fixed length; write every element, as in tuple[f32, f32]")
        return TupleType(tuple(type_of_annotation(element) for element in elements))
    if isinstance(annotation, type) and annotation in _INSTEAD and not isinstance(annotation, GenericAlias):
        raise TypeError(f"{annotation.__name__} has no fixed width; write {_INSTEAD[annotation]}")
    name = getattr(annotation, "__name__", repr(annotation))
    raise TypeError(
        f"{name} is no type of kernel values; write a scalar such as f32, a @struct class, a vector such as f32x4, "
        "tuple[...], In[...], Out[...], Ptr[...], Texture[...] or Surface[...]"
    )


def image_type(kind: ImageKind, element: Type, ndim: int) -> ImageType:
    """The type of images whose reads give ``element``.

    Raises:
        TypeError: no image of that kind holds such elements; the message says which do.
    """
    if is_image_element(kind, element) and isinstance(element, ScalarType | VectorType):
        return ImageType(kind, element, ndim)
    channels = TEXTURE_CHANNELS if kind is ImageKind.TEXTURE else SURFACE_CHANNELS
    f16 = "; f16 texels are read as f32" if kind is ImageKind.TEXTURE else ""
    raise TypeError(
        f"{kind}[{element}]: the element is one of {', '.join(map(str, channels))}, or a vector of 2 or 4 of them such "
        f"as f32x4{f16}"
    )


def declared_type(value: object) -> ScalarType | StructType | VectorType | None:
    """The type that a scalar, struct or vector class declares, or None."""
    if isinstance(value, type):
        for attribute in ("scalar_type", "struct_type", "vector_type"):
            found: Any = getattr(value, attribute, None)  # Any: another library's class may use the name
            if isinstance(found, ScalarType | StructType | VectorType):
                return found
    return None
