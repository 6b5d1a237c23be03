"""What is kept with a kernel compiled for a GPU: everything its launches and its reports need."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.llvm.faults import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuKernel:
    """A kernel's description: plain data, stored beside its code.

    ``symbol`` is the entry's name in the image. ``sites`` is the fault table. ``has_fault_record``: the image defines
    ``nvvm.faults.RECORD_SYMBOL``. ``waits_for_launch``: it may start before the launch before it has ended.
    """

    name: str
    symbol: str
    sites: tuple[Site, ...]
    has_fault_record: bool
    waits_for_launch: bool
