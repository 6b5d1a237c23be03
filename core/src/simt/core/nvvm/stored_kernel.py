"""A kernel's description on disk."""
from __future__ import annotations

from simt.core.diagnostics.span import Span
from simt.core.llvm.faults import FaultKind, Piece, Site, SiteValue
from simt.core.nvvm.gpu_kernel import GpuKernel
from simt.core.plain_data import class_table, from_text, to_text
from simt.core.types import Kind, ScalarType

CLASSES = class_table(FaultKind, GpuKernel, Kind, Piece, ScalarType, Site, SiteValue, Span)


def write(kernel: GpuKernel) -> bytes:
    """The description as text."""
    return to_text(kernel)


def read(text: bytes) -> GpuKernel:
    """The description that ``write`` was given.

    Raises:
        ValueError: the text is not one.
    """
    kernel = from_text(text, CLASSES)
    if not isinstance(kernel, GpuKernel):
        raise ValueError("not the description of a kernel")
    return kernel
