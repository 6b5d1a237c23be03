"""``docs``: docs/reference from the code: public names, the intrinsics' table, the diagnostics' codes.

Pages are written whole; with ``--check`` nothing is written and a page that differs fails the command.
"""
from __future__ import annotations

import difflib
import sys
from pathlib import Path

from tools.dev.reference import api, diagnostics, intrinsics

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


def pages() -> dict[str, str]:
    """File name to text of every generated page."""
    return {
        "core.md": api.core_page(),
        "cuda_std.md": api.cuda_std_page(),
        "intrinsics.md": intrinsics.page(),
        "diagnostics.md": diagnostics.page(),
    }


def main(arguments: list[str]) -> int:
    """Exit status 1 when ``--check`` finds a page that is not what the code gives."""
    check = arguments == ["--check"]
    if arguments and not check:
        print("docs takes --check or nothing", file=sys.stderr)
        return 2
    stale = 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        path = FOLDER / name
        present = path.read_text(encoding="utf-8") if path.exists() else ""
        if present == text:
            continue
        if check:
            stale = 1
            lines = difflib.unified_diff(present.splitlines(), text.splitlines(), name, "what the code gives")
            print("\n".join(list(lines)[:40]))
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    if stale:
        print("docs/reference is not what the code gives; run: make docs", file=sys.stderr)
    return stale
