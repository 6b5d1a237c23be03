"""Describes a signature's arguments to the compiled launch path. The numbers are those of ``native/extension.h``."""
from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from simt.core.check.signature import Constant, Signature
from simt.core.current_stream import entered
from simt.core.frontend.watch import MISSING, Watch
from simt.core.gpu.array import GpuArray
from simt.core.gpu.dlpack_export import dlpack_code
from simt.core.runtime.dtypes import dtype_of
from simt.core.types import ArrayType, Kind, ScalarType, Type
from simt.core.types.layout import align_of, align_up, size_of
from simt.core.types.scalar import BF16
from simt.core.values.numpy_types import DTYPES

MAXIMUM_RECORD, MAXIMUM_ARGUMENTS, NO_CODE = 4096, 96, -1


class ArgumentKind(IntEnum):
    """``enum kind``."""

    SIGNED = 0
    UNSIGNED = 1
    FLOAT = 2
    BOOL = 3
    ARRAY = 4
    CONSTANT = 5


def describe(
    launcher: Any, signature: Signature, arguments: tuple[object, ...], watch: Watch, ordinal: int, fixed: int,
    finish: Callable[[], None] | None,
) -> bool:  # Any: of the compiled path
    """Tell ``launcher`` of such arguments; False where one of them is of a kind that only Python checks."""
    if not signature.small or len(arguments) > MAXIMUM_ARGUMENTS:
        return False
    described: list[tuple[object, ...]] = []
    end = 0
    for argument, value in zip(signature.arguments, arguments, strict=True):
        if isinstance(argument, Constant):
            described.append((ArgumentKind.CONSTANT, 0, 0, value, 0, 0, 0, 0, 0, 1, 0, 0))
            continue
        offset = align_up(end, align_of(argument))
        end = offset + size_of(argument)
        row = _row(argument, value, offset, ordinal)
        if row is None:
            return False
        described.append(row)
    if end > MAXIMUM_RECORD:
        return False
    launcher.describe(tuple(described), *_guards(watch), entered, finish, fixed)
    return True


def _row(type: Type, value: object, offset: int, ordinal: int) -> tuple[object, ...] | None:
    match type:
        case ScalarType() if type.bits <= 64 and not type.is_complex and type != BF16:
            kind = _scalar_kind(type)
            return None if kind is None else (kind, type.bits, offset, DTYPES[type].type, 0, 0, 0, 0, 0, 1, 0, 0)
        case ArrayType() if not (type.strided and type.access.writable):
            element, code = type.element, NO_CODE
            if isinstance(element, ScalarType) and element.bits <= 64 and not element.is_complex:
                code = dlpack_code(element)
            bits = element.bits if isinstance(element, ScalarType) else 0
            dtype = value.dtype if isinstance(value, GpuArray) else dtype_of(element)
            return (
                ArgumentKind.ARRAY, 0, offset, dtype, type.ndim, type.access.writable, type.strided, ordinal,
                size_of(element), align_of(element), code, bits,
            )
        case _:
            return None


def _scalar_kind(type: ScalarType) -> ArgumentKind | None:
    match type.kind:
        case Kind.SIGNED:
            return ArgumentKind.SIGNED
        case Kind.UNSIGNED:
            return ArgumentKind.UNSIGNED
        case Kind.BOOL:
            return ArgumentKind.BOOL
        case Kind.FLOAT:
            return ArgumentKind.FLOAT if type.bits >= 32 else None
        case Kind.COMPLEX:
            return None


def _guards(watch: Watch) -> tuple[tuple[object, ...], tuple[object, ...], Callable[[], bool] | None]:
    """What tells that the code is still right: names and functions to look at, and a call for everything else."""
    plain = all(isinstance(namespace, dict) and value is not MISSING for namespace, _, value in watch.lookups)
    if not plain or watch.cells or watch.attributes or watch.arrays or watch.lists:
        return (), (), watch.changed
    names = ("__code__", "__defaults__", "__kwdefaults__")
    functions: list[tuple[object, ...]] = []
    for position, (function, *values) in enumerate(watch.functions):
        kept = 1 if position == 0 else len(names)  # the first is the kernel, whose defaults are no part of its code
        functions += [(function, name, value) for name, value in zip(names[:kept], values, strict=False)]
    return tuple(watch.lookups), tuple(functions), None
