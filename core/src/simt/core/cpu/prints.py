"""``print`` in a kernel: the thread records raw values, and the host formats them as Python does."""
from __future__ import annotations

import struct

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
from simt.core.types import Kind, ScalarType
from simt.core.values.operators import SCALAR_CLASSES

PRINT_BYTES = 1 << 20
"""Size of the buffer that holds one launch's lines."""
HEADER = struct.Struct("<qqqq")  # bytes of the line's record, site, linear block, linear thread


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


def printed_text(sites: tuple[PrintSite, ...], used: int, buffer: bytes) -> str:
    """All lines of a launch, block by block in the order of their indices, each block's in the order it printed them.

    ``used`` counts the bytes that the kernel wanted; where ``buffer`` was too small, a last line says so.
    """
    lines: list[tuple[int, str]] = []
    position = 0
    while position + HEADER.size <= min(used, len(buffer)):
        size, number, block, _ = HEADER.unpack_from(buffer, position)
        if size == 0:
            break
        site = sites[number]
        words = struct.unpack_from(f"<{site.words}Q", buffer, position + HEADER.size)
        lines.append((block, "".join(part if isinstance(part, str) else _formatted(part, words) for part in site.parts)))
        position += size
    lines.sort(key=lambda line: line[0])
    text = "".join(f"{line}\n" for _, line in lines)
    if used > len(buffer):
        text += f"(the launch printed {used} bytes of lines; {len(buffer)} are kept, the rest is lost)\n"
    return text


def _formatted(value: PrintedValue, words: tuple[int, ...]) -> str:
    t = value.type
    number = _number(t, words[value.word : value.word + 2])
    if t.kind is Kind.BOOL:
        return format(bool(number), value.format)
    return format(SCALAR_CLASSES[t](number), value.format)


def _number(t: ScalarType, words: tuple[int, ...]) -> int | float | complex:
    match t.kind:
        case Kind.BOOL:
            return words[0] & 1
        case Kind.SIGNED | Kind.UNSIGNED:
            whole = words[0] | (words[1] << 64 if t.bits == 128 else 0)
            whole &= (1 << t.bits) - 1
            return whole - (1 << t.bits) if whole > t.maximum else whole
        case Kind.FLOAT:
            return _double(words[0])
        case Kind.COMPLEX:
            return complex(_double(words[0]), _double(words[1]))


def _double(word: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", word))[0]


