"""Arrays that a kernel allocates: their size, and their view in a slot."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.llvm.builder import Value
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.views import make_view
from simt.core.types.layout import size_of


def allocation_bytes(allocation: tir.Allocation) -> int:
    """Bytes of an allocation's elements, at least 1."""
    count = 1
    for extent in allocation.array.shape:
        assert extent is not None
        count *= extent
    return max(1, count * size_of(allocation.array.element))


def store_view(ctx: FunctionContext, allocation: tir.Allocation, slot: Value, base: Value) -> None:
    """Make ``slot`` hold the view of the allocation at ``base``."""
    view = make_view(ctx, allocation.array, base, [], [])
    ctx.emitter.store(view, slot)
