"""The syntax tree of a function that is running: in a file, a notebook or a REPL, nested, decorated, or a lambda.

Lines and columns are those of the file, and nothing is dedented: a line of a multi-line text may start left of the
function. Only the function's own lines are parsed where that works, which is fast in long files; else the whole file.
The text may be newer than the code that runs; so a node counts only if compiling it gives the function's own code.
"""
from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType

from simt.core.diagnostics.source import remember_lines
from simt.core.frontend.recompile import compiles_to

AnyFunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Located:
    """A function in its file. ``class_name`` is that of the class whose body it is in, for private names."""

    filename: str
    node: AnyFunctionNode
    class_name: str | None


Places = dict[tuple[str, int], list[Located]]


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was parsed whole."""

    lines: list[str]
    functions: Places


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
    filename, lines = function.__code__.co_filename, source_lines(function)
    block = _parse_block(function.__code__, lines)
    located = None if block is None else fitting(block, function)
    if located is not None:
        return located
    file = _FILES.get(filename)
    if file is None or (file.lines is not lines and file.lines != lines):
        file = _FILES[filename] = _File(lines, functions_by_place(filename, "".join(lines)))
    return fitting(file.functions, function)


def _parse_block(code: CodeType, lines: list[str]) -> Places | None:
    """The functions in the lines from where ``code`` starts to the end of its indented block."""
    first = code.co_firstlineno - 1
    if not 0 <= first < len(lines):
        return None
    indent = len(lines[first]) - len(lines[first].lstrip())
    end = max((line for _, _, line in code.co_lines() if line is not None), default=first + 1)
    while end < len(lines) and (not (text := lines[end].lstrip()) or len(lines[end]) - len(text) > indent):
        end += 1
    # Empty lines keep the numbers right, and a block of its own makes the indentation right.
    before = "\n" * first if not indent else "\n" * (first - 1) + "if True:\n"
    text = before + "".join(lines[first:end])
    return functions_by_place(code.co_filename, text, _class_name(code))


def _class_name(code: CodeType) -> str | None:
    """The innermost class around a function: in ``A.f.<locals>.g`` it is ``A``."""
    parts = code.co_qualname.split(".")
    classes = [part for part, inner in itertools.pairwise(parts) if "<locals>" not in (part, inner)]
    return classes[-1] if classes else None


def functions_by_place(filename: str, text: str, around: str | None = None) -> Places:
    """All functions of a text by name and first line; several lambdas may share both. Empty if it is not Python.

    ``around`` is the class that the whole text is in.
    """
    places: Places = {}
    try:
        with warnings.catch_warnings(action="ignore"):  # those of the text were given when it was imported
            tree = ast.parse(text, filename)
    except SyntaxError:
        return places
    for node, class_name in _functions(tree, around):
        name, line = ("<lambda>", node.lineno) if isinstance(node, ast.Lambda) else (node.name, _first_line(node))
        places.setdefault((name, line), []).append(Located(filename, node, class_name))
    return places


def fitting(places: Places, function: FunctionType) -> Located | None:
    """The function of a text that gives the code which runs, or None."""
    code = function.__code__
    instrumented = "@py_builtins" in function.__globals__
    candidates = [
        candidate for candidate in places.get((code.co_name, code.co_firstlineno), [])
        if compiles_to(candidate.node, candidate.class_name, code, instrumented=instrumented)
    ]
    if len(candidates) > 1:
        # Several lambdas in one line. Those with equal code differ in their place only.
        candidates = [candidate for candidate in candidates if _surrounds(candidate.node, code)] or candidates
    return candidates[0] if candidates else None


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Where Python says that a function starts: at its first decorator."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _functions(tree: ast.AST, class_name: str | None) -> Iterator[tuple[AnyFunctionNode, str | None]]:
    """All functions in a tree with the innermost class around each, in the order of the text."""
    pending = [(tree, class_name)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, AnyFunctionNode):
            yield node, around
        inside = node.name if isinstance(node, ast.ClassDef) else around
        pending += [(child, inside) for child in ast.iter_child_nodes(node)][::-1]


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
