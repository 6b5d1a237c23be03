"""A kernel to LLVM IR for the host: the main path of the CPU back end."""
from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from simt.core.check import tir
from simt.core.cpu.allocations import allocation_bytes
from simt.core.cpu.backend import FaultExit, HostBackend
from simt.core.cpu.coroutines import EXTRA_PARAMETERS, emit_thread, plan_threads
from simt.core.cpu.frame import (
    ArenaPlan,
    BlockLoop,
    blocks_head,
    close_block_loop,
    emit_entry,
    open_block_loop,
    small_field,
    thread_call,
    thread_head,
)
from simt.core.cpu.host_kernel import HostKernel, HostModule, PrintSite
from simt.core.cpu.launch_record import MAXIMUM_VALUES, LaunchField
from simt.core.cpu.memory import (
    SharedMemory,
    constant_arrays,
    load_parameters,
    local_arrays,
    plan_shared,
    shared_arrays,
)
from simt.core.cpu.position import BlockPosition
from simt.core.cpu.regions import NotUniform, Regions, build_schedule
from simt.core.cpu.runs import emit_run, run_of
from simt.core.cpu.schedule import Meet, ThreadLoop, walk_schedule
from simt.core.cpu.scheduler import clear_frames, emit_rounds, free_frames
from simt.core.cpu.state import Emission
from simt.core.cpu.storage import Home, place_locals
from simt.core.cpu.thread_loop import thread_region
from simt.core.cpu.uniform import emit_schedule, report_together
from simt.core.cpu.watch import Watch
from simt.core.llvm.builder import Emitter, Module, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.faults import SiteTable
from simt.core.llvm.types import storage_type
from simt.core.options import Options
from simt.core.target import Cpu, checks_are_on
from simt.core.types import AddressSpace
from simt.core.types.layout import align_of, align_up, size_of

SYMBOL = "simt_kernel"
LARGEST_GRID = (1 << 31) - 1
LARGEST_BLOCK = 1024


def emit_kernel(kernel: tir.Kernel, options: Options, small: bool = False) -> HostModule:
    """The module of one kernel, with what its launches need to know. ``small`` as in ``check.signature.Signature``."""
    regions = build_schedule(kernel)
    plan, watch = ArenaPlan(), Watch(options.race)
    shared = plan_shared(kernel, plan, watch if checks_are_on(Cpu(), options) else None)
    build = _Build(kernel, options, small, Module(typed_pointers=False), plan, shared, SiteTable(), [], watch)
    if isinstance(regions, NotUniform):
        _as_coroutines(build)
    else:
        _as_loops(build, regions)
    emit_entry(build.module, SYMBOL, kernel, parameter_offsets(kernel), build.plan)
    text = build.module.text()
    unique = f"{SYMBOL}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    text = text.replace(f"@{SYMBOL}", f"@{unique}")
    return HostModule(text, HostKernel(
        name=kernel.name, symbol=unique, sites=tuple(build.sites.sites), prints=tuple(build.prints),
        arena=build.plan.totals(), shared_bytes=build.shared_bytes, max_threads=kernel.max_threads,
        finds_races=options.race,
    ))


@dataclass(slots=True)
class _Build:
    """What the functions of one kernel share."""

    kernel: tir.Kernel
    options: Options
    small: bool
    module: Module
    plan: ArenaPlan
    shared: SharedMemory
    sites: SiteTable
    prints: list[PrintSite]
    watch: Watch

    def function(self) -> tuple[FunctionContext, HostBackend]:
        """A new function, at whose entry the values that hold for all of it are emitted. Its head is set at the end."""
        emitter = Emitter(module=self.module, head="")
        self.watch.enter_function(emitter)
        backend = _backend(emitter, self)
        context = FunctionContext(
            emitter=emitter, kernel=self.kernel, options=self.options, backend=backend, small=self.small,
            sites=self.sites, checks=checks_are_on(Cpu(), self.options),
        )
        return context, backend

    @property
    def shared_bytes(self) -> int:
        """Static shared memory."""
        shared = [item for item in self.kernel.allocations if item.space is AddressSpace.SHARED]
        return sum(map(allocation_bytes, shared))


def _as_loops(build: _Build, regions: Regions) -> None:
    """The blocks' function with loops over the threads of each block."""
    ctx, backend = build.function()
    _emit_blocks(_emission(ctx, backend, build, regions), build.kernel, regions)
    ctx.emitter.head = blocks_head(SYMBOL, build.kernel, build.plan)


def _as_coroutines(build: _Build) -> None:
    """The thread's function as a coroutine, and the blocks' function with the scheduler."""
    kernel, plan = build.kernel, build.plan
    threads = plan_threads(plan)
    ctx, backend = build.function()
    emit_thread(ctx, backend, threads, build.shared, parameter_offsets(kernel))
    ctx.emitter.head = thread_head(SYMBOL, kernel, plan, EXTRA_PARAMETERS)
    ctx, backend = build.function()
    clear_frames(ctx, backend, threads)
    loop = open_block_loop(ctx.emitter, backend.block.record, lambda: free_frames(ctx, backend, threads))
    _enter_block(ctx, backend, loop)
    emit_rounds(ctx, backend, threads, loop, thread_call(SYMBOL, kernel, plan))
    close_block_loop(ctx.emitter, loop)
    ctx.emitter.head = blocks_head(SYMBOL, kernel, plan)


def _backend(emitter: Emitter, build: _Build) -> HostBackend:
    """The back end with the values that hold for the whole function: emitted at its entry."""
    record = Value("ptr", "%record")
    grid = tuple(
        small_field(emitter, record, axis, LARGEST_GRID)
        for axis in (LaunchField.GRID_X, LaunchField.GRID_Y, LaunchField.GRID_Z)
    )
    dimension = tuple(
        small_field(emitter, record, axis, LARGEST_BLOCK)
        for axis in (LaunchField.BLOCK_X, LaunchField.BLOCK_Y, LaunchField.BLOCK_Z)
    )
    x, y, z = dimension
    threads = emitter.binary("mul nuw nsw", emitter.binary("mul nuw nsw", x, y), z)
    block = BlockPosition(
        record=record, grid=(grid[0], grid[1], grid[2]), dimension=(x, y, z), index=(x, y, z), linear=integer(64, 0),
        threads=emitter.cast("zext", threads, "i64"), width=x,
    )
    return HostBackend(
        block=block, plan=build.plan, float_flags="contract arcp afn " if build.options.fast_math else "",
        watch=build.watch, prints=build.prints, shared=build.shared.dynamic,
        fault_site=emitter.alloca("i64", hint="fault.site"),
        fault_values=emitter.alloca(f"[{MAXIMUM_VALUES} x i64]", hint="fault.values"),
    )


def _emission(ctx: FunctionContext, backend: HostBackend, build: _Build, regions: Regions) -> Emission:
    emitter, kernel = ctx.emitter, build.kernel
    parameters = load_parameters(ctx, kernel, parameter_offsets(kernel))
    storage = place_locals(kernel, regions)
    emission = Emission(
        ctx=ctx, backend=backend, storage=storage, fixed={}, parameters=parameters,
        failed=emitter.alloca("i1", hint="failed"), live=emitter.alloca("i64", hint="live"),
        done=emitter.new_block("done"),
    )
    for local in storage.at(Home.FIXED):
        unchanged = local in parameters and local not in storage.stored
        emission.fixed[local] = parameters[local] if unchanged else emission.slot(local)
    emission.fixed |= constant_arrays(ctx, kernel)
    emission.fixed |= shared_arrays(ctx, build.shared)
    emission.fixed |= local_arrays(emission, kernel, regions)
    if _needs_alive(regions):
        emission.alive = backend.plan.add_array("alive", 1)
    return emission


def _needs_alive(regions: Regions) -> bool:
    """Whether threads that have returned must be remembered: others still meet, or ask who takes part."""
    last = regions.schedule[-1] if regions.schedule else None
    returns = any(
        isinstance(inner, tir.Return)
        for node in walk_schedule(regions.schedule) if isinstance(node, ThreadLoop) and node is not last
        for statement in node.statements for inner in tir.walk(statement)
    )
    return returns or any(
        isinstance(node, Meet) and node.collective.scope is tir.Scope.BLOCK and node.collective.meaning is not None
        for node in walk_schedule(regions.schedule)
    )


def _emit_blocks(emission: Emission, kernel: tir.Kernel, regions: Regions) -> None:
    """The loop over blocks with the schedule inside."""
    emitter, backend = emission.ctx.emitter, emission.backend
    loop = open_block_loop(emitter, backend.block.record)
    _enter_block(emission.ctx, backend, loop)
    emission.done = loop.skip
    emission.uniform_failing = FaultExit(emitter.new_block("block.fault"))
    emitter.store(Value("i1", "false"), emission.failed)
    if emission.alive is not None:
        emitter.store(backend.block.threads, emission.live)
        emitter.do(f"call void @llvm.memset.p0.i64({emission.alive}, i8 1, {backend.block.threads}, i1 false)")
        emitter.module.declare("llvm.memset.p0.i64", "void", ["ptr", "i8", "i64", "i1"])
    _start_values(emission, kernel)
    together = None if backend.watch.races else run_of(kernel, regions)
    if together is not None:
        emit_run(emission, loop, together)
    emit_schedule(emission, regions.schedule)
    emitter.branch(loop.skip)
    if emission.uniform_failing.used:
        report_together(emission, emission.uniform_failing, integer(64, 0), backend.block.threads)
        emitter.branch(loop.skip)
    close_block_loop(emitter, loop)


def _enter_block(ctx: FunctionContext, backend: HostBackend, loop: BlockLoop) -> None:
    index = _block_index(ctx.emitter, backend.block, loop.linear)
    backend.block = replace(backend.block, linear=loop.linear, index=index)
    backend.watch.block_start(ctx)


def _start_values(emission: Emission, kernel: tir.Kernel) -> None:
    """Give changing parameters their values again for this block, wherever they live but in private slots."""
    emitter, storage = emission.ctx.emitter, emission.storage
    arrays: list[tir.Local] = []
    for local in kernel.parameters:
        home = storage.homes[local]
        if home is Home.FIXED and local in storage.stored:
            held = storage_type(emission.ctx.module, local.type)
            emitter.store(emitter.load(held, emission.parameters[local]), emission.fixed[local])
        elif home in (Home.THREAD, Home.WARP_ARRAY):
            arrays.append(local)
    if not arrays:
        return

    def body() -> None:
        for local in arrays:
            held = storage_type(emission.ctx.module, local.type)
            emitter.store(emitter.load(held, emission.parameters[local]), emission.ctx.pointers[local])

    thread_region(emission, frozenset(arrays), body)


def _block_index(emitter: Emitter, block: BlockPosition, linear: Value) -> tuple[Value, Value, Value]:
    wide = [emitter.cast("zext", extent, "i64") for extent in block.grid]
    row = emitter.binary("udiv", linear, wide[0])
    parts = (
        emitter.binary("urem", linear, wide[0]), emitter.binary("urem", row, wide[1]),
        emitter.binary("udiv", row, wide[1]),
    )
    x, y, z = (emitter.cast("trunc", part, "i32") for part in parts)
    return x, y, z


def parameter_offsets(kernel: tir.Kernel) -> tuple[int, ...]:
    """Where each parameter lies in the argument record."""
    offsets: list[int] = []
    end = 0
    for parameter in kernel.parameters:
        start = align_up(end, align_of(parameter.type))
        offsets.append(start)
        end = start + size_of(parameter.type)
    return tuple(offsets)
