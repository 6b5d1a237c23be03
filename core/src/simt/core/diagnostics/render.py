"""A diagnostic as text: header, place, source lines with carets, help. Nothing else makes text of diagnostics.

Layout::

    error[mixed-operands]: cannot add f32 and i64
      in `helper(x[i])` called from saxpy.py:12:9
     --> helpers.py:4:16
      |
    1 | def helper(n: i64, a: f32):
      |            ------ `n` is i64 because of this annotation
    ...
    4 |     return a + n
      |            ^^^^^ f32 + i64
      = help: write the conversion you mean: `a + f32(n)`
"""
from __future__ import annotations

from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.source import column, source_line, source_text
from simt.core.diagnostics.span import Span

TAB = 4
"""Tabs are shown as spaces up to the next multiple of this, so that carets stand where the text does."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """An underline on one line: byte columns, and words behind it. ``end`` None reaches to the end of the line."""

    line: int
    col: int
    end: int | None
    sign: str
    text: str


def display_width(text: str) -> int:
    """Columns that ``text`` takes on a terminal: tabs to the next stop, wide characters two, combining ones none."""
    width = 0
    for character in text:
        if character == "\t":
            width += TAB - width % TAB
        elif not combining(character) and character not in "\u200b\u200d\ufe0f":
            width += 2 if east_asian_width(character) in "WF" else 1
    return width


def _expand_tabs(text: str) -> str:
    """``text`` with tabs as spaces, by screen column; ``str.expandtabs`` counts wide characters as one."""
    out = ""
    for character in text:
        out += " " * (TAB - display_width(out) % TAB) if character == "\t" else character
    return out


def render(diagnostic: Diagnostic) -> str:
    """The diagnostic in the layout above, without a final line end. Never raises for missing or changed source."""
    span = diagnostic.primary.span
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}", *_call_chain(span)]
    labels = [(diagnostic.primary, "^"), *((label, "-") for label in diagnostic.secondary)]
    gutter = max(len(str(label.span.end_line)) for label, _ in labels)
    lines.append(f"{' ' * gutter}--> {_place(span)}")
    for number, filename in enumerate(dict.fromkeys(label.span.filename for label, _ in labels)):
        here = [(label, sign) for label, sign in labels if label.span.filename == filename]
        if number:
            lines.append(f"{' ' * gutter}::: {_place(here[0][0].span)}")
        lines += _snippet(here, gutter)
    if diagnostic.help is not None:
        head, *rest = diagnostic.help.split("\n")
        lines.append(f"{' ' * gutter} = help: {head}")
        lines += [f"{' ' * gutter}         {line}".rstrip() for line in rest]
    return "\n".join(lines)


def _place(span: Span) -> str:
    """``file:line:column``, clickable in most terminals."""
    return f"{span.filename}:{span.line}:{column(span)}"


def _call_chain(span: Span) -> list[str]:
    """One line for each call the compiler went through to get here, the kernel's own call first."""
    chain: list[str] = []
    site = span.call_site
    while site is not None:
        text = source_text(site)
        what = "" if text is None else f"in `{text if len(text) <= 60 else text[:57] + '...'}` "
        chain.append(f"  {what}called from {_place(site)}")
        site = site.call_site
    return chain[::-1]


def _snippet(labels: list[tuple[Label, str]], gutter: int) -> list[str]:
    """The source lines of one file with their underlines; only the labels' words where the source cannot be had."""
    marks = sorted((mark for label, sign in labels for mark in _marks(label, sign)), key=lambda mark: mark.line)
    pad = " " * gutter
    lines, shown = [f"{pad} |"], 0
    for mark in marks:
        text = source_line(labels[0][0].span.filename, mark.line)
        if text is None:
            if mark.text:
                lines.append(f"{pad} = line {mark.line}: {mark.text}")
            continue
        if mark.line != shown:
            if shown and mark.line > shown + 1:
                lines.append("...")
            lines.append(f"{mark.line:>{gutter}} | {_expand_tabs(text)}".rstrip())
            shown = mark.line
        start, end = _screen_columns(text, mark)
        lines.append(f"{pad} | {' ' * start}{mark.sign * max(1, end - start)} {mark.text}".rstrip())
    if not shown:
        lines[0] = f"{pad} = the source of {labels[0][0].span.filename} is not available"
    return lines


def _marks(label: Label, sign: str) -> list[_Mark]:
    """One underline, or two for a span over several lines: its first and its last line; the words go to the last."""
    span = label.span
    if span.end_line <= span.line:
        return [_Mark(span.line, span.col, span.end_col, sign, label.text)]
    return [_Mark(span.line, span.col, None, sign, ""), _Mark(span.end_line, -1, span.end_col, sign, label.text)]


def _screen_columns(text: str, mark: _Mark) -> tuple[int, int]:
    """Screen columns of a mark's byte range. ``col`` -1 starts at the line's first character that is not blank."""
    raw = text.encode()
    col = len(raw) - len(raw.lstrip()) if mark.col < 0 else mark.col
    end = len(raw.rstrip()) if mark.end is None else mark.end
    before, upto = raw[:col].decode(errors="ignore"), raw[:end].decode(errors="ignore")
    return display_width(before), display_width(upto)
