"""One argument of known type: checks it and gives its leaves for the argument record."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, assert_never, cast

import numpy as np

from simt.core.errors import LaunchError
from simt.core.runtime.dtypes import dtype_of, numpy_name, same_layout
from simt.core.runtime.image import HostImage
from simt.core.runtime.memory import Located, Memory, memory_of
from simt.core.runtime.packing import Leaf, scalar_leaves
from simt.core.runtime.scalar_argument import scalar_payload
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
from simt.core.types.layout import align_of, size_of
from simt.core.values.annotation_type import declared_type
from simt.core.values.numpy_types import scalar_type_of_dtype


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """An array that takes part in a launch, for the check of aliases."""

    name: str
    memory: Memory
    writes: bool


@dataclass(slots=True)
class Arguments:
    """What the arguments of one launch come to: leaves in order, the memory they reach, and the arrays among them."""

    leaves: list[Leaf] = field(default_factory=list[Leaf])
    located: list[Located] = field(default_factory=list[Located])
    arrays: list[ArrayArgument] = field(default_factory=list[ArrayArgument])


def add_argument(into: Arguments, name: str, value: object, type: Type) -> None:
    """Check ``value`` against ``type`` and append its leaves.

    Raises:
        LaunchError: it does not fit; the message names the argument.
    """
    match type:
        case ScalarType():
            into.leaves += scalar_leaves(scalar_payload(value, type, name), type)
        case ArrayType():
            _add_array(into, name, value, type)
        case PointerType():
            into.leaves.append(_address(into, name, value, type))
        case ImageType():
            _add_image(into, name, value, type)
        case StructType() | VectorType():
            _add_members(into, name, value, type)
        case TupleType():
            parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()
            if not isinstance(value, tuple) or len(parts) != len(type.elements):
                raise _refused(name, cast("object", value), f"a tuple of {len(type.elements)} values expected")
            for index, (part, element) in enumerate(zip(parts, type.elements, strict=True)):
                add_argument(into, f"{name}[{index}]", part, element)
        case _:
            assert_never(type)


def array_memory(name: str, value: object) -> Memory:
    """The memory of an array argument.

    Raises:
        LaunchError: not an array.
    """
    memory = memory_of(value, name)
    if memory is None:
        is_sequence, converts = isinstance(value, list | tuple), hasattr(value, "__array__")
        advice = "write np.asarray(...) with its dtype" if is_sequence or converts else "an array expected"
        raise _refused(name, value, advice)
    return memory


def describe_dtype(memory: Memory) -> str:
    """The dtype in NumPy's words."""
    return "bfloat16" if memory.dtype.names == ("bf16",) else str(memory.dtype)


def _add_array(into: Arguments, name: str, value: object, type: ArrayType) -> None:
    memory = _as_vectors(array_memory(name, value), type)
    _check_element(name, memory, type.element, type.access.writable)
    if len(memory.shape) != type.ndim:
        given, expected = len(memory.shape), type.ndim
        raise LaunchError(
            f"argument {name}: {given}-D array of shape {memory.shape} given, {expected}-D expected"
            + (f"; write {name}.ravel(), or declare it {type.access}[{type.element}, D{given}]"
               if expected == 1 and given in (2, 3) else ""), argument=name,
        )
    if type.access.writable and not memory.writable:
        raise LaunchError(
            f"argument {name}: the array is read-only and the parameter is {type.access}; pass a writable copy",
            argument=name,
        )
    width, writes = size_of(type.element), type.access.writable
    if type.strided:
        if any(stride % width for stride in memory.strides) and memory.size:
            raise LaunchError(
                f"argument {name}: strides {memory.strides} bytes are no multiples of the element's {width} bytes; "
                f"pass np.ascontiguousarray({name})", argument=name,
            )
    elif not memory.is_contiguous():
        advice = "write to a contiguous array and copy from it" if writes else f"pass np.ascontiguousarray({name})"
        raise LaunchError(
            f"argument {name}: the array is not C-contiguous (shape {memory.shape}, strides {memory.strides} bytes); "
            f"declare it {type.access}[{type.element}, D{type.ndim}, Strided], or {advice}", argument=name,
        )
    _check_alignment(name, memory.address if memory.size else 0, type.element)
    into.located.append((name, memory))
    into.arrays.append(ArrayArgument(name, memory, type.access.writable))
    into.leaves.append(memory.address)
    into.leaves += memory.shape
    if type.strided:
        into.leaves += (stride // width if memory.size else 0 for stride in memory.strides)


def _as_vectors(memory: Memory, type: ArrayType) -> Memory:
    """A plain array whose last, contiguous axis has a vector's length is an array of vectors."""
    element = type.element
    if not isinstance(element, VectorType) or element.lanes == 3 or len(memory.shape) != type.ndim + 1:
        return memory
    width = size_of(element.element)
    if scalar_type_of_dtype(memory.dtype) != element.element or memory.shape[-1] != element.lanes:
        return memory
    if memory.strides[-1] != width:
        return memory
    return replace(memory, dtype=dtype_of(element), shape=memory.shape[:-1], strides=memory.strides[:-1])


def _check_element(name: str, memory: Memory, element: Type, writes: bool) -> None:
    if same_layout(memory.dtype, element):
        return
    expected = numpy_name(element)
    # A converted copy would take the results of an output along with it.
    advice = f"make the array with dtype={expected}" if writes else f"write {name}.astype({expected})"
    given = describe_dtype(memory)
    if not memory.dtype.isnative and same_layout(memory.dtype.newbyteorder("="), element):
        given += " in the other byte order"
    elif not isinstance(element, ScalarType):
        named = f"{element}.numpy_dtype, " if isinstance(element, StructType) else ""
        advice = f"its dtype is {named}{dtype_of(element)}"
    raise LaunchError(f"argument {name}: {given} given, {element} expected; {advice}", argument=name)


def _check_alignment(name: str, address: int, element: Type) -> None:
    if address % align_of(element):
        raise LaunchError(
            f"argument {name}: the address {address:#x} is not aligned to the {align_of(element)} bytes of {element}; "
            f"pass a copy", argument=name,
        )


def _address(into: Arguments, name: str, value: object, type: PointerType) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < 1 << 64:
            raise LaunchError(f"argument {name}: {value} is no address", argument=name)
        address = value
    else:
        memory = array_memory(name, value)
        _check_element(name, memory, type.element, writes=True)
        if not memory.writable:
            raise LaunchError(
                f"argument {name}: the array is read-only and the parameter is a Ptr; pass a writable copy",
                argument=name,
            )
        into.located.append((name, memory))
        address = memory.address
    _check_alignment(name, address, type.element)
    return address


def _add_image(into: Arguments, name: str, value: object, type: ImageType) -> None:
    image = host_image(name, value, type.kind)
    if image.type != type:
        raise LaunchError(f"argument {name}: {image.type} given, {type} expected; {_advice(name, image, type)}",
                          argument=name)
    memory = image.memory(name)
    into.located.append((name, memory))
    into.arrays.append(ArrayArgument(name, memory, type.kind is ImageKind.SURFACE))
    into.leaves.append(image.handle)


def host_image(name: str, value: object, kind: ImageKind) -> HostImage:
    """A texture or surface argument.

    Raises:
        LaunchError: not an image.
    """
    if isinstance(value, HostImage):
        return value
    make = f"device.texture({name})" if kind is ImageKind.TEXTURE else f"device.surface({name}.shape, {name}.dtype)"
    raise _refused(name, value, f"a {kind.lower()} expected; make one: {make}")


def _advice(name: str, image: HostImage, type: ImageType) -> str:
    """What to write where an image is of another type than the parameter."""
    given = image.type
    if given.kind is not type.kind:
        return f"write device.texture({name})" if type.kind is ImageKind.TEXTURE else "make it with device.surface"
    if given.ndim == type.ndim and given.channels == type.channels and type.kind is ImageKind.TEXTURE:
        if type.channel.is_float and image.texels.channel.bits <= 16:
            return f'make it with read="float", or declare {name}: {given}'
        if given.channel.is_float and image.texels.channel == type.channel:
            return f'make it with read="element", or declare {name}: {given}'
    return f"declare {name}: {given}"


def _add_members(into: Arguments, name: str, value: object, type: StructType | VectorType) -> None:
    """A struct or vector instance, or a NumPy structured scalar of the same layout."""
    if isinstance(type, StructType):
        names = [field.name for field in type.fields]
        members = [field.type for field in type.fields]
    else:
        names, members = list("xyzw"[: type.lanes]), [type.element] * type.lanes
    if declared_type(value.__class__) == type:
        take = cast("Callable[[], tuple[object, ...]]", cast("Any", value).parts)  # Any: a user's class
        parts = take()
    elif isinstance(value, np.void) and same_layout(value.dtype, type):
        parts = tuple(value[field] for field in names)
    else:
        raise _refused(name, value, f"{type} expected")
    for member_name, member, part in zip(names, members, parts, strict=True):
        add_argument(into, f"{name}.{member_name}", part, member)


def _refused(name: str, value: object, expectation: str) -> LaunchError:
    return LaunchError(f"argument {name}: {value.__class__.__name__} given; {expectation}", argument=name)
