"""The types of kernel values. ``Type`` is a closed union: every stage matches on it exhaustively."""
from simt.core.types.address_space import AddressSpace
from simt.core.types.aggregate import Field, StructType, TupleType, VectorType
from simt.core.types.array import Access, ArrayType
from simt.core.types.image import ImageKind, ImageType
from simt.core.types.pointer import PointerType
from simt.core.types.scalar import Kind, ScalarType

Type = ScalarType | PointerType | ArrayType | StructType | TupleType | VectorType | ImageType

__all__ = [
    "Access", "AddressSpace", "ArrayType", "Field", "ImageKind", "ImageType", "Kind", "PointerType", "ScalarType",
    "StructType", "TupleType", "Type", "VectorType",
]
