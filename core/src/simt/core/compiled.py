"""What ``kernel.compile`` gives: code for one signature and target, with the figures the assembler reports."""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.check.signature import Signature
from simt.core.options import Options
from simt.core.target import Target


@dataclass(frozen=True, slots=True)
class Resources:
    """What one thread or block of a kernel needs. ``registers`` and ``spill_bytes`` are None on the CPU target."""

    registers: int | None
    spill_bytes: int | None
    shared_bytes: int
    stack_bytes: int | None


@dataclass(frozen=True, slots=True)
class Compiled:
    """Code of a kernel. ``ptx`` and ``cubin`` for a GPU architecture, ``object`` (machine code) for the CPU."""

    name: str
    signature: Signature
    target: Target
    options: Options
    resources: Resources
    ptx: str | None = field(default=None, repr=False)
    cubin: bytes | None = field(default=None, repr=False)
    object: bytes | None = field(default=None, repr=False)


class SpillWarning(UserWarning):
    """A kernel keeps values in memory for want of registers."""


class CompileWarning(UserWarning):
    """A kernel compiles, and a line of it deserves a look."""
