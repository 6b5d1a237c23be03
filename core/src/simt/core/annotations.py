"""What a user writes in a kernel's signature: array annotations, dimensions, compile-time values.

Type checkers see array annotations as "our view or any DLPack array", so that kernels index them and launches accept
NumPy, torch, CuPy and JAX arrays. At run time ``In[f32, D2]`` is an ``ArrayAnnotation``.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeAlias, cast

from simt.core.types import Access, ImageKind

if TYPE_CHECKING:
    from typing_extensions import TypeVar


class D1:
    """One axis; the default."""

    ndim = 1


class D2:
    """Two axes: ``array[row, column]``."""

    ndim = 2


class D3:
    """Three axes: ``array[plane, row, column]``."""

    ndim = 3


class Contiguous:
    """C-contiguous memory; the default."""


class Strided:
    """Any strides, passed along at the launch: ``In[f32, D2, Strided]``."""


@dataclass(frozen=True, slots=True, repr=False)
class ArrayAnnotation:
    """``access[element, dimensions, layout]``. ``element`` is a scalar, struct or vector class, or a TypeVar."""

    access: Access
    element: object
    ndim: int
    strided: bool

    def __call__(self) -> None:
        """Present because ``typing`` accepts only callables as type arguments."""
        raise TypeError(f"{self} is an annotation, not a constructor")

    def __str__(self) -> str:
        parts = [_name(self.element)]
        if self.ndim != 1 or self.strided:
            parts.append(f"D{self.ndim}")
        if self.strided:
            parts.append("Strided")
        return f"{self.access}[{', '.join(parts)}]"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, repr=False)
class PointerAnnotation:
    """``Ptr[element]``: a raw address in global memory, unchecked but for alignment."""

    element: object

    def __call__(self) -> None:
        raise TypeError(f"{self} is an annotation, not a constructor")

    def __repr__(self) -> str:
        return f"Ptr[{_name(self.element)}]"


@dataclass(frozen=True, slots=True, repr=False)
class ImageAnnotation:
    """``kind[element, dimensions]``. ``element`` is what a read gives: a scalar or vector class, or a TypeVar.

    ``ndim`` is None for ``kind[element, Any]``, which device functions may declare.
    """

    kind: ImageKind
    element: object
    ndim: int | None

    def __call__(self) -> None:
        raise TypeError(f"{self} is an annotation, not a constructor")

    def __repr__(self) -> str:
        return f"{self.kind}[{_name(self.element)}{_dimensions(self.ndim)}]"


@dataclass(frozen=True, slots=True, repr=False)
class ConstAnnotation:
    """``Const[T]``: the launch's value is part of the compiled code. ``type`` is what the value must be."""

    type: object

    def __call__(self) -> None:
        raise TypeError(f"{self} is an annotation, not a constructor")

    def __repr__(self) -> str:
        return f"Const[{_name(self.type)}]"


def _dimensions(ndim: int | None) -> str:
    return ", Any" if ndim is None else "" if ndim == 1 else f", D{ndim}"


def _name(annotation: object) -> str:
    """A class or type variable by its name, anything else as it shows itself."""
    return cast("str", getattr(annotation, "__name__", str(annotation)))


if TYPE_CHECKING:
    T = TypeVar("T")
    D = TypeVar("D", default=D1)
    L = TypeVar("L", default=Contiguous)

    class HostArray(Protocol):
        """What any array library passes at a launch. The members kernels use are Any: the compiler checks those."""

        def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
        def __getitem__(self, index: Any, /) -> Any: ...
        def __setitem__(self, index: Any, value: Any, /) -> None: ...
        @property
        def shape(self) -> Any: ...
        @property
        def size(self) -> Any: ...
        @property
        def dtype(self) -> Any: ...

    class View(Generic[T, D, L]):
        """A read-only array inside a kernel."""

        def __getitem__(self, index: int | tuple[int, ...], /) -> T: ...
        def __iter__(self) -> Iterator[T]: ...
        @property
        def size(self) -> int: ...
        @property
        def shape(self) -> tuple[int, ...]: ...
        @property
        def dtype(self) -> type[T]: ...

    class MutableView(View[T, D, L]):
        """A writable array inside a kernel."""

        def __setitem__(self, index: int | tuple[int, ...], value: T, /) -> None: ...

    In: TypeAlias = View[T, D, L] | HostArray
    Out: TypeAlias = MutableView[T, D, L] | HostArray
    InOut: TypeAlias = MutableView[T, D, L] | HostArray
    DisjointOut: TypeAlias = MutableView[T, D, L] | HostArray

    class Ptr(Generic[T]):
        """A raw address inside a kernel."""

        def __getitem__(self, index: int, /) -> T: ...
        def __setitem__(self, index: int, value: T, /) -> None: ...
        def __add__(self, count: int, /) -> Ptr[T]: ...

    class HostTexture(Protocol):
        """What ``device.texture`` makes."""

        @property
        def filter(self) -> str: ...
        @property
        def shape(self) -> tuple[int, ...]: ...

    class HostSurface(Protocol):
        """What ``device.surface`` makes."""

        def numpy(self) -> Any: ...
        def copy_from(self, source: Any) -> None: ...
        @property
        def channels(self) -> int: ...

    class TextureView(Generic[T, D]):
        """A texture inside a kernel."""

        @property
        def ndim(self) -> int: ...
        @property
        def channels(self) -> int: ...
        @property
        def dtype(self) -> type[T]: ...
        @property
        def channel_dtype(self) -> Any: ...  # Any: the scalar of one channel

    class SurfaceView(Generic[T, D]):
        """A surface inside a kernel."""

        @property
        def ndim(self) -> int: ...
        @property
        def channels(self) -> int: ...
        @property
        def dtype(self) -> type[T]: ...
        @property
        def channel_dtype(self) -> Any: ...  # Any: the scalar of one channel

    Texture: TypeAlias = TextureView[T, D] | HostTexture
    Surface: TypeAlias = SurfaceView[T, D] | HostSurface

    Const: TypeAlias = Annotated[T, "compile-time"]
else:

    class _ArrayForm:
        """Base of the array annotations: subscription gives an ``ArrayAnnotation``."""

        access: Access

        def __class_getitem__(cls, arguments):
            if not isinstance(arguments, tuple):
                arguments = (arguments,)
            if not 1 <= len(arguments) <= 3:
                raise TypeError(f"{cls.__name__}[...] takes an element type, D1, D2 or D3, and Strided: {arguments}")
            element, dimensions, layout = (*arguments, D1, Contiguous)[0], D1, Contiguous
            if len(arguments) > 1:
                dimensions = arguments[1]
            if len(arguments) > 2:
                layout = arguments[2]
            if dimensions is Strided or dimensions is Contiguous:
                dimensions, layout = D1, dimensions
            if dimensions not in (D1, D2, D3):
                raise TypeError(f"{cls.__name__}[...]: the second argument is D1, D2 or D3, not {dimensions!r}")
            if layout not in (Contiguous, Strided):
                raise TypeError(f"{cls.__name__}[...]: the third argument is Strided or Contiguous, not {layout!r}")
            return ArrayAnnotation(cls.access, element, dimensions.ndim, layout is Strided)

    class In(_ArrayForm):
        """Read-only; never aliased by an output; loads may go through the read-only cache."""

        access = Access.IN

    class Out(_ArrayForm):
        """Written; aliased by no other argument."""

        access = Access.OUT

    class InOut(_ArrayForm):
        """Read and written; aliased by no other argument."""

        access = Access.INOUT

    class DisjointOut(_ArrayForm):
        """Written by each thread at its own index only, so free of races by construction."""

        access = Access.DISJOINT_OUT

    class _ImageForm:
        """Base of the image annotations: subscription gives an ``ImageAnnotation``."""

        kind: ImageKind

        def __class_getitem__(cls, arguments):
            element, dimensions = (*arguments, D1)[:2] if isinstance(arguments, tuple) else (arguments, D1)
            if isinstance(arguments, tuple) and len(arguments) > 2:
                raise TypeError(f"{cls.__name__}[...] takes an element type and D1, D2 or D3: {arguments}")
            if dimensions is Any:
                return ImageAnnotation(cls.kind, element, None)
            if dimensions not in (D1, D2, D3):
                raise TypeError(f"{cls.__name__}[...]: the second argument is D1, D2 or D3, not {dimensions!r}")
            return ImageAnnotation(cls.kind, element, dimensions.ndim)

    class Texture(_ImageForm):
        """``Texture[f32, D2]``: read by coordinates with ``cuda_std.texture``; a read gives the element type."""

        kind = ImageKind.TEXTURE

    class Surface(_ImageForm):
        """``Surface[f32, D2]``: texels read and written with ``cuda_std.surface``."""

        kind = ImageKind.SURFACE

    class Ptr:
        """``Ptr[T]``: a raw global address."""

        def __class_getitem__(cls, element):
            return PointerAnnotation(element)

    class Const:
        """``Const[T]``: a compile-time value."""

        def __class_getitem__(cls, type):
            return ConstAnnotation(type)
