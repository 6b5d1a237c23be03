"""f16 and bf16 through f32, for lowerings written by hand."""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.narrow_floats import bf16_from_float, float_from_bf16
from simt.core.types import Type
from simt.core.types.scalar import BF16, F16


def widened(emitter: Emitter, value: Value, kind: Type) -> Value:
    """``value`` as float, or as it is if that wide already."""
    if kind == BF16:
        return float_from_bf16(emitter, value)
    return emitter.cast("fpext", value, "float") if kind == F16 else value


def narrowed(emitter: Emitter, value: Value, kind: Type) -> Value:
    """A float rounded to ``kind``, or as it is if that is no narrow type."""
    if kind == BF16:
        return bf16_from_float(emitter, value)
    return emitter.cast("fptrunc", value, "half") if kind == F16 else value
