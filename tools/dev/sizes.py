"""``sizes``: files over 400 lines and functions over 60, to ask which two ideas are in there. Never fails."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("core/src", "cuda_std/src", "tools", "demo", "examples", "benchmarks", "tests")
FILE_LINES = 400
FUNCTION_LINES = 60


def long_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of each function of ``path`` over the limit."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield node.name, lines


def main(arguments: list[str]) -> int:
    """Prints what is over the limits, longest files first, and the median file."""
    del arguments
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    sizes = sorted(((len(path.read_text(encoding="utf-8").splitlines()), path) for path in paths), reverse=True)
    for lines, path in sizes:
        if lines > FILE_LINES:
            print(f"{lines:5} lines  {path.relative_to(ROOT)}")
    for path in paths:
        for name, lines in long_functions(path):
            print(f"{lines:5} lines  {path.relative_to(ROOT)}: {name}")
    print(f"{len(sizes)} files, median {sizes[len(sizes) // 2][0]} lines")
    return 0
