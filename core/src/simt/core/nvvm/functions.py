"""A kernel as a module: parameters, the body, what the launch must respect."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.errors import CompileError
from simt.core.llvm.builder import BasicBlock, Emitter, Module
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.statements import emit_statements
from simt.core.llvm.variables import assign
from simt.core.nvvm.backend import NvvmBackend
from simt.core.nvvm.debug_lines import LineTable
from simt.core.nvvm.faults import RECORD_SYMBOL, FaultPath, leave_if_failed
from simt.core.nvvm.memory import allocate
from simt.core.nvvm.module import NvvmModule, new_module, symbol_of
from simt.core.nvvm.parameters import Piece, assemble, pieces_of, waits_for_launch
from simt.core.options import Options
from simt.core.passes.local_ranges import facts_of
from simt.core.passes.narrow_indices import makes_large_views, narrow_indices
from simt.core.passes.version_loops import version_loops
from simt.core.target import Gpu, checks_are_on


def emit_kernel(kernel: tir.Kernel, gpu: Gpu, options: Options, small: bool) -> NvvmModule:
    """The NVVM IR of ``kernel``.

    ``small``: every array has fewer than 2**30 elements and the grid fewer than 2**30 threads.
    """
    _require_clusters(kernel, gpu)
    checks, small = checks_are_on(gpu, options), small and not makes_large_views(kernel)
    if small:
        kernel = narrow_indices(kernel, checks=checks)
    proven: frozenset[int] = frozenset()
    if checks:
        kernel, proven = version_loops(kernel, facts_of(kernel, small))
    module, symbol = new_module(), symbol_of(kernel.name)
    lines = options.lineinfo or options.debug
    line_table = LineTable(module, symbol, kernel.span, options.debug) if lines else None
    pieces = [pieces_of(module, kernel, parameter, small) for parameter in kernel.parameters]
    emitter = _function(module, symbol, [piece for group in pieces for piece in group], line_table)
    backend = NvvmBackend(
        float_flags=_float_flags(options), fault_path=FaultPath(emitter), line_table=line_table,
        inputs_change=waits_for_launch(kernel),
    )
    ctx = FunctionContext(
        emitter=emitter, kernel=kernel, options=options, backend=backend, checks=checks, small=small,
        facts=facts_of(kernel, small), proven=proven,
    )
    start = emitter.new_block("start")
    emitter.blocks.append(start)
    entry, emitter.block = emitter.block, start
    with ctx.at(kernel.span):
        for parameter, group in zip(kernel.parameters, pieces, strict=True):
            assign(ctx, parameter, assemble(ctx, parameter.type, group))
        for allocation in kernel.allocations:
            assign(ctx, allocation.local, allocate(emitter, allocation, symbol))
        emit_statements(ctx, kernel.body)
        emitter.terminate("ret void")
        backend.fault_path.finish()
        _enter(emitter, ctx, entry, start)
    _annotate(module, symbol, kernel, options, [piece.type for group in pieces for piece in group])
    return NvvmModule(
        symbol=symbol, kernel_name=kernel.name, kernel_span=kernel.span, lines=tuple(module.lines()),
        sites=tuple(ctx.sites.sites), has_fault_record=RECORD_SYMBOL in module.globals,
        waits_for_launch=waits_for_launch(kernel),
        needs_libdevice=any(name.startswith("__nv_") for name in module.declarations),
    )


def _require_clusters(kernel: tir.Kernel, gpu: Gpu) -> None:
    """libNVVM leaves a cluster out where the architecture has none.

    Raises:
        CompileError: the kernel asks for clusters and the architecture is older than sm_90.
    """
    if kernel.cluster is not None and gpu.architecture.number < 90:
        raise CompileError((Diagnostic(
            code="needs-newer-architecture", message=f"clusters need sm_90, and {kernel.name} is compiled for {gpu}",
            primary=Label(span=kernel.span, text=f"declared with cluster={kernel.cluster}"),
            help="compile for sm_90 or later, or leave `cluster` out",
        ),))


def _function(module: Module, symbol: str, pieces: list[Piece], line_table: LineTable | None) -> Emitter:
    parameters = ", ".join(f"{piece.type} {piece.attributes}{piece.value.text}" for piece in pieces)
    tail = "{" if line_table is None else f"!dbg {line_table.kernel} {{"
    return Emitter(module, f"define void @{symbol}({parameters})", tail)


def _enter(emitter: Emitter, ctx: FunctionContext, entry: BasicBlock, start: BasicBlock) -> None:
    """Close the entry block: on to the body, unless the grid has failed and checks are on."""
    emitter.block = entry
    if ctx.checks and ctx.sites.sites:
        leave_if_failed(emitter, start)
    else:
        emitter.branch(start)


def _float_flags(options: Options) -> str:
    """Fusing is said on each operation; what else ``fast_math`` allows, libNVVM's flags say, and it keeps NaN."""
    return "contract " if options.fma or options.fast_math else ""


def _annotate(module: Module, symbol: str, kernel: tir.Kernel, options: Options, types: list[str]) -> None:
    """Mark the function as a kernel, with its launch bounds.

    Source: NVVM IR Specification, Global Property Annotation; ``cluster_dim_*`` from the CUDA 12 edition on.
    """
    properties = {"kernel": 1}
    if kernel.max_threads is not None:
        properties["maxntidx"] = kernel.max_threads
    if kernel.block is not None:
        properties |= dict(zip(("reqntidx", "reqntidy", "reqntidz"), kernel.block, strict=True))
    if kernel.min_blocks is not None:
        properties["minctasm"] = kernel.min_blocks
    if options.maxrregcount is not None:
        properties["maxnreg"] = options.maxrregcount
    if kernel.cluster is not None:
        properties |= dict(zip(("cluster_dim_x", "cluster_dim_y", "cluster_dim_z"), kernel.cluster, strict=True))
    signature = f"void ({', '.join(types)})*"
    nodes = [
        module.add_metadata(f'!{{{signature} @{symbol}, !"{name}", i32 {value}}}') for name, value in properties.items()
    ]
    # Link-time optimisation drops a kernel that nothing calls, unless it is marked as used.
    used = f"[1 x i8*] [i8* bitcast ({signature} @{symbol} to i8*)]"
    module.add_global("llvm.used", f'appending global {used}, section "llvm.metadata"')
    module.named_metadata.append(f"!nvvm.annotations = !{{{', '.join(nodes)}}}")
