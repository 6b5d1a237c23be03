"""The shared emission on the host, through a minimal back end: one thread, no intrinsics, faults end the function.

A kernel's arguments are one C struct, whose address is the compiled function's first argument; the second is where a
fault is recorded: site number plus one, then the values.
"""
from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass

import llvmlite.binding as llvm

from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import Emitter, Module, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Access, FunctionContext, stack_slot
from simt.core.llvm.faults import Site
from simt.core.llvm.memory import Address, load_from, member_address
from simt.core.llvm.statements import emit_statements
from simt.core.llvm.types import memory_type
from simt.core.llvm.variables import assign
from simt.core.options import Options
from simt.core.passes.local_ranges import facts_of
from simt.core.types import AddressSpace, TupleType

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
WORDS = 16  # 64-bit words of a fault record


class HostBackend:
    """Answers for one thread on the host."""

    float_flags = ""

    def intrinsic(self, ctx, callee, arguments, types, result):
        raise AssertionError("no intrinsics here")

    def collective(self, ctx, node):
        raise AssertionError("one thread has nobody to wait for")

    def fault(self, ctx: FunctionContext, site: Site, values: tuple[Value, ...]) -> None:
        words = [integer(64, ctx.sites.number_of(site) + 1), *values]
        for position, word in enumerate(words):
            slot = ctx.emitter.element_pointer("i64", Value("ptr", "%record"), integer(64, position))
            ctx.emitter.store(word, slot)
        self.end_thread(ctx)

    def end_thread(self, ctx: FunctionContext) -> None:
        ctx.emitter.terminate("ret void")

    def print(self, ctx, message, span):
        raise AssertionError("nothing prints here")

    def local_pointer(self, ctx: FunctionContext, local: tir.Local) -> Value:
        return stack_slot(ctx, local)

    def dynamic_shared(self, ctx):
        raise AssertionError("no shared memory here")

    def remainder(self, ctx: FunctionContext, lhs: Value, rhs: Value) -> Value:
        return ctx.emitter.binary("frem", lhs, rhs)

    def float_to_integer(self, ctx: FunctionContext, value: Value, bits: int, signed: bool) -> Value:
        kind = "f64" if value.type == "double" else "f32"
        return ctx.emitter.call(f"i{bits}", f"llvm.fpto{'s' if signed else 'u'}i.sat.i{bits}.{kind}", (value,))

    def load_suffix(self, ctx: FunctionContext, place: tir.Place) -> str:
        return ""

    def before_access(self, ctx: FunctionContext, access: Access) -> None:
        return None

    def before_loop(self, ctx: FunctionContext) -> None:
        return None

    def debug_location(self, ctx: FunctionContext, span: Span) -> str:
        return ""


@dataclass(frozen=True)
class Compiled:
    """Machine code of one kernel, with its sites. Keep it while its code runs."""

    engine: llvm.ExecutionEngine
    sites: Sequence[Site]
    text: str

    def run(self, arguments: bytes) -> tuple[Site, list[int]] | None:
        """Run with packed arguments; gives the fault's site and recorded words, if any."""
        record = (ctypes.c_int64 * WORDS)()
        packed = ctypes.create_string_buffer(arguments, max(1, len(arguments)))
        address = self.engine.get_function_address("kernel")
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(packed, record)
        return None if record[0] == 0 else (self.sites[record[0] - 1], list(record[1:]))


def compile_on_host(
    kernel: tir.Kernel, *, checks: bool = False, small: bool = False, opt: int = 2,
    proven: frozenset[int] = frozenset(),
) -> Compiled:
    """Emit, verify, optimise and compile."""
    module = Module(typed_pointers=False)
    emitter = Emitter(module, "define void @kernel(ptr %arguments, ptr %record)")
    ctx = FunctionContext(
        emitter=emitter, kernel=kernel, options=Options(), backend=HostBackend(), checks=checks, small=small,
        facts=facts_of(kernel, small), proven=proven,
    )
    packed = TupleType(tuple(parameter.type for parameter in kernel.parameters))
    start = Address(Value("ptr", "%arguments"), packed, memory_type(module, packed), AddressSpace.GENERIC, 16)
    for position, parameter in enumerate(kernel.parameters):
        assign(ctx, parameter, load_from(ctx, member_address(ctx, start, position)))
    emit_statements(ctx, kernel.body)
    emitter.terminate("ret void")
    return Compiled(_machine_code(module.text(), opt), ctx.sites.sites, module.text())


def _machine_code(text: str, opt: int) -> llvm.ExecutionEngine:
    machine = llvm.Target.from_default_triple().create_target_machine(
        opt=opt, cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten()
    )
    layout = f'target datalayout = "{machine.target_data}"\n'
    parsed = llvm.parse_assembly(layout + text)
    parsed.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=opt))
    builder.getModulePassManager().run(parsed, builder)
    missing = set(re.findall(r"__\w+(?:ti|df|tf|hf)\w*", machine.emit_assembly(parsed)))
    assert not missing, f"calls to compiler-rt, which a JIT does not have: {missing}"
    engine = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    return engine
