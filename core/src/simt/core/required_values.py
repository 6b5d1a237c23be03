"""The values that a kernel's relations compare, as a launch finds them: sizes and shapes as the kernel sees them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never, cast

import numpy as np

from simt.core.check.signature import Constant
from simt.core.errors import LaunchError
from simt.core.requirements import Extent, Operand, Relation, Shape, Size, Value
from simt.core.types import ArrayType, ScalarType, Type

if TYPE_CHECKING:
    from simt.core.runtime.memory import Memory
    from simt.core.specialize import Bound


def check_requirements(
    kernel: str, relations: tuple[Relation, ...], names: tuple[str, ...], arguments: tuple[object, ...], bound: Bound
) -> None:
    """Check the relations between arguments that fit their parameters otherwise.

    Raises:
        LaunchError: one does not hold; the message has the values that it compares.
    """
    if not relations:
        return
    given, types = dict(zip(names, arguments, strict=True)), dict(zip(names, bound.signature.arguments, strict=True))
    memories = dict(bound.located)

    def value_of(operand: Operand) -> object:
        name = operand.name
        match operand:
            case Value():
                return _number(kernel, name, given[name], types[name])
            case Size():
                return _memory(kernel, name, types[name], memories).size
            case Shape():
                return _memory(kernel, name, types[name], memories).shape
            case Extent(axis=axis):
                shape = _memory(kernel, name, types[name], memories).shape
                if not -len(shape) <= axis < len(shape):
                    raise LaunchError(
                        f"{kernel} requires something of {name}.shape[{axis}], and {name} has {len(shape)} axes",
                        argument=name,
                    )
                return shape[axis]
            case _:
                assert_never(operand)

    for relation in relations:
        relation.check(kernel, value_of)


def source_of(relation: Relation, names: tuple[str, ...], types: tuple[Type | Constant, ...]) -> str:
    """The relation as the generated launch function of ``runtime/fast_path.py`` writes it.

    There ``p0`` is the first argument, and ``n0_1`` the second extent of the first argument.
    """
    def written(operand: Operand) -> str:
        index = names.index(operand.name)
        type = types[index]
        extents = [f"n{index}_{axis}" for axis in range(type.ndim)] if isinstance(type, ArrayType) else []
        match operand:
            case Value():
                is_integer = isinstance(type, ScalarType) and type.is_integer
                return f"int(p{index})" if is_integer else f"p{index}"
            case Size():
                return f"({' * '.join(extents)})"
            case Shape():
                return f"({', '.join(extents)},)"
            case Extent(axis=axis):
                return extents[axis]
            case _:
                assert_never(operand)

    return relation.source(written)


def _number(kernel: str, name: str, value: object, type: Type | Constant) -> object:
    if isinstance(value, np.generic):
        value = cast("Any", value).item()  # Any: of every dtype
    if isinstance(type, ScalarType | Constant) and isinstance(value, int | float):
        return value
    raise LaunchError(
        f"{kernel} requires something of {name} itself, which is no number here; of an array write {name}.size or "
        f"{name}.shape[0]", argument=name,
    )


def _memory(kernel: str, name: str, type: Type | Constant, memories: dict[str, Memory]) -> Memory:
    if isinstance(type, ArrayType):
        return memories[name]
    what = "a compile-time value" if isinstance(type, Constant) else str(type)
    raise LaunchError(f"{kernel} requires a size of {name}, which is {what} and has none", argument=name)
