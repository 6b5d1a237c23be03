"""Pieces of LLVM IR text that the pool's functions share."""
from __future__ import annotations


def field_address(name: str, base: str, offset: int) -> str:
    """``%name`` = the address ``offset`` bytes behind ``%base``."""
    return f"  %{name} = getelementptr i8, ptr %{base}, i64 {int(offset)}"
