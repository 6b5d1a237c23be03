"""The oracle: a kernel's own Python run on the host, thread by thread.

``run_reference(saxpy, 4, 256, (2.0, x, y, out))`` does what a launch does, slowly and without a compiler: elements
and scalar parameters are typed values that follow the number rules, collectives meet, out-of-bounds indices raise
``IndexError``, failed assertions ``AssertionError``, waiting in vain ``HostDeadlockError``.
"""
from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeVar, cast, get_args, get_origin

import numpy as np

from simt.core.annotations import ArrayAnnotation, ConstAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.declaration import Declaration
from simt.core.errors import Index3
from simt.core.frontend.names import annotations_of
from simt.core.intrinsics.host_pointer import HostPointer, host_address
from simt.core.intrinsics.thread_context import current_thread
from simt.core.runtime.image import HostImage
from simt.core.testing.host_array import Buffer, HostArray, block_memory
from simt.core.testing.host_image import HostImageView, pointer_at
from simt.core.testing.host_meaning import HostMeaning
from simt.core.testing.host_threads import HostBlock
from simt.core.types import PointerType, Type
from simt.core.types.layout import align_up, size_of
from simt.core.types.scalar import U64
from simt.core.values.annotation_type import image_type, type_of_annotation
from simt.core.values.memory import payload_of_bytes, scalar_bytes
from simt.core.values.numpy_types import scalar_type_of_dtype
from simt.core.values.operators import holding, operand_of
from simt.core.values.stored import stored

Dimensions = int | Sequence[int]
_DYNAMIC_ALIGNMENT = 16


class ReferenceFault(Exception):
    """``fault(message)`` was reached."""


def run_reference(
    kernel: object, grid: Dimensions, block: Dimensions, args: Sequence[object], shared_bytes: int = 0,
) -> None:
    """Run ``kernel``, a kernel or its Python function, on the host; arrays in ``args`` are NumPy's, changed in place.

    Raises:
        TypeError: the kernel breaks a rule of the language on the way.
        IndexError: an index is out of bounds.
        HostDeadlockError: threads wait in vain.
    """
    python = _python_function(kernel)
    declaration = getattr(kernel, "declaration", None)
    annotations = declaration.annotations if isinstance(declaration, Declaration) else annotations_of(python)
    run = _Run(shared_bytes)
    rebuilt = run.meaning.function(python)
    values = _arguments(python, annotations, tuple(args))
    grid_dim, block_dim = _index3(grid), _index3(block)
    for z, y, x in itertools.product(range(grid_dim.z), range(grid_dim.y), range(grid_dim.x)):
        run.start_block(rebuilt.__code__)
        HostBlock(Index3(x, y, z), block_dim, grid_dim, lambda: rebuilt(*_copies(values))).run()


class _Run:
    """What the language forms need: the present block's shared memory."""

    def __init__(self, shared_bytes: int) -> None:
        self._shared_bytes = shared_bytes
        self._kernel: CodeType | None = None
        self._static: dict[object, HostArray] = {}
        self._dynamic = np.zeros(0, np.uint8)
        self._offsets: dict[Index3, int] = {}
        self.meaning = HostMeaning({
            "shared_array": self._shared_array, "local_array": self._local_array,
            "dynamic_shared": self._dynamic_shared, "address_of": host_address, "bitcast": _bitcast, "fault": _fault,
        })

    def start_block(self, kernel: CodeType) -> None:
        self._kernel = kernel
        self._static.clear()
        self._offsets.clear()
        self._dynamic = np.full(self._shared_bytes, 0xCD, np.uint8)

    def _shared_array(self, dtype: object, shape: int | tuple[int, ...], alignment: int = 0) -> HostArray:
        """One array a call site, reached through whichever device functions; the same for all threads."""
        frame = inspect.currentframe()
        site = self._site(None if frame is None else frame.f_back)
        if site not in self._static:
            self._static[site] = block_memory(_element(dtype), _shape(shape), "shared array")
        return self._static[site]

    def _local_array(self, dtype: object, shape: int | tuple[int, ...], alignment: int = 0) -> HostArray:
        return block_memory(_element(dtype), _shape(shape), "local array")

    def _dynamic_shared(self, dtype: object, count: int) -> HostArray:
        element, thread = _element(dtype), current_thread().thread_idx
        start = self._offsets.get(thread, 0)
        end = start + int(count) * size_of(element)
        self._offsets[thread] = align_up(end, _DYNAMIC_ALIGNMENT)
        if end > self._shared_bytes:
            raise IndexError(f"dynamic shared memory: bytes {start} to {end} of {self._shared_bytes}")
        data = self._dynamic[start:end].view(np.dtype((np.void, size_of(element))))
        return HostArray(data, element, "dynamic shared array", writable=True)

    def _site(self, frame: FrameType | None) -> object:
        places: list[tuple[CodeType, int]] = []
        while frame is not None:
            places.append((frame.f_code, frame.f_lasti))
            if frame.f_code is self._kernel:
                break
            frame = frame.f_back
        return tuple(places)


def _python_function(kernel: object) -> FunctionType:
    found: object = kernel if isinstance(kernel, FunctionType) else getattr(kernel, "function", None)
    if not isinstance(found, FunctionType):
        raise TypeError(f"{kernel!r} is neither a kernel nor a Python function")
    return found


def _arguments(python: FunctionType, hints: Mapping[str, object], args: tuple[object, ...]) -> tuple[object, ...]:
    given = inspect.signature(python).bind(*args)
    given.apply_defaults()
    bound: dict[TypeVar, Type] = {}
    ordered = sorted(given.arguments, key=lambda name: isinstance(hints.get(name), TypeVar))  # arrays bind first
    values = {name: _argument(given.arguments[name], hints.get(name), bound, name) for name in ordered}
    return tuple(values[name] for name in given.arguments)


def _argument(value: object, annotation: object, bound: dict[TypeVar, Type], name: str) -> object:
    if isinstance(annotation, ArrayAnnotation | PointerAnnotation):
        array = np.asarray(value)
        element = _array_element(annotation.element, array, bound)
        writable = isinstance(annotation, PointerAnnotation) or annotation.access.writable
        view = HostArray(array, element, name, writable=writable)
        return HostPointer(cast("Any", view), (0,) * array.ndim) if isinstance(annotation, PointerAnnotation) else view
    if isinstance(annotation, ImageAnnotation):
        return _image(value, annotation, bound, name)
    if get_origin(annotation) is tuple and isinstance(value, tuple):
        parts = zip(cast("tuple[object, ...]", value), get_args(annotation), strict=True)
        return tuple(_argument(part, kind, bound, name) for part, kind in parts)
    if isinstance(annotation, ConstAnnotation) or annotation is None:
        return value
    if isinstance(annotation, TypeVar):
        operand = operand_of(value)
        kind = bound.get(annotation) or (operand.type if operand else None)
        return value if kind is None else stored(value, kind, f"parameter {name}")
    return stored(value, type_of_annotation(annotation), f"parameter {name}")


def _image(value: object, annotation: ImageAnnotation, bound: dict[TypeVar, Type], name: str) -> HostImageView:
    if not isinstance(value, HostImage):
        raise TypeError(f"{name} takes what CpuDevice.{annotation.kind.lower()} makes, not {type(value).__name__}")
    element = annotation.element
    if isinstance(element, TypeVar):
        kind = bound.setdefault(element, value.type.element)
    else:
        kind = type_of_annotation(element)
    return HostImageView(value, image_type(annotation.kind, kind, annotation.ndim or value.ndim), name)


def _array_element(annotation: object, array: Buffer, bound: dict[TypeVar, Type]) -> Type:
    if not isinstance(annotation, TypeVar):
        return type_of_annotation(annotation)
    if annotation not in bound:
        scalar = scalar_type_of_dtype(array.dtype)
        if scalar is None:
            raise TypeError(f"{annotation} cannot be {array.dtype}")
        bound[annotation] = scalar
    return bound[annotation]


def _copies(values: tuple[object, ...]) -> list[object]:
    """Structs are passed by value, so that no thread sees another's changes."""
    return [cast("Any", value).copy() if hasattr(type(value), "struct_type") else value for value in values]


def _bitcast(value: object, dtype: object) -> object:
    target = type_of_annotation(dtype)
    if isinstance(value, HostImageView) and target == U64:
        return holding(value.handle, U64)
    operand = operand_of(value)
    if isinstance(target, PointerType) and operand is not None and operand.type == U64:
        return pointer_at(int(operand.payload.real), target.element)
    source = None if operand is None else operand.type
    if operand is None or source is None or size_of(source) != size_of(target):
        raise TypeError(f"cannot see the bits of {value!r} as {target}")
    scalar = cast("Any", target)  # Any: a scalar type, since its size is a scalar's
    return holding(payload_of_bytes(scalar_bytes(operand.payload, source), scalar), scalar)


def _fault(message: str) -> None:
    raise ReferenceFault(message)


def _element(dtype: object) -> Type:
    if isinstance(dtype, Callable) and not isinstance(dtype, type):
        raise TypeError(f"{dtype!r} is no element type")
    return type_of_annotation(dtype)


def _shape(shape: int | tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(extent) for extent in shape) if isinstance(shape, tuple) else (int(shape),)


def _index3(dimensions: Dimensions) -> Index3:
    sizes = (dimensions,) if isinstance(dimensions, int) else tuple(dimensions)
    return Index3(*(*sizes, 1, 1)[:3])
