"""Memory fences: what this thread wrote before one is seen by others before what it writes after.

They order, they do not wait: a barrier does both within its block.
"""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, intrinsic
from simt.core.intrinsics.recipe import Expand, LlvmCall
from simt.core.llvm.builder import Emitter, Value
from simt.core.types import Type


def _host_fence(
    emitter: Emitter, _arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> None:
    emitter.do("fence seq_cst")


@intrinsic(
    gpu=LlvmCall("llvm.nvvm.membar.cta"), cpu=Expand(_host_fence), ptx=r"membar\.cta|fence\.\w+\.cta", since=Sm(50),
    source="PTX ISA, Parallel Synchronization and Communication Instructions: membar", behavior=Behavior.EFFECT,
)
def block() -> None:
    """Order this thread's memory accesses as the threads of its block see them."""


@intrinsic(
    gpu=LlvmCall("llvm.nvvm.membar.gl"), cpu=Expand(_host_fence), ptx=r"membar\.gl|fence\.\w+\.gpu", since=Sm(50),
    source="PTX ISA, Parallel Synchronization and Communication Instructions: membar", behavior=Behavior.EFFECT,
)
def device() -> None:
    """Order this thread's memory accesses as all threads of the device see them."""


@intrinsic(
    gpu=LlvmCall("llvm.nvvm.membar.sys"), cpu=Expand(_host_fence), ptx=r"membar\.sys|fence\.\w+\.sys", since=Sm(50),
    source="PTX ISA, Parallel Synchronization and Communication Instructions: membar", behavior=Behavior.EFFECT,
)
def system() -> None:
    """Order this thread's memory accesses as all threads of all devices and of the host see them."""
