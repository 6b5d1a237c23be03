"""The types of kernel values. ``Type`` is a closed union: every stage matches on it exhaustively."""
from simt.core.types.address_space import AddressSpace
from simt.core.types.aggregate import Field, StructType, TupleType, VectorType
from simt.core.types.array import Access, ArrayType
from simt.core.types.pointer import PointerType
from simt.core.types.scalar import Kind, ScalarType

Type = ScalarType | PointerType | ArrayType | StructType | TupleType | VectorType

__all__ = [
    "Access", "AddressSpace", "ArrayType", "Field", "Kind", "PointerType", "ScalarType", "StructType", "TupleType",
    "Type", "VectorType",
]
