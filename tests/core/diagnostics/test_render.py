"""The text of diagnostics: carets under the right characters, whatever the line holds."""
from __future__ import annotations

from pathlib import Path

import pytest

from simt.core.diagnostics.diagnostic import Diagnostic, Label, Severity
from simt.core.diagnostics.render import display_width, render
from simt.core.diagnostics.source import column, remember_lines, source_text
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError


def span_of(path: Path, line: int, part: str, call_site: Span | None = None) -> Span:
    """The span of ``part`` on a line of the file."""
    text = path.read_text().splitlines()[line - 1]
    start = len(text[: text.index(part)].encode())
    end = start + len(part.encode())
    return Span(filename=str(path), line=line, col=start, end_line=line, end_col=end, call_site=call_site)


def report(primary: Span, *secondary: Label, text: str = "here", help: str | None = None) -> str:
    return render(
        Diagnostic(
            code="some-code", message="something is wrong", primary=Label(span=primary, text=text),
            secondary=secondary, help=help,
        )
    )


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.py"
    path.write_text(
        "def saxpy(n: i64, a: f32):\n"
        "\té = '日本' + x\n"
        "    y = (a +\n"
        "         n)\n"
        "\n"
        "\n"
        "    return helper(y[0])\n"
    )
    return path


def test_layout(source: Path) -> None:
    because = Label(span=span_of(source, 1, "n: i64"), text="`n` is i64 because of this annotation")
    text = report(span_of(source, 7, "helper(y[0])"), because, text="f32 + i64", help="write `f32(n)`\nor `i64(a)`")
    assert text == "\n".join(
        [
            "error[some-code]: something is wrong",
            f" --> {source}:7:12",
            "  |",
            "1 | def saxpy(n: i64, a: f32):",
            "  |           ------ `n` is i64 because of this annotation",
            "...",
            "7 |     return helper(y[0])",
            "  |            ^^^^^^^^^^^^ f32 + i64",
            "  = help: write `f32(n)`",
            "          or `i64(a)`",
        ]
    )


def test_tabs_and_wide_characters_move_carets_as_they_move_text(source: Path) -> None:
    lines = report(span_of(source, 2, "x")).splitlines()
    shown, carets = lines[3], lines[4]
    assert "\t" not in shown
    # The text before `x` takes as many columns as the blanks before the caret.
    assert display_width(shown[: shown.index("x")]) == carets.index("^")
    assert lines[1].endswith(":2:13"), "the column of the place counts characters"


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("\t", 4), ("ab\t", 4), ("abcd\t", 8), ("日本", 4), ("日\tx", 5),
                        ("e\u0301", 1), ("ｆ", 2), ("\u200b", 0)],
)
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


def test_span_over_several_lines_marks_its_first_and_last(source: Path) -> None:
    span = Span(filename=str(source), line=3, col=8, end_line=4, end_col=11)
    assert report(span).splitlines()[3:] == [
        "3 |     y = (a +", "  |         ^^^^", "4 |          n)", "  |          ^^ here",
    ]
    far = Span(filename=str(source), line=1, col=0, end_line=7, end_col=10)
    assert report(far).splitlines()[3:] == [
        "1 | def saxpy(n: i64, a: f32):", "  | ^^^^^^^^^^^^^^^^^^^^^^^^^^", "...", "7 |     return helper(y[0])",
        "  |     ^^^^^^ here",
    ]


def test_two_labels_on_one_line_show_the_line_once(source: Path) -> None:
    text = report(span_of(source, 1, "a: f32"), Label(span=span_of(source, 1, "n: i64"), text="first"))
    assert text.count("def saxpy") == 1
    assert "^^^^^^ here" in text and "------ first" in text


def test_label_in_another_file(source: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("SIZE = 3\n")
    text = report(span_of(source, 1, "n: i64"), Label(span=span_of(other, 1, "SIZE"), text="defined here"))
    assert f"::: {other}:1:1" in text
    assert "1 | SIZE = 3" in text and "---- defined here" in text


def test_call_chain_is_shown_from_the_kernel_on(source: Path, tmp_path: Path) -> None:
    other = tmp_path / "helpers.py"
    other.write_text("def helper(v):\n    return inner(v)\ndef inner(w):\n    return w + 1\n")
    kernel_call = span_of(source, 7, "helper(y[0])")
    helper_call = span_of(other, 2, "inner(v)", call_site=kernel_call)
    lines = report(span_of(other, 4, "w + 1", call_site=helper_call)).splitlines()
    assert lines[1:4] == [
        f"  in `helper(y[0])` called from {source}:7:12",
        f"  in `inner(v)` called from {other}:2:12",
        f" --> {other}:4:12",
    ]


def test_missing_source_keeps_the_words() -> None:
    text = report(Span(filename="gone.py", line=4, col=2, end_line=4, end_col=3), text="f32 + i64", help="convert")
    assert text.splitlines() == [
        "error[some-code]: something is wrong", " --> gone.py:4:3", "  = the source of gone.py is not available",
        "  = line 4: f32 + i64", "  = help: convert",
    ]


def test_span_outside_of_its_line_is_no_crash(source: Path) -> None:
    assert "here" in report(Span(filename=str(source), line=5, col=90, end_line=5, end_col=95))
    assert "here" in report(Span(filename=str(source), line=99, col=0, end_line=99, end_col=5))


def test_columns_inside_of_a_character_are_no_crash(source: Path) -> None:
    assert "here" in report(Span(filename=str(source), line=2, col=2, end_line=2, end_col=3))


def test_remembered_source() -> None:
    remember_lines("<typed here>", ["x = 1 +\n", "  2\n"])
    span = Span(filename="<typed here>", line=1, col=4, end_line=2, end_col=3)
    assert source_text(span) == "1 + 2"
    assert column(span) == 5
    assert "1 | x = 1 +" in report(span)


def test_warning_and_exception_text(source: Path) -> None:
    diagnostic = Diagnostic(
        code="slow", message="slow", primary=Label(span=span_of(source, 1, "n"), text=""), severity=Severity.WARNING
    )
    assert render(diagnostic).startswith("warning[slow]: slow\n")
    error = CompileError((diagnostic, diagnostic))
    assert str(error) == f"{render(diagnostic)}\n\n{render(diagnostic)}"
    assert not any(line.endswith(" ") for line in str(error).splitlines())
