"""Assigning locals."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.llvm.builder import Value
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.memory import Address, store_to
from simt.core.llvm.types import storage_type
from simt.core.types import AddressSpace
from simt.core.types.layout import align_of


def assign(ctx: FunctionContext, local: tir.Local, value: Value) -> None:
    """Make ``value`` the present value of ``local``."""
    held = storage_type(ctx.module, local.type)
    store_to(ctx, Address(ctx.pointer_to(local), local.type, held, AddressSpace.GENERIC, align_of(local.type)), value)
