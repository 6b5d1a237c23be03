"""Golden files: the text of each stage in a file beside the test, compared by line, rewritten with ``--bless``."""
from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path


def check_golden(path: Path, stages: Mapping[str, str], *, bless: bool, command: str) -> None:
    """Compare texts with a golden file, one section ``--- name`` each, in order.

    Args:
        path: the golden file.
        stages: name -> text. A final line end more or less makes no difference.
        bless: write the file instead.
        command: what to run to bless, for the message.
    Raises:
        AssertionError: the texts differ, or the file is missing: a unified diff and the command.
    """
    found = "\n".join(f"--- {name}\n{text.rstrip()}\n" for name, text in stages.items())
    if bless:
        path.write_text(found)
        return
    if not path.exists():
        raise AssertionError(f"{path} does not exist; write it with: {command}\n\n{found}")
    golden = path.read_text()
    if golden != found:
        diff = unified_diff(golden.splitlines(), found.splitlines(), str(path), "found", lineterm="")
        raise AssertionError("\n".join([*diff, "", f"if the new text is right: {command}"]))
