"""A warning where a kernel without f64 parameters computes in f64."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.check.state import State
from simt.core.types import ArrayType, ImageType, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.scalar import C128, F64


def warn_of_double_precision(state: State, kernel: tir.Kernel) -> None:
    """Warn at the first place of each line that computes in double precision unexpectedly."""
    if any(_has_double(parameter.type) for parameter in kernel.parameters):
        return
    lines: set[tuple[str, int]] = set()
    for node in tir.walk(kernel):
        computes = isinstance(node, tir.Binary | tir.Unary | tir.Call)
        if computes and node.type in (F64, C128) and (node.span.filename, node.span.line) not in lines:
            lines.add((node.span.filename, node.span.line))
            state.warn(
                "double-precision", "this computes in f64, and no parameter of the kernel is f64", node.span,
                "f64 here",
                help="convert with `f32(...)`, or take an f64 parameter if double precision is meant",
            )


def _has_double(kind: Type) -> bool:
    match kind:
        case ScalarType():
            return kind in (F64, C128)
        case PointerType(element=element) | ArrayType(element=element) | VectorType(element=element):
            return _has_double(element)
        case StructType(fields=fields):
            return any(_has_double(field.type) for field in fields)
        case TupleType(elements=elements):
            return any(_has_double(element) for element in elements)
        case ImageType():
            return False
