"""Outputs alias nothing: no byte of a written array belongs to another array of the same launch."""
from __future__ import annotations

import numpy as np

from simt.core.errors import LaunchError
from simt.core.runtime.argument import ArrayArgument

WORK = 1 << 16  # steps numpy.shares_memory may take to solve an interleaved case


def check_aliases(arrays: list[ArrayArgument]) -> None:
    """Refuse a written array that shares memory with any other one.

    Arrays of interleaved strides are told apart exactly; a case too hard to decide counts as shared.

    Raises:
        LaunchError: names both arguments.
    """
    bounds = [array.memory.byte_bounds() for array in arrays]
    for index, first in enumerate(arrays):
        for other in range(index):
            second = arrays[other]
            if not (first.writes or second.writes):
                continue
            if bounds[index][0] < bounds[other][1] and bounds[other][0] < bounds[index][1] and _share(first, second):
                raise _shared(first, second)
    for array in arrays:
        if array.writes and _overlaps_itself(array):
            raise LaunchError(
                f"argument {array.name}: several elements of the output have the same address (strides "
                f"{array.memory.strides} bytes, shape {array.memory.shape}); pass a copy", argument=array.name,
            )


def _share(first: ArrayArgument, second: ArrayArgument) -> bool:
    if first.memory.is_contiguous() and second.memory.is_contiguous():
        return True
    try:
        return np.shares_memory(first.memory.as_numpy(), second.memory.as_numpy(), max_work=WORK)  # pyright: ignore[reportArgumentType] -- the stubs know two of its values
    except np.exceptions.TooHardError:
        return True


def _overlaps_itself(array: ArrayArgument) -> bool:
    """A stride of 0, or axes that step into each other; exact for arrays whose axes nest."""
    memory = array.memory
    if memory.size <= 1 or memory.is_contiguous():
        return False
    reach = memory.dtype.itemsize
    axes = [(abs(stride), extent) for stride, extent in zip(memory.strides, memory.shape, strict=True) if extent > 1]
    for stride, extent in sorted(axes):
        if stride < reach:
            return True
        reach = stride * (extent - 1) + reach
    return False


def _shared(first: ArrayArgument, second: ArrayArgument) -> LaunchError:
    written, other = (first, second) if first.writes else (second, first)
    what = "written by this kernel too" if other.writes else "read by this kernel"
    return LaunchError(
        f"argument {written.name}: an output shares memory with argument {other.name}, which is {what}; "
        f"pass a copy, or use one InOut parameter for both", argument=written.name,
    )
