"""Tests written as Markdown: prose says a rule, kernels show it, comments on the lines say what the compiler reports.

A section is a heading with ``py`` blocks under it; its blocks together are one module. Expectations::

    out[i] = a + n   # error: 14 [mixed-operands]      column from 1, may be left out; several on a line are fine
    out[i] = 1.5     # warning: [double-precision]
    reveal_type(i)   # revealed: i64

Every diagnostic must be expected and every expectation met. A ``snapshot`` block holds all diagnostics of the section
as text, an ``output`` block what the module prints; ``--bless`` rewrites those two, never the comments.
"""
from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from simt.core.diagnostics.diagnostic import Diagnostic
from simt.core.diagnostics.render import render
from simt.core.diagnostics.source import column

FILENAME = "example.py"
"""The file that a section's module seems to be in. Line 1 is the first line of its first block."""

_EXPECTED = re.compile(r"#\s*(error|warning):\s*(\d+)?\s*\[([a-z0-9-]+)\]")
_REVEALED = re.compile(r"#\s*revealed:\s*([^#]*[^#\s])")
_REVEALED_CODE, _REVEALED_MESSAGE = "revealed-type", "the type is "


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What became of a module: all diagnostics, and what it printed when it ran (None where it was not run)."""

    diagnostics: tuple[Diagnostic, ...]
    output: str | None = None


CompileText = Callable[[str, str], CompileResult]
"""Compiles all kernels of a module text under a file name, and runs the module if nothing is wrong."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: ``first`` is the number in the file, from 1, of its first line of content; ``text`` is that."""

    kind: str
    first: int
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the blocks under it."""

    path: Path
    heading: str
    blocks: tuple[Block, ...]

    @property
    def code(self) -> str:
        """The module that its ``py`` blocks make."""
        return "".join(block.text for block in self.blocks if block.kind == "py")

    def place(self, line: int) -> str:
        """Where a line of the module stands in the Markdown file."""
        for block in self.blocks:
            if block.kind == "py":
                count = block.text.count("\n")
                if line <= count:
                    return f"{self.path}:{block.first + line - 1}"
                line -= count
        return str(self.path)


def sections(path: Path) -> list[Section]:
    """The sections of a file that have code.

    Raises:
        ValueError: a block is not closed, or is of no known kind.
    """
    found: list[tuple[str, list[Block]]] = [(path.stem, [])]
    lines = iter(enumerate(path.read_text().splitlines(keepends=True), 1))
    for number, line in lines:
        if line.startswith("```"):
            kind = line[3:].strip()
            if kind not in ("py", "snapshot", "output", "text"):
                raise ValueError(f"{path}:{number}: a block is ```py, ```snapshot, ```output or ```text, not ```{kind}")
            found[-1][1].append(Block(kind, number + 1, _block_text(path, number, lines)))
        elif line.startswith("#"):
            found.append((line.strip("# \n"), []))
    return [
        Section(path, heading, tuple(blocks)) for heading, blocks in found if any(b.kind == "py" for b in blocks)
    ]


def _block_text(path: Path, opened: int, lines: Iterator[tuple[int, str]]) -> str:
    text = ""
    for _, line in lines:
        if line.rstrip() == "```":
            return text
        text += line
    raise ValueError(f"{path}:{opened}: this block is not closed")


def check_section(section: Section, compile_text: CompileText, *, bless: bool = False) -> None:
    """Compile a section and compare.

    Args:
        section: one of ``sections``.
        compile_text: the compiler under test.
        bless: write ``snapshot`` and ``output`` blocks that differ instead of failing for them.
    Raises:
        AssertionError: every disagreement, one paragraph each.
    """
    code = section.code
    linecache.cache[FILENAME] = (len(code), None, code.splitlines(keepends=True), FILENAME)
    result = compile_text(code, FILENAME)
    problems = [*_unmet(section, result.diagnostics), *_unexpected(section, result.diagnostics)]
    shown = [render(d) for d in result.diagnostics if d.code != _REVEALED_CODE]
    found = {"snapshot": "\n\n".join(shown) + "\n", "output": result.output or ""}
    for block in section.blocks:
        if block.kind in found and block.text != found[block.kind]:
            if bless:
                _rewrite(section.path, block, found[block.kind])
            else:
                problems.append(_difference(section, block, found[block.kind]))
    if problems:
        raise AssertionError("\n\n".join(problems))


@dataclass(frozen=True, slots=True)
class _Expectation:
    """``column`` is None where the comment leaves it out; ``text`` is the code, or the type for ``revealed``."""

    line: int
    kind: str
    column: int | None
    text: str

    def __str__(self) -> str:
        if self.kind == "revealed":
            return f"# revealed: {self.text}"
        return f"# {self.kind}: {'' if self.column is None else f'{self.column} '}[{self.text}]"


def _expectations(code: str) -> list[_Expectation]:
    found: list[_Expectation] = []
    for number, line in enumerate(code.splitlines(), 1):
        for match in _EXPECTED.finditer(line):
            where = int(match[2]) if match[2] else None
            found.append(_Expectation(number, match[1], where, match[3]))
        found += [_Expectation(number, "revealed", None, match[1]) for match in _REVEALED.finditer(line)]
    return found


def _reported(diagnostic: Diagnostic) -> _Expectation:
    """The comment that would expect this diagnostic."""
    line = diagnostic.primary.span.line
    if diagnostic.code == _REVEALED_CODE:
        return _Expectation(line, "revealed", None, diagnostic.message.removeprefix(_REVEALED_MESSAGE))
    return _Expectation(line, str(diagnostic.severity), column(diagnostic.primary.span), diagnostic.code)


def _meets(reported: _Expectation, expected: _Expectation) -> bool:
    same = (reported.line, reported.kind, reported.text) == (expected.line, expected.kind, expected.text)
    return same and expected.column in (None, reported.column)


def _unmet(section: Section, diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    reported = list(map(_reported, diagnostics))
    problems: list[str] = []
    for expected in _expectations(section.code):
        if not any(_meets(report, expected) for report in reported):
            here = [str(report) for report in reported if report.line == expected.line]
            problems.append(f"{section.place(expected.line)}: expected `{expected}`, found {here or 'nothing'}")
    return problems


def _unexpected(section: Section, diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    expected = _expectations(section.code)
    return [
        f"{section.place(diagnostic.primary.span.line)}: not expected: `{_reported(diagnostic)}`\n{render(diagnostic)}"
        for diagnostic in diagnostics
        if not any(_meets(_reported(diagnostic), expectation) for expectation in expected)
    ]


def _difference(section: Section, block: Block, found: str) -> str:
    place = f"{section.path}:{block.first}"
    diff = unified_diff(
        block.text.splitlines(), found.splitlines(), f"{place} ({block.kind})", "found", lineterm="", n=100
    )
    return "\n".join([*diff, "if the new text is right: pytest --bless with this test"])


def _rewrite(path: Path, block: Block, text: str) -> None:
    """Replace the content of a block. Earlier rewrites may have moved it, so it is looked for from its line on."""
    lines = path.read_text().splitlines(keepends=True)
    old = block.text.splitlines(keepends=True)
    whole = [f"```{block.kind}\n", *old, "```\n"]
    lines[-1] = lines[-1].rstrip("\n") + "\n"
    starts = [n + 1 for n in range(len(lines)) if lines[n : n + len(whole)] == whole]
    start = min(starts, key=lambda n: abs(n - (block.first - 1)))
    lines[start : start + len(old)] = text.splitlines(keepends=True)
    path.write_text("".join(lines))
