"""``print`` on a GPU: ``vprintf`` with a format string and a buffer of promoted values.

Source: CUDA C++ Programming Guide, Formatted Output; the buffer holds i32, i64 and double, each at its natural
alignment, as C passes variable arguments. Floats print six significant digits unless a format asks for
more; 128-bit integers print in hexadecimal.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from simt.core.check import tir
from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError
from simt.core.llvm.builder import Value
from simt.core.llvm.complexes import parts_of
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.conversions import convert
from simt.core.llvm.expressions import emit_expression
from simt.core.nvvm.memory import constant_string
from simt.core.types import Kind, ScalarType
from simt.core.types.scalar import F64, I32, I64, U32, U64

_SPECIFICATION = re.compile(
    r"(?P<align>[<>])?(?P<sign>[ +-])?(?P<alternate>#)?(?P<zero>0)?(?P<width>\d+)?"
    r"(\.(?P<digits>\d+))?(?P<type>[dxXoeEfFgG])?"
)


@dataclass(slots=True)
class _Line:
    """The format string and its values so far."""

    format: str
    values: list[Value]


def emit_print(ctx: FunctionContext, message: tir.Message, span: Span) -> None:
    """Print the message and a newline."""
    line = _Line("", [])
    for part in message.parts:
        if isinstance(part, str):
            line.format += part.replace("%", "%%")
        else:
            _add(ctx, line, part[0], part[1], span)
    emitter = ctx.emitter
    text = constant_string(emitter, (line.format + "\n").encode())
    emitter.call("i32", "vprintf", (text, _buffer(ctx, line.values)))


def _add(ctx: FunctionContext, line: _Line, expression: tir.Expr, specification: str, span: Span) -> None:
    value, t = emit_expression(ctx, expression), expression.type
    assert isinstance(t, ScalarType), "the checker prints scalars only"
    if t.kind is Kind.BOOL and not specification:
        line.format += "%s"
        words = [constant_string(ctx.emitter, word) for word in (b"True", b"False")]
        line.values.append(ctx.emitter.select(value, words[0], words[1]))
        return
    if t.is_complex:
        real, imaginary = (_float_format(sign + specification, span) for sign in ("", "+"))
        line.format += f"({real}{imaginary}j)"
        line.values += [convert(ctx, part, t.component, F64) for part in parts_of(ctx, t, value)]
        return
    if t.is_float:
        line.format += _float_format(specification, span)
        line.values.append(convert(ctx, value, t, F64))
        return
    _add_integer(ctx, line, value, t, specification, span)


def _add_integer(
    ctx: FunctionContext, line: _Line, value: Value, t: ScalarType, specification: str, span: Span,
) -> None:
    fields = _fields(specification, span)
    if t.bits == 128:
        line.format += "0x%016llx%016llx"
        high = ctx.emitter.binary("lshr", value, integer(128, 64))
        line.values += [ctx.emitter.cast("trunc", part, "i64") for part in (high, value)]
        return
    if fields["type"] in ("e", "E", "f", "F", "g", "G"):
        line.format += _float_format(specification, span)
        line.values.append(convert(ctx, value, t, F64))
        return
    signed = t.kind is not Kind.UNSIGNED
    wide = (I64 if signed else U64) if t.bits == 64 else (I32 if signed else U32)
    letter = fields["type"] if fields["type"] in ("x", "X", "o") else ("d" if signed else "u")
    flags = _flags(fields)
    line.format += f"%{flags}{fields['width'] or ''}{'ll' if t.bits == 64 else ''}{letter}"
    line.values.append(convert(ctx, value, t, wide))


def _float_format(specification: str, span: Span) -> str:
    fields = _fields(specification, span)
    flags = _flags(fields)
    digits = f".{fields['digits']}" if fields["digits"] else ""
    return f"%{flags}{fields['width'] or ''}{digits}{fields['type'] or 'g'}"


def _flags(fields: dict[str, str | None]) -> str:
    """C's flags: to the right is how it aligns by itself, as Python does with numbers; ``-`` shows no sign."""
    sign = fields["sign"] if fields["sign"] in (" ", "+") else ""
    return "".join(("-" if fields["align"] == "<" else "", sign or "", fields["alternate"] or "", fields["zero"] or ""))


def _fields(specification: str, span: Span) -> dict[str, str | None]:
    """The parts of a format specification that C's printf knows too.

    Raises:
        CompileError: it has others, such as fill, alignment or grouping.
    """
    match = _SPECIFICATION.fullmatch(specification)
    if match is None:
        raise CompileError((Diagnostic(
            code="unsupported-format", message=f"a GPU cannot print with the format {specification!r}",
            primary=Label(span=span, text="printed here"),
            help="use < or >, sign, #, 0, width, precision and one of d x X o e f g, as C's printf has them",
        ),))
    return match.groupdict()


def _buffer(ctx: FunctionContext, values: list[Value]) -> Value:
    """A pointer to the values in memory, each at its natural alignment; null where there are none."""
    emitter, module = ctx.emitter, ctx.module
    if not values:
        return Value(module.pointer("i8"), "null")
    struct = "{ " + ", ".join(value.type for value in values) + " }"
    slot = emitter.alloca(struct, "printed", 8)
    for position, value in enumerate(values):
        emitter.store(value, emitter.member_pointer(struct, slot, integer(32, position), value.type))
    return emitter.cast_pointer(slot, "i8")
