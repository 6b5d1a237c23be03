"""``docs``: docs/reference from the code (names, intrinsics, diagnostics, rules) and from what passed on a GPU, and the
stages in ARCHITECTURE.md.

With ``--check`` nothing is written, and a page that differs from what the code gives fails the command.
"""
from __future__ import annotations

import difflib
import sys
from pathlib import Path

from tools.dev.reference import api, diagnostics, intrinsics, language, stages, status

ROOT = Path(__file__).parents[2]


def pages() -> dict[str, str]:
    """Path from the root to the text of every generated page."""
    return {
        "docs/reference/core.md": api.core_page(),
        "docs/reference/cuda_std.md": api.cuda_std_page(),
        "docs/reference/intrinsics.md": intrinsics.page(),
        "docs/reference/diagnostics.md": diagnostics.page(),
        "docs/reference/language.md": language.page(ROOT / "tests/language"),
        "docs/reference/status.md": status.page(ROOT / "docs/status"),
        "ARCHITECTURE.md": stages.page((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")),
    }


def main(arguments: list[str]) -> int:
    """Exit status 1 when ``--check`` finds a page that is not what the code gives."""
    check = arguments == ["--check"]
    if arguments and not check:
        print("docs takes --check or nothing", file=sys.stderr)
        return 2
    stale = 0
    for name, text in pages().items():
        path = ROOT / name
        present = path.read_text(encoding="utf-8") if path.exists() else ""
        if present == text:
            continue
        if check:
            stale = 1
            lines = difflib.unified_diff(present.splitlines(), text.splitlines(), name, "what the code gives")
            print("\n".join(list(lines)[:40]))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if stale:
        print("pages are not what the code gives; run: make docs", file=sys.stderr)
    return stale
