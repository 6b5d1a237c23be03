"""A GPU's answers to the questions of ``llvm.context.Backend``."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Access, FunctionContext, stack_slot
from simt.core.llvm.expressions import emit_all
from simt.core.llvm.faults import Site
from simt.core.llvm.variables import assign
from simt.core.nvvm.debug_lines import LineTable
from simt.core.nvvm.faults import FaultPath
from simt.core.nvvm.intrinsics import emit_intrinsic
from simt.core.nvvm.memory import dynamic_shared
from simt.core.nvvm.module import invariant_load
from simt.core.nvvm.printing import emit_print
from simt.core.types import Access as ArrayAccess
from simt.core.types import ArrayType, Type

if TYPE_CHECKING:
    from simt.core.check.tir import AnyIntrinsic

_FLOAT_TO_INTEGER = {
    ("float", 32): ("f2i", "f2ui"), ("float", 64): ("f2ll", "f2ull"),
    ("double", 32): ("d2i", "d2ui"), ("double", 64): ("d2ll", "d2ull"),
}


@dataclass(slots=True, kw_only=True)
class NvvmBackend:
    """The state of one kernel that only a GPU needs. ``line_table`` is None where no line information is wanted;
    ``inputs_change`` where earlier launches may write to the inputs while the kernel runs."""

    float_flags: str
    fault_path: FaultPath
    line_table: LineTable | None
    inputs_change: bool

    def intrinsic(
        self, ctx: FunctionContext, callee: AnyIntrinsic, arguments: tuple[Value, ...], types: tuple[Type, ...],
        result: Type | None,
    ) -> Value | None:
        return emit_intrinsic(ctx, callee, arguments, types, result)

    def collective(self, ctx: FunctionContext, node: tir.Collective) -> None:
        """Hardware does the meeting: a collective is called like any intrinsic."""
        types = tuple(argument.type for argument in node.arguments)
        result = None if node.target is None else node.target.type
        value = emit_intrinsic(ctx, node.callee, emit_all(ctx, node.arguments), types, result)
        if node.target is not None and value is not None:
            assign(ctx, node.target, value)

    def fault(self, ctx: FunctionContext, site: Site, values: tuple[Value, ...]) -> None:
        self.fault_path.fail(ctx.sites.number_of(site), values)

    def end_thread(self, ctx: FunctionContext) -> None:
        ctx.emitter.terminate("ret void")

    def print(self, ctx: FunctionContext, message: tir.Message, span: Span) -> None:
        emit_print(ctx, message, span)

    def local_pointer(self, ctx: FunctionContext, local: tir.Local) -> Value:
        return stack_slot(ctx, local)

    def dynamic_shared(self, ctx: FunctionContext) -> Value:
        return dynamic_shared(ctx.emitter)

    def remainder(self, ctx: FunctionContext, lhs: Value, rhs: Value) -> Value:
        """By libdevice: LLVM 7 lowers ``frem`` to a division and a product, which is wrong for large quotients."""
        name = "__nv_fmod" if lhs.type == "double" else "__nv_fmodf"
        return ctx.emitter.call(lhs.type, name, (lhs, rhs), "nounwind readnone")

    def float_to_integer(self, ctx: FunctionContext, value: Value, bits: int, signed: bool) -> Value:
        """PTX's ``cvt.rzi`` saturates. It gives 0 for NaN from f32 to 32 bits; elsewhere 0 is chosen here.

        Source: PTX ISA, Data Movement and Conversion Instructions: cvt.
        """
        emitter = ctx.emitter
        name = _FLOAT_TO_INTEGER[value.type, bits][0 if signed else 1]
        converted = emitter.call(f"i{bits}", f"llvm.nvvm.{name}.rz", (value,))
        if value.type == "float" and bits == 32:
            return converted
        return emitter.select(emitter.compare("fcmp uno", value, value), integer(bits, 0), converted)

    def load_suffix(self, ctx: FunctionContext, place: tir.Place) -> str:
        """Nobody writes to an ``In`` parameter while the kernel runs: the launch refuses such arguments. A kernel that
        waits for the launch before it runs beside that one."""
        if self.inputs_change:
            return ""
        base = place
        while isinstance(base, tir.Member | tir.Item):
            base = base.place
        if not isinstance(base, tir.Element) or not isinstance(base.array, tir.Ref):
            return ""
        local = base.array.local
        is_input = isinstance(local.type, ArrayType) and local.type.access is ArrayAccess.IN
        return invariant_load(ctx.module) if is_input and local in ctx.kernel.parameters else ""

    def before_access(self, ctx: FunctionContext, access: Access) -> None:
        return None

    def before_loop(self, ctx: FunctionContext) -> None:
        return None

    def debug_location(self, ctx: FunctionContext, span: Span) -> str:
        return "" if self.line_table is None else f", !dbg {self.line_table.location(span)}"
