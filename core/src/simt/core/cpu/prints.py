"""``print`` in a kernel: the thread records raw values, which the host formats (``printed_text``)."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.cpu.frame import record_field
from simt.core.cpu.host_kernel import PrintedValue, PrintSite
from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.position import BlockPosition, ThreadPosition
from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import Value
from simt.core.llvm.checks import as_bits
from simt.core.llvm.complexes import parts_of
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.expressions import emit_expression
from simt.core.types import ScalarType


def emit_print(
    ctx: FunctionContext, block: BlockPosition, thread: ThreadPosition, prints: list[PrintSite], message: tir.Message,
    span: Span,
) -> None:
    """Record one line: its site, its thread, and the values as 8-byte words."""
    words: list[Value] = []
    parts: list[str | PrintedValue] = []
    for part in message.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        expression, specification = part
        t = expression.type
        assert isinstance(t, ScalarType)
        parts.append(PrintedValue(t, len(words), specification))
        words += _words(ctx, emit_expression(ctx, expression), t)
    site = PrintSite(span, tuple(parts), len(words))
    if site not in prints:
        prints.append(site)
    emitter = ctx.emitter
    values = emitter.alloca(f"[{max(1, len(words))} x i64]", hint="printed")
    for position, word in enumerate(words):
        emitter.store(word, emitter.let("ptr", f"getelementptr i64, {values}, i64 {position}"))
    function = emitter.load("ptr", record_field(emitter, block.record, LaunchField.PRINT_FUNCTION))
    arguments = [
        block.record, block.linear, thread.linear, integer(64, prints.index(site)), integer(64, len(words)), values,
    ]
    emitter.do(f"call void {function.text}({', '.join(map(str, arguments))}) nounwind")


def _words(ctx: FunctionContext, value: Value, t: ScalarType) -> list[Value]:
    emitter = ctx.emitter
    if t.is_complex:
        return [as_bits(ctx, part, t.component) for part in parts_of(ctx, t, value)]
    if t.bits == 128:
        high = emitter.binary("lshr", value, integer(128, 64))
        return [emitter.cast("trunc", half, "i64") for half in (value, high)]
    return [as_bits(ctx, value, t)]
