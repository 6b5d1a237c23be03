"""The syntax tree of a function that is running: in a file, a notebook or a REPL, nested, decorated, or a lambda.

The whole file is parsed, as it stands, so that lines and columns are those of the file and nothing is dedented (a
line of a multi-line text may start left of the function). The text may be newer than the code that runs; so the
node that is found is compiled on its own and must give the function's own code.
"""
from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType

from simt.core.diagnostics.source import remember_lines
from simt.core.frontend.recompile import compiles_to

AnyFunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Located:
    """A function in its file. ``class_name`` is that of the class whose body it is in, for private names."""

    node: AnyFunctionNode
    class_name: str | None


@dataclass(frozen=True, slots=True)
class _File:
    """A parsed file: its functions by name and first line. Empty where the text is not Python."""

    lines: list[str]
    functions: dict[tuple[str, int], list[Located]]


_FILES: dict[str, _File] = {}


def source_lines(function: FunctionType) -> list[str]:
    """The lines of the file that the function is in, as they were when first read; empty where there are none.

    Call this early, while the file is still the one that was imported.
    """
    filename = function.__code__.co_filename
    lines = linecache.getlines(filename, function.__globals__)
    if not lines:
        try:
            lines = inspect.findsource(function)[0]  # finds what Python 3.13 keeps for the REPL and for -c
        except (OSError, TypeError, IndexError, SyntaxError):
            return []
        remember_lines(filename, lines)
    return lines


def locate(function: FunctionType) -> Located | None:
    """The function's node, or None where the text has changed so much that it has none. Needs ``source_lines``."""
    found = _locate(function)
    if found is None:
        # An edit and a reload (IPython's autoreload, importlib.reload) make new code from a newer text.
        linecache.checkcache(function.__code__.co_filename)
        found = _locate(function)
    return found


def _locate(function: FunctionType) -> Located | None:
    code = function.__code__
    file = _parse(code.co_filename, source_lines(function))
    candidates = file.functions.get((code.co_name, code.co_firstlineno), [])
    instrumented = "@py_builtins" in function.__globals__
    fitting = [c for c in candidates if compiles_to(c.node, c.class_name, code, instrumented=instrumented)]
    if len(fitting) > 1:
        # Several lambdas in one line. Those with equal code differ in their place only.
        placed = [candidate for candidate in fitting if _surrounds(candidate.node, code)]
        fitting = placed or fitting
    return fitting[0] if fitting else None


def _parse(filename: str, lines: list[str]) -> _File:
    file = _FILES.get(filename)
    if file is None or (file.lines is not lines and file.lines != lines):
        file = _File(lines, {})
        try:
            tree = ast.parse("".join(lines), filename)
        except SyntaxError:
            tree = ast.Module([], [])
        for located in _functions(tree, None):
            node = located.node
            name, line = ("<lambda>", node.lineno) if isinstance(node, ast.Lambda) else (node.name, _first_line(node))
            file.functions.setdefault((name, line), []).append(located)
        _FILES[filename] = file
    return file


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Where Python says that a function starts: at its first decorator."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _functions(tree: ast.AST, class_name: str | None) -> Iterator[Located]:
    """All functions in a tree with the innermost class around each."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, AnyFunctionNode):
            yield Located(child, class_name)
        yield from _functions(child, child.name if isinstance(child, ast.ClassDef) else class_name)


def _surrounds(node: AnyFunctionNode, code: CodeType) -> bool:
    """Whether all instructions of ``code`` have positions inside the node."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    for line, end_line, col, end_col in code.co_positions():
        if line is None or end_line is None or col is None or end_col is None or (col, end_col) == (0, 0):
            continue  # no position, or the instruction that starts a function, which stands at column 0
        if (line, col) < start or (end_line, end_col) > end:
            return False
    return True
