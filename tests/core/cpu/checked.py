"""Kernels as the checker hands them to the CPU target."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.compile import check, read
from simt.core.kernel import Kernel
from simt.core.options import Options
from simt.core.specialize import bind
from simt.core.target import Cpu
from simt.core.task import Task


def checked(kernel: Kernel[...], *arguments: object) -> tir.Kernel:
    """The TIR of ``kernel`` for the types of ``arguments``."""
    declaration = kernel.declaration
    signature = bind(declaration.parameters, arguments, 1).signature
    task = Task(declaration, signature, Cpu(), Options())
    return check(task, read(task))
