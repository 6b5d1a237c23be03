"""Messages of libNVVM and of the assembler, brought home to a line of Python."""
from __future__ import annotations

import re

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError, InternalCompilerError, SimtError
from simt.core.nvvm.module import NvvmModule

CODE = "toolchain-rejects"


def rejection(module: NvvmModule, log: str, status: str) -> SimtError:
    """The error for a log of libNVVM: a CompileError where a line of Python stands behind it, else our bug."""
    span = _place_in_ir(module, log)
    if span is None:
        return InternalCompilerError(f"kernel {module.kernel_name}: libNVVM refuses the module ({status}):\n{log}")
    return _compile_error(module.kernel_name, "libNVVM", log, span)


def assembler_rejection(module: NvvmModule, ptx: str, log: str) -> SimtError:
    """The error for a log of the assembler.

    A line of PTX leads to a line of Python through the ``.loc`` above it. A resource that the kernel asks too much of
    (shared memory, parameters) is placed at its ``def``.
    """
    errors = [line for line in log.splitlines() if "error" in line.lower() or "fatal" in line.lower()]
    text = "\n".join(errors) or log
    number = re.search(r"line (\d+)", text)
    if number is not None:
        span = _place_in_ptx(module, ptx, int(number[1]))
        if span is not None:
            return _compile_error(module.kernel_name, "the assembler", text, span)
    if "uses too much" in text or "exceeds" in text:
        return _compile_error(module.kernel_name, "the assembler", text, module.kernel_span)
    return InternalCompilerError(f"kernel {module.kernel_name}: the assembler refuses the PTX:\n{log}")


def _compile_error(kernel_name: str, tool: str, text: str, span: Span) -> CompileError:
    return CompileError((Diagnostic(
        code=CODE, message=f"{tool} refuses kernel {kernel_name}: {text.splitlines()[0]}",
        primary=Label(span=span, text="compiled from here"),
    ),))


def _place_in_ir(module: NvvmModule, log: str) -> Span | None:
    """By the line number of a parse error, or by the instruction that the verifier quotes."""
    position = re.search(r"\((\d+), \d+\)", log)
    if position is not None and 0 < int(position[1]) <= len(module.lines):
        return module.lines[int(position[1]) - 1][1]
    quoted = re.search(r"context:\s*(.+)", log)
    if quoted is None:
        return None
    return next((span for line, span in module.lines if quoted[1].strip() in line), None)


def _place_in_ptx(module: NvvmModule, ptx: str, number: int) -> Span | None:
    """The span of the nearest ``.loc`` at or above line ``number``: the one of the kernel's spans on that line."""
    for line in reversed(ptx.splitlines()[:number]):
        location = re.match(r"\s*\.loc\s+\d+\s+(\d+)\s+(\d+)", line)
        if location is not None:
            wanted = int(location[1]), int(location[2]) - 1
            spans = [span for _, span in module.lines if span is not None]
            return next((span for span in spans if (span.line, span.col) == wanted), None)
    return None
