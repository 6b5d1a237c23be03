"""Watching memory accesses while checks are on: hooks that the back end calls."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.check.tir import Scope
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Access, FunctionContext


@dataclass(slots=True)
class Watch:
    """State of the watching in one kernel."""

    def before_access(self, ctx: FunctionContext, access: Access) -> None:
        """Called before each access to memory that more than one thread can see."""

    def barrier(self, ctx: FunctionContext, scope: Scope) -> None:
        """The threads of ``scope`` have met here."""

    def block_start(self, ctx: FunctionContext) -> None:
        """A block begins its work."""

    def static_shared(self, base: Value, size: int) -> None:
        """The kernel has a shared array of ``size`` bytes at ``base``."""

    def dynamic_shared(self, start: Value) -> None:
        """The kernel uses dynamic shared memory, which begins at ``start``."""

    def other(self, ctx: FunctionContext) -> tuple[Value, Value]:
        """The other thread (linear in the grid) and site of the fault being reported, -1 where there is none."""
        return integer(64, -1), integer(64, -1)
