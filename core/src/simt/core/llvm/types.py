"""LLVM's names for our types: in registers, and in memory where a bool is a byte.

Arrays are views in registers: a literal struct of the pointer, one i64 an axis with a run-time extent, then, where
strided, one i64 an axis (stride in elements). LLVM's SROA takes the struct apart. bf16 is an i16, since the LLVM 7
dialect has no ``bfloat``. Sizes and offsets of memory types agree with ``types.layout`` under both targets' data
layouts. An image is its 64-bit handle.
"""
from __future__ import annotations

from typing import assert_never

from simt.core.llvm.builder import Module
from simt.core.types import ArrayType, ImageType, Kind, PointerType, ScalarType, StructType, TupleType, Type, VectorType

_FLOAT_NAMES = {"f16": "half", "bf16": "i16", "f32": "float", "f64": "double"}


def register_type(module: Module, t: Type) -> str:
    """The type of a value of ``t`` as an operand."""
    match t:
        case ScalarType():
            return scalar_type(t)
        case PointerType():
            return module.pointer(memory_type(module, t.element), t.space)
        case ArrayType():
            runtime = sum(extent is None for extent in t.shape) + (t.ndim if t.strided else 0)
            pointer = module.pointer(memory_type(module, t.element), t.space)
            return "{ " + ", ".join([pointer, *["i64"] * runtime]) + " }"
        case ImageType():
            return "i64"
        case VectorType():
            return f"<{t.lanes} x {scalar_type(t.element)}>"
        case StructType() | TupleType():
            return _struct([register_type(module, member) for member in members_of(t)])
        case _:
            assert_never(t)


def memory_type(module: Module, t: Type) -> str:
    """The type of a value of ``t`` behind a pointer."""
    match t:
        case ScalarType():
            return "i8" if t.kind is Kind.BOOL else scalar_type(t)
        case VectorType():
            return f"<{t.lanes} x {memory_type(module, t.element)}>"
        case StructType() | TupleType():
            return _struct([memory_type(module, member) for member in members_of(t)])
        case PointerType() | ArrayType() | ImageType():
            return register_type(module, t)
        case _:
            assert_never(t)


def storage_type(module: Module, t: Type) -> str:
    """The type of a local's stack slot: a bool stays i1 there, so that SROA finds it unchanged."""
    return register_type(module, t) if isinstance(t, ScalarType) else memory_type(module, t)


def scalar_type(t: ScalarType) -> str:
    """The type of a scalar operand."""
    match t.kind:
        case Kind.BOOL:
            return "i1"
        case Kind.SIGNED | Kind.UNSIGNED:
            return f"i{t.bits}"
        case Kind.FLOAT:
            return _FLOAT_NAMES[t.name]
        case Kind.COMPLEX:
            part = scalar_type(t.component)
            return f"{{ {part}, {part} }}"
        case _:
            assert_never(t.kind)


def members_of(t: StructType | TupleType | VectorType | ScalarType) -> tuple[Type, ...]:
    """The parts of an aggregate, in order; a complex number's are its real and imaginary part."""
    match t:
        case StructType():
            return tuple(field.type for field in t.fields)
        case TupleType():
            return t.elements
        case VectorType():
            return (t.element,) * t.lanes
        case ScalarType():
            return (t.component, t.component)
        case _:
            assert_never(t)


def _struct(members: list[str]) -> str:
    return "{ " + ", ".join(members) + " }" if members else "{}"
