"""The description of a compiled kernel as bytes for the disk cache, and back."""
from __future__ import annotations

from simt.core.cpu.host_kernel import Arena, HostKernel, PrintedValue, PrintSite
from simt.core.diagnostics.span import Span
from simt.core.llvm.faults import FaultKind, Piece, Site, SiteValue
from simt.core.plain_data import class_table, from_text, to_text
from simt.core.types import Kind, ScalarType

CLASSES = class_table(
    HostKernel, Arena, PrintSite, PrintedValue, Site, SiteValue, Piece, FaultKind, Span, ScalarType, Kind
)


def write(kernel: HostKernel) -> bytes:
    """The description as text."""
    return to_text(kernel)


def read(text: bytes) -> HostKernel:
    """The description that ``write`` was given.

    Raises:
        ValueError: it is not the text of one.
    """
    kernel = from_text(text, CLASSES)
    if not isinstance(kernel, HostKernel):
        raise ValueError("not a kernel's description")
    return kernel
