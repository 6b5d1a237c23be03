"""The runner of Markdown tests, with a stand-in for the compiler: it reports what the text itself asks for."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from simt.core.diagnostics.diagnostic import Diagnostic, Label, Severity
from simt.core.diagnostics.span import Span
from simt.core.testing.markdown import CompileResult, check_section, sections

ERROR = Severity.ERROR
WARNING = Severity.WARNING


def diagnostic(filename: str, line: int, part: str, code: str, text: str, severity: Severity) -> Diagnostic:
    start = text.index(part)
    span = Span(filename=filename, line=line, col=start, end_line=line, end_col=start + len(part))
    message = "the type is i64" if code == "revealed-type" else f"{part} is wrong"
    return Diagnostic(code=code, message=message, primary=Label(span=span, text="here"), severity=severity)


def compile_text(text: str, filename: str) -> CompileResult:
    """An error for each ``bad``, a warning for each ``slow``, a type for each ``reveal_type(i)``; prints are run."""
    found: list[Diagnostic] = []
    output = ""
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("#")[0]
        found += [diagnostic(filename, number, "bad", "bad-name", code, ERROR)] if "bad" in code else []
        found += [diagnostic(filename, number, "slow", "slow-name", code, WARNING)] if "slow" in code else []
        found += [diagnostic(filename, number, "i)", "revealed-type", code, WARNING)] if "reveal" in code else []
        output += "".join(f"{word}\n" for word in re.findall(r"print\('(\w+)'\)", code))
    return CompileResult(tuple(found), output)


def problems(path: Path, text: str, *, bless: bool = False) -> str:
    """All problems of a file with this text."""
    path.write_text(text)
    shown: list[str] = []
    for section in sections(path):
        try:
            check_section(section, compile_text, bless=bless)
        except AssertionError as error:
            shown.append(str(error))
    return "\n".join(shown)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rules.md"


GOOD = """\
# Rules
Prose with a `#` and no code.

## First
```py
x = 1
y = bad  # error: 5 [bad-name]
```
More prose.
```py
# a comment is no heading
z = bad + slow  # error: [bad-name] # warning: 11 [slow-name]
reveal_type(i)  # revealed: i64
print('one')
```
```output
one
```

## Second
```py
v = slow  # warning: 5 [slow-name]
```
```snapshot
warning[slow-name]: slow is wrong
 --> example.py:1:5
  |
1 | v = slow  # warning: 5 [slow-name]
  |     ^^^^ here
```
"""


def test_met_expectations(path: Path) -> None:
    assert problems(path, GOOD) == ""
    assert [section.heading for section in sections(path)] == ["First", "Second"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = bad\n", 3, "not expected: `# error: 5 [bad-name]`"),
        ("x = 1  # error: [bad-name]\n", 3, "expected `# error: [bad-name]`, found nothing"),
        ("\nx = bad  # error: 6 [bad-name]\n", 4, "expected `# error: 6 [bad-name]`, found ['# error: 5 [bad-name]']"),
        ("x = bad  # error: [other-name]\n", 3, "not expected"),
        ("x = slow  # error: [slow-name]\n", 3, "not expected: `# warning: 5 [slow-name]`"),
        ("reveal_type(i)  # revealed: i32\n", 3, "found ['# revealed: i64']"),
        ("reveal_type(i)\n", 3, "not expected: `# revealed: i64`"),
    ],
)
def test_disagreements_name_the_line_of_the_file(path: Path, text: str, line: int, words: str) -> None:
    found = problems(path, f"# Heading\n```py\n{text}```\n")
    assert f"{path}:{line}: " in found
    assert words in found


def test_lines_of_later_blocks(path: Path) -> None:
    found = problems(path, "# H\n```py\nx = 1\n```\nprose\n\n```py\ny = bad\n```\n")
    assert f"{path}:8: not expected" in found
    assert "2 | y = bad" in found, "the source is shown"


def test_snapshot_and_output_that_differ(path: Path) -> None:
    text = GOOD.replace("^^^^ here", "^^^^ there").replace("\none\n", "\ntwo\n")
    found = problems(path, text)
    assert "-  |     ^^^^ there\n+  |     ^^^^ here" in found
    assert "-two\n+one" in found
    assert "--bless" in found


def test_bless_rewrites_blocks_and_nothing_else(path: Path) -> None:
    text = GOOD.replace("^^^^ here", "^^^^ there").replace("\none\n", "\ntwo\nthree\nfour\n").replace("  |\n", "")
    assert problems(path, text, bless=True) == ""
    assert path.read_text() == GOOD
    assert problems(path, GOOD) == ""


def test_bless_does_not_excuse_wrong_comments(path: Path) -> None:
    text = GOOD.replace("# error: 5", "# error: 4")
    assert "expected `# error: 4 [bad-name]`" in problems(path, text, bless=True)
    assert path.read_text() == text


@pytest.mark.parametrize(("text", "words"), [("```py\nx\n", "not closed"), ("```python\nx\n```\n", "not ```python")])
def test_broken_files(path: Path, text: str, words: str) -> None:
    path.write_text(f"# H\n{text}")
    with pytest.raises(ValueError, match=re.escape(words)):
        sections(path)
