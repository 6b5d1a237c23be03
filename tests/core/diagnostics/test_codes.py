"""The table of codes, and the command that shows it."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from simt.core import errors as core_errors
from simt.core import explain
from simt.core.diagnostics.codes import CODES
from simt.core.frontend.unsupported import REFUSALS


def test_codes_are_kebab_case_sorted_and_unique() -> None:
    assert list(CODES) == sorted(CODES)
    for name, code in CODES.items():
        assert name == code.code
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), name
        assert code.rule.endswith((".", "?")) and code.rule[0] == code.rule[0].upper()


@pytest.mark.parametrize("name", CODES)
def test_examples_are_python(name: str) -> None:
    newer = {"type-parameters", "type-statement", "template-string"}  # syntax of Python 3.12 and 3.14
    for text in (CODES[name].failing, CODES[name].corrected):
        if name not in newer or text is CODES[name].corrected:
            ast.parse(text)
    assert CODES[name].failing != CODES[name].corrected


def test_every_refusal_has_its_code() -> None:
    assert {refusal.code for refusal in REFUSALS.values()} <= set(CODES)


def test_explain_shows_an_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.main(["loop-else"]) == 0
    shown = capsys.readouterr().out
    assert CODES["loop-else"].rule in shown
    assert "    found = False" in shown


def test_explain_lists_all_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.main([]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(CODES)


def test_explain_offers_the_nearest_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.main(["loop-els"]) == 2
    assert "loop-else" in capsys.readouterr().err


def reported_codes() -> dict[str, str]:
    """Codes that the compiler's own text reports, with a place: ``code="..."``, and what ``error`` and ``warn`` get."""
    found: dict[str, str] = {}
    for path in sorted(Path(core_errors.__file__).parent.rglob("*.py")):
        if path.parent.name in ("testing", "diagnostics"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            texts = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("error", "warn"):
                texts += node.args[:1]
            for text in texts:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found[text.value] = f"{path.name}:{node.lineno}"
    return found


def test_every_reported_code_is_in_the_table() -> None:
    unreachable = {"bad-target"}  # Python's grammar has no other targets than those that kernels have
    missing = {code: place for code, place in reported_codes().items() if code not in CODES}
    assert set(missing) <= unreachable, missing
    assert len(reported_codes()) > 50, "the search finds them"
