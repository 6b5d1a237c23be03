"""Functions typed at Python's own prompt, in a real terminal."""
from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from types import FunctionType, ModuleType
from typing import Any

import pytest

from simt.core.frontend.repl import locate_in_history


class History(ModuleType):
    """Stands for ``readline`` with these lines typed."""

    def __init__(self, *lines: str) -> None:
        super().__init__("readline")
        self.lines = lines

    def get_current_history_length(self) -> int:
        return len(self.lines)

    def get_history_item(self, number: int) -> str | None:
        return self.lines[number - 1]


def typed(text: str, name: str) -> FunctionType:
    namespace: dict[str, Any] = {}
    exec(compile(text, "<stdin>", "exec"), namespace)
    return namespace[name]


def test_history_gives_the_newest_text_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "import math", "def f(x):", "    return x + 1", "f(1)", "def f(x):", "    return x + 2", "@plain", "def g(x):",
        "  return x", "h = lambda x: x + 3", "def f(x): return y", "print('def f(x)')",
    ]
    monkeypatch.setitem(sys.modules, "readline", History(*lines))
    first = locate_in_history(typed("def f(x):\n    return x + 1\n", "f"))
    second = locate_in_history(typed("def f(x):\n    return x + 2\n", "f"))
    assert first is not None and second is not None
    assert first.filename != second.filename
    assert locate_in_history(typed("h = lambda x: x + 3", "h")) is not None
    assert locate_in_history(typed("def f(x):\n    return x + 4\n", "f")) is None
    decorated = compile("@plain\ndef g(x):\n  return x\n", "<stdin>", "exec")
    namespace: dict[str, Any] = {"plain": lambda f: f}  # pyright: ignore
    exec(decorated, namespace)
    assert locate_in_history(namespace["g"]) is not None


def test_history_is_for_the_prompt_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readline", History("def f(x): return x"))
    namespace: dict[str, Any] = {}
    exec(compile("def f(x): return x", "<string>", "exec"), namespace)
    assert locate_in_history(namespace["f"]) is None
    monkeypatch.delitem(sys.modules, "readline")
    assert locate_in_history(typed("def f(x): return x", "f")) is None


def at_the_prompt(*lines: str) -> str:
    """What a session of this Python shows when ``lines`` are typed in a terminal."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")
    main, side = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "dumb", "PYTHON_BASIC_REPL": "1"}
    process = subprocess.Popen(
        [sys.executable, "-q"], stdin=side, stdout=side, stderr=side, env=environment, start_new_session=True
    )
    os.close(side)
    shown = b""
    deadline = time.monotonic() + 20
    try:
        for line in (*lines, "exit()"):
            mark = len(shown)
            while not shown[mark:].rstrip(b" ").endswith((b">>>", b"...")) and time.monotonic() < deadline:
                shown += os.read(main, 65536) if select.select([main], [], [], 0.1)[0] else b""
            os.write(main, f"{line}\n".encode())
        process.wait(timeout=20)
        while select.select([main], [], [], 0)[0]:
            try:
                shown += os.read(main, 65536)
            except OSError:  # the other side is closed
                break
    finally:
        process.kill()
        os.close(main)
    return shown.decode()


def test_the_prompt_itself() -> None:
    pytest.importorskip("readline", reason="this Python has no readline")
    shown = at_the_prompt(
        "from simt.core.frontend.read import read_function", "from simt.core.frontend.show import show",
        "def f(x):", "    return x + 1", "", "print(show(read_function(f)))", "g = lambda x: [x]", "read_function(g)",
    )
    assert "return (x + 1)" in shown
    assert "error[list-display]" in shown
    assert "1 | g = lambda x: [x]" in shown
