"""The arguments of a call as they are written: what messages about one of them point at and offer to write."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simt.core.diagnostics.source import source_text
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir

MAX_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument. ``span`` is its own where it is ``written``, the whole call's where the call has it otherwise:
    a receiver, a default, an operand of an overloaded operator."""

    callee: str
    name: str
    span: Span
    call: Span
    written: bool

    def within(self, function: str) -> str:
        """The argument as ``function`` converts it, shown in its call where that is short."""
        text = source_text(self.span) if self.written else None
        if text is None or len(text) > MAX_SHOWN:
            return f"{function}(...)"
        conversion = f"{function}({text})"
        whole, first, last = source_text(self.call), self.call.line, self.call.end_line
        if whole is None or first != last or self.span.line != first:
            return conversion
        raw = whole.encode()
        before = raw[: self.span.col - self.call.col].decode(errors="ignore")
        after = raw[self.span.end_col - self.call.col :].decode(errors="ignore")
        shown = f"{before}{conversion}{after}"
        return shown if len(shown) <= MAX_SHOWN else conversion


def arguments_of(
    node: hir.Call | None, callee: str, names: Sequence[str], count: int, call: Span,
) -> dict[str, Argument]:
    """The arguments by parameter. ``count``: how many are positional, a method's receiver among them."""
    spans: dict[str, Span] = {}
    if node is not None:
        receivers = count - len(node.arguments)
        spans = {name: value.span for name, value in zip(names[receivers:], node.arguments, strict=False)}
        spans.update((name, value.span) for name, value in node.keywords)
    return {name: Argument(callee, name, spans.get(name, call), call, name in spans) for name in names}
