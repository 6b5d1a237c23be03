"""This launch among those of its stream: with ``with_attributes(programmatic=True)`` it may overlap the one before.

Everywhere else, the CPU target included, a launch begins when the one before has ended, and both calls do nothing.
"""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Sm, intrinsic
from simt.core.intrinsics.recipe import Expand, InlinePtx
from simt.core.llvm.builder import Emitter, Value
from simt.core.types import Type

SOURCE = "PTX ISA, Parallel Synchronization and Communication Instructions: griddepcontrol"


def _nothing(_emitter: Emitter, _arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None) -> None:
    """Launches of the CPU target do not overlap."""


@intrinsic(
    gpu=InlinePtx("griddepcontrol.wait;", ""), cpu=Expand(_nothing), ptx=r"griddepcontrol\.wait", since=Sm(90),
    source=SOURCE, behavior=Behavior.LAUNCH,
)
def wait_for_previous() -> None:
    """Wait until the launch before has ended and what it wrote can be read.

    A kernel that is launched with ``programmatic=True`` must call it before it reads or writes what earlier launches
    use; before the call it may set up what is its own.
    """


@intrinsic(
    gpu=InlinePtx("griddepcontrol.launch_dependents;", ""), cpu=Expand(_nothing),
    ptx=r"griddepcontrol\.launch_dependents", since=Sm(90), source=SOURCE, behavior=Behavior.EFFECT,
)
def let_next_start() -> None:
    """Let the next launch of the stream start once every block has called this or ended, if it is ``programmatic``."""
