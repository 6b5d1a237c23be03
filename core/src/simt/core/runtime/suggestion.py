"""Which annotation an argument suggests for a parameter that has none."""
from __future__ import annotations

from types import FunctionType

import numpy as np

from simt.core.errors import LaunchError
from simt.core.runtime.image import HostImage
from simt.core.runtime.memory import Memory, memory_of
from simt.core.runtime.scalar_argument import scalar_type_of, typed_number
from simt.core.values.annotation_type import declared_type
from simt.core.values.numpy_types import scalar_type_of_dtype


def suggested_annotation(name: str, value: object) -> str | None:
    """How to annotate parameter ``name`` so that it takes ``value``; None where no annotation does."""
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, FunctionType):
        count = value.__code__.co_argcount
        return f"Callable[[{', '.join(['f32'] * count)}], f32]"
    if isinstance(value, tuple):
        parts = [suggested_annotation(name, part) for part in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] -- a tuple of anything
        return None if None in parts else f"tuple[{', '.join(str(part) for part in parts)}]"
    if isinstance(value, HostImage):
        return str(value.type)
    declared = declared_type(value.__class__)
    if declared is not None:
        return str(declared)
    try:
        memory = memory_of(value, name)
        if memory is not None:
            return _array(memory)
        return str(scalar_type_of(*typed_number(value, name, "a value")))
    except LaunchError:  # memory of another device, or no value of kernels at all
        return None


def _array(memory: Memory) -> str | None:
    element = scalar_type_of_dtype(memory.dtype)
    dimensions = len(memory.shape)
    if element is None or not 1 <= dimensions <= 3:
        return None
    parts = [str(element)]
    if dimensions > 1:
        parts.append(f"D{dimensions}")
    if not memory.is_contiguous():
        parts.append("Strided")
    return f"In[{', '.join(parts)}]"
