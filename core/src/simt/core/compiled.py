"""Results of compilation: code for one signature and target, with the figures the assembler reports."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simt.core.check.signature import Signature
from simt.core.options import Options
from simt.core.target import Target

if TYPE_CHECKING:
    from simt.core.cpu.host_kernel import HostKernel
    from simt.core.nvvm.gpu_kernel import GpuKernel


@dataclass(frozen=True, slots=True)
class Resources:
    """What a kernel needs: ``registers`` a thread, the others in bytes; ``stack_bytes`` a thread, ``shared_bytes`` of
    static shared memory a block. ``spill_bytes`` are moved by spill code. None where the CPU target has no such figure.
    """

    registers: int | None
    spill_bytes: int | None
    shared_bytes: int
    stack_bytes: int | None


@dataclass(frozen=True, slots=True)
class HostCode:
    """Machine code of the CPU target and its description."""

    kernel: HostKernel
    image: bytes


@dataclass(frozen=True, slots=True)
class GpuCode:
    """PTX, its cubin, the kernel's description, and what the assembler reports."""

    kernel: GpuKernel
    ptx: str
    cubin: bytes
    resources: Resources


@dataclass(frozen=True, slots=True)
class Compiled:
    """What ``kernel.compile`` gives. ``ptx`` and ``cubin`` for a GPU, ``object`` (an object file) for the CPU."""

    name: str
    signature: Signature
    target: Target
    options: Options
    resources: Resources
    ptx: str | None = field(default=None, repr=False)
    cubin: bytes | None = field(default=None, repr=False)
    object: bytes | None = field(default=None, repr=False)
