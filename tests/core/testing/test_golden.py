"""Golden files: comparing, blessing, and the messages when they differ."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simt.core.testing.golden import check_golden

STAGES = {"hir": "def f():\n    pass\n", "tir": "kernel f()"}
TEXT = "--- hir\ndef f():\n    pass\n\n--- tir\nkernel f()\n"


def test_bless_writes_what_a_check_accepts(tmp_path: Path) -> None:
    path = tmp_path / "f.golden"
    check_golden(path, STAGES, bless=True, command="")
    assert path.read_text() == TEXT
    check_golden(path, STAGES, bless=False, command="")


def test_difference_shows_a_diff_and_the_command(tmp_path: Path) -> None:
    path = tmp_path / "f.golden"
    path.write_text(TEXT)
    with pytest.raises(AssertionError) as caught:
        check_golden(path, STAGES | {"tir": "kernel g()"}, bless=False, command="pytest x --bless")
    assert "-kernel f()\n+kernel g()" in str(caught.value)
    assert "pytest x --bless" in str(caught.value)


def test_missing_file_shows_its_text_to_be(tmp_path: Path) -> None:
    with pytest.raises(AssertionError) as caught:
        check_golden(tmp_path / "f.golden", STAGES, bless=False, command="pytest x --bless")
    assert "does not exist" in str(caught.value) and "kernel f()" in str(caught.value)


TEST_FILE = "def test_it(golden):\n    golden('it', {'hir': 'text'})\n"


def run(folder: Path, *arguments: str, ci: str = "") -> subprocess.CompletedProcess[str]:
    """pytest over a suite that uses the plugin."""
    (folder / "conftest.py").write_text("from simt.core.testing.plugin import *\n")
    (folder / "test_it.py").write_text(TEST_FILE)
    environment = {**os.environ, "CI": ci, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_bless_is_refused_while_ci_is_set(tmp_path: Path) -> None:
    result = run(tmp_path, "--bless", ci="true")
    assert result.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--bless is refused" in result.stderr
    assert not (tmp_path / "it.golden").exists()


def test_option_and_fixture(tmp_path: Path) -> None:
    missing = run(tmp_path)
    assert missing.returncode == pytest.ExitCode.TESTS_FAILED
    assert "pytest test_it.py -k 'test_it' --bless" in missing.stdout
    assert run(tmp_path, "--bless").returncode == 0
    assert (tmp_path / "it.golden").read_text() == "--- hir\ntext\n"
