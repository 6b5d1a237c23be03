"""The usual launch as one generated function: the checks of ``argument.py`` for one signature, without its branches.

It is an accelerator and never the judge: where a check fails or a value is of an unusual kind it returns False, and
the general path decides and words the error. What it accepts, the general path accepts with the same leaves.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from struct import Struct
from types import CodeType
from typing import Any, cast

import numpy as np

from simt.core.check.signature import Constant, Signature
from simt.core.errors import LaunchError
from simt.core.required_values import source_of
from simt.core.requirements import Relation
from simt.core.runtime.argument import Arguments, add_argument
from simt.core.runtime.cpu_array import CpuArray
from simt.core.runtime.dtypes import dtype_of, same_layout
from simt.core.runtime.image import HostImage
from simt.core.runtime.memory import address_of
from simt.core.runtime.packing import Leaf
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
from simt.core.types.scalar import BF16, BOOL
from simt.core.values.numpy_types import DTYPES

FastPath = Callable[..., bool]


@dataclass(frozen=True, slots=True)
class OwnArray:
    """A class of ours with the attributes dtype, shape, strides, contiguous and address.

    ``constant`` names further attributes that must be as they were at the launch that the function is made for;
    ``afterwards`` is text to run after a launch, in terms of ``{name}`` and of ``used``, what the launch gave.
    """

    kind: type
    constant: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()

    def holds(self, value: object) -> list[tuple[str, object]]:
        """The values of the constant attributes."""
        return [(name, attrgetter(name)(value)) for name in self.constant] if type(value) is self.kind else []


OWN_ARRAYS: dict[type, OwnArray] = {CpuArray: OwnArray(CpuArray)}
LARGEST = {16: 65504.0, 32: float(np.finfo(np.float32).max), 64: float(np.finfo(np.float64).max)}
SMALL = 1 << 30  # elements of an array, as in specialize


def fast_path(
    names: tuple[str, ...], signature: Signature, arguments: tuple[object, ...], record: Struct,
    changed: Callable[[], bool], key: Callable[[object], object], on_host: bool, relations: tuple[Relation, ...] = (),
) -> FastPath | None:
    """A function of ``run`` and the launch's arguments: it launches and returns True, or returns False.

    ``run`` starts the grid with an argument record. None where a kind of argument has no fast path.

    Args:
        arguments: those of a launch that passed all checks; arrays must come again with the same dtype objects.
        changed: whether the code must be made anew since a captured value changed.
        key: identifies a compile-time value, see ``specialize.constant_key``.
        on_host: whether the launch is on the CPU. A GPU's function takes the classes in ``OWN_ARRAYS`` only.
        relations: what the kernel requires of its arguments, which held in that launch.
    """
    if not signature.small:
        return None
    text = Text(names={
        "ndarray": np.ndarray, "addressof": ctypes.addressof, "address_of": address_of,
        "from_buffer": ctypes.c_char.from_buffer, "key": key, "LaunchError": LaunchError, "pack": record.pack,
        "changed": changed,
    })
    ends: list[tuple[str, bool]] = []
    for index, (argument, value) in enumerate(zip(signature.arguments, arguments, strict=True)):
        match argument:
            case Constant():
                text.constant(index, key(argument.value))
            case ScalarType() if argument != BF16 and argument.bits != 128:
                text.scalar(index, argument)
            case ArrayType() if not on_host and (value.__class__ is CpuArray or value.__class__ not in OWN_ARRAYS):
                return None
            case ArrayType():
                text.array(index, argument, value)
                ends.append((str(index), argument.access.writable))
            case ImageType() if isinstance(value, HostImage):
                text.image(index, argument, value)
                ends.append((str(index), argument.kind is ImageKind.SURFACE))
            case _ if contains_array(argument):
                return None
            case _:
                text.general(index, names[index], argument)
    for relation in relations:
        text.lines.append(f"if not ({source_of(relation, names, signature.arguments)}): return False")
    return text.function(len(names), ends)


def contains_array(type: Type) -> bool:
    """Whether values of ``type`` bring arrays or images along, whose places and aliases must be checked."""
    match type:
        case ArrayType() | ImageType():
            return True
        case StructType():
            return any(contains_array(field.type) for field in type.fields)
        case TupleType():
            return any(map(contains_array, type.elements))
        case ScalarType() | PointerType() | VectorType():
            return False


class Text:
    """The function's text while it is written; ``names`` are its globals."""

    def __init__(self, names: dict[str, object]) -> None:
        self.names = names
        self.lines: list[str] = []
        self.leaves: list[str] = []
        self.afterwards: list[str] = []  # what follows the launch, which gives ``used``

    def constant(self, index: int, expected: object) -> None:
        """A compile-time argument must have the value the code was made for."""
        self.names[f"k{index}"] = expected
        self.lines.append(f"if key(p{index}) != k{index}: return False")

    def scalar(self, index: int, type: ScalarType) -> None:
        """Python's own numbers within range, and NumPy scalars of exactly the type."""
        self.names[f"s{index}"] = DTYPES[type].type
        if type == BOOL:
            self.lines.append(f"if p{index} is not True and p{index} is not False: return False")
            self.leaves.append(f"p{index}")
            return
        own, inside = ("complex", "False")
        if type.is_integer:
            own, inside = "int", f"{type.minimum} <= p{index} <= {type.maximum}"
        elif type.is_float:
            own, inside = "float", f"{-LARGEST[type.bits]!r} <= p{index} <= {LARGEST[type.bits]!r}"
        self.lines.append(f"if not (type(p{index}) is {own} and {inside} or type(p{index}) is s{index}): return False")
        self.leaves += [f"p{index}.real", f"p{index}.imag"] if type.is_complex else [f"p{index}"]

    def array(self, index: int, type: ArrayType, value: object) -> None:
        """A NumPy array or one of ours with the very dtype object of ``value``, or of the type."""
        dtype = dtype_of(type.element)
        own = OWN_ARRAYS.get(value.__class__) or OWN_ARRAYS[CpuArray]
        if isinstance(value, np.ndarray | own.kind):
            given = cast("Any", value).dtype  # Any: of any shape and dtype
            dtype = given if same_layout(given, type.element) else dtype
        name, width = f"p{index}", size_of(type.element)
        self.names[f"d{index}"], self.names[f"own{index}"] = dtype, own.kind
        self.afterwards += [text.format(name=name) for text in own.afterwards]
        extents = [f"n{index}_{axis}" for axis in range(type.ndim)]
        strides = [f"t{index}_{axis}" for axis in range(type.ndim)] if type.strided else []
        flags = [] if type.strided else ["c_contiguous"]
        if type.access.writable:
            flags.append("writeable")
        by_flags = [*(f"if not {name}.flags.{flag}: return False" for flag in flags), f"a{index} = address_of({name})"]
        if dtype.kind in "biufc" and not type.strided:  # other dtypes have no buffer format
            # Takes contiguous and writable arrays only, without making an object for their flags.
            by_buffer = f"a{index} = addressof(from_buffer({name}))"
            by_flags = [by_buffer] if type.access.writable else [
                f"try: {by_buffer}", "except TypeError:", *(f"    {line}" for line in by_flags),
            ]
        if own.kind is CpuArray:
            self.lines += [
                f"if type({name}) is ndarray:",
                f"    if {name}.dtype is not d{index}: return False",
                *(f"    {line}" for line in by_flags),
            ]
        self.lines += [
            f"{'elif' if own.kind is CpuArray else 'if'} type({name}) is own{index}:",
            f"    if {name}.dtype is not d{index}: return False",
            f"    {'pass' if type.strided else f'if not {name}.contiguous: return False'}",
            *(f"    if not ({name}.{check} == {value!r}): return False" for check, value in own.holds(value)),
            f"    a{index} = {name}.address",
            "else: return False",
            f"{', '.join(extents)}, = {name}.shape",
        ]
        if type.strided:
            self._strides(index, extents, strides, width, type.access.writable)
        else:
            self.lines.append(f"b{index} = {' * '.join(extents)} * {width}")
        # An array without elements may have a large extent, which needs other code.
        empty = f" or not b{index}" if type.ndim > 1 else ""
        self.lines += [
            f"if a{index} % {align_of(type.element)} or b{index} >= {SMALL * width}{empty}: return False",
            f"e{index} = a{index} + b{index}",
        ]
        self.leaves += [f"a{index}", *extents, *(f"{stride} // {width}" for stride in strides)]

    def _strides(self, index: int, extents: list[str], strides: list[str], width: int, writes: bool) -> None:
        """Strides of whole elements, none negative; those of an output nest, so that no element is written twice."""
        self.lines.append(f"{', '.join(strides)}, = p{index}.strides")
        for stride in strides:
            self.lines.append(f"if {stride} < 0 or {stride} % {width}: return False")
        if writes:
            self.lines.append(f"if {strides[-1]} < {width}: return False")
            for outer, inner, extent in zip(strides, strides[1:], extents[1:], strict=False):
                self.lines.append(f"if {outer} < {inner} * {extent}: return False")
        self.lines.append(f"if not ({' and '.join(extents)}): return False")
        reach = " + ".join(f"({extent} - 1) * {stride}" for extent, stride in zip(extents, strides, strict=True))
        self.lines.append(f"b{index} = {reach} + {width}")

    def image(self, index: int, type: ImageType, value: HostImage) -> None:
        """Images of the very class of ``value``, on its device."""
        name = f"p{index}"
        self.names[f"own{index}"], self.names[f"t{index}"] = value.__class__, type
        self.lines.append(f"if type({name}) is not own{index} or {name}.type != t{index}: return False")
        for check in value.launch_checks:
            self.lines.append(f"if not ({name}.{check} == {getattr(value, check)!r}): return False")
        self.lines.append(f"a{index}, e{index} = {name}.span")
        self.afterwards += [text.format(name=name) for text in value.after_launch]
        self.leaves.append(f"{name}.handle")

    def general(self, index: int, name: str, type: Type) -> None:
        """Any other type: the general path's leaves."""
        def leaves(value: object) -> list[Leaf]:
            arguments = Arguments()
            add_argument(arguments, name, value, type)
            return arguments.leaves

        self.names[f"g{index}"] = leaves
        self.lines.append(f"v{index} = g{index}(p{index})")
        self.leaves.append(f"*v{index}")

    def function(self, count: int, ends: list[tuple[str, bool]]) -> FastPath:
        """Compile the text. An exception of a check means that the general path must look."""
        for position, (first, first_writes) in enumerate(ends):
            for second, second_writes in ends[:position]:
                if first_writes or second_writes:
                    self.lines.append(f"if a{first} < e{second} and a{second} < e{first}: return False")
        body = "\n".join(f"        {line}" for line in self.lines)
        after = "".join(f"    {line}\n" for line in self.afterwards)
        source = (
            f"def launch({', '.join(('run', *(f'p{index}' for index in range(count))))}):\n"
            f"    try:\n{body}\n"
            f"        record = pack({', '.join(self.leaves)})\n"
            f"    except (TypeError, ValueError, BufferError, AttributeError, LaunchError, ZeroDivisionError):\n"
            f"        return False\n"
            f"    if changed(): return False\n"
            f"    used = run(record)\n"
            f"{after}"
            f"    return True\n"
        )
        exec(_code(source), self.names)
        made: Any = self.names["launch"]  # Any: made by exec
        return made


@lru_cache(maxsize=256)
def _code(source: str) -> CodeType:
    """The code of a text; kernels whose parameters are alike have the same."""
    return compile(source, "<simt launch>", "exec")
