"""An NVVM IR module around one kernel: what stands above and below the functions."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import Module, plain_name
from simt.core.llvm.faults import Site
from simt.core.nvvm.dialect import DATA_LAYOUT, IR_VERSION, TRIPLE
from simt.core.nvvm.gpu_kernel import GpuKernel

EMPTY_NODE = "!{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NvvmModule:
    """NVVM IR text of one kernel. ``symbol`` is the entry's name; ``lines`` every line with the span it stems from.

    ``sites`` is the fault table: a fault record holds a position in it. ``has_fault_record``: the module defines
    ``nvvm.faults.RECORD_SYMBOL``.
    """

    symbol: str
    kernel_name: str
    kernel_span: Span
    lines: tuple[tuple[str, Span | None], ...]
    sites: tuple[Site, ...]
    has_fault_record: bool
    waits_for_launch: bool
    needs_libdevice: bool

    @property
    def text(self) -> str:
        """The module as libNVVM reads it."""
        return "\n".join(line for line, _ in self.lines) + "\n"


def description(module: NvvmModule) -> GpuKernel:
    """What is kept of a module when it is compiled."""
    return GpuKernel(
        name=module.kernel_name, symbol=module.symbol, sites=module.sites, has_fault_record=module.has_fault_record,
        waits_for_launch=module.waits_for_launch,
    )


def new_module() -> Module:
    """An empty module with target and version."""
    module = Module(typed_pointers=True)
    module.header += [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    module.named_metadata.append(f"!nvvmir.version = !{{{module.add_metadata(IR_VERSION)}}}")
    return module


def invariant_load(module: Module) -> str:
    """What marks a load whose memory does not change while the kernel runs."""
    if EMPTY_NODE not in module.metadata:
        module.add_metadata(EMPTY_NODE)
    return f", !invariant.load !{module.metadata.index(EMPTY_NODE)}"


def symbol_of(name: str) -> str:
    """``name`` as a PTX identifier."""
    symbol = plain_name(name)
    return symbol if symbol[:1].isalpha() or symbol[:1] == "_" else f"_{symbol}"
