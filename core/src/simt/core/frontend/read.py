"""``read_function``: a Python function object to HIR, once for each code object."""
from __future__ import annotations

import ast
import weakref
from types import CodeType, FunctionType

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError
from simt.core.frontend import hir
from simt.core.frontend.functions import in_source_order, lower_outermost
from simt.core.frontend.locate import AnyFunctionNode, locate, source_lines
from simt.core.frontend.repl import locate_in_history

_READ: dict[int, tuple[weakref.ref[CodeType], hir.Function, str]] = {}
"""HIR and text by the identity of the code: equal code may stand in two places, and spans differ."""


def read_function(function: FunctionType) -> hir.Function:
    """HIR of a function that has nothing kernels leave out.

    Raises:
        CompileError: everything in the function that kernels leave out, in source order; or as ``read_with_refusals``.
    """
    lowered = read_with_refusals(function)
    if lowered.refused:
        raise CompileError(lowered.refused)
    return lowered


def read_with_refusals(function: FunctionType) -> hir.Function:
    """HIR of a function, from the text that it was made from. Functions made by one ``def`` share it.

    Names from outside need not exist yet; ``names.captured_value`` looks them up.

    Raises:
        CompileError: nothing can be made of it: its source cannot be found or is no longer that of the running code,
            it is ``async``, or its list of parameters is not fixed.
    """
    code = function.__code__
    known = _READ.get(id(code))
    if known is not None and known[0]() is code:
        return known[1]
    known_text = bool(source_lines(function))
    located = locate(function) if known_text else locate_in_history(function)
    if located is None:
        raise CompileError((_source_changed(code) if known_text else _source_unavailable(code),))
    lowered, diagnostics = lower_outermost(located.node, located.filename, located.class_name)
    if lowered is None:
        raise CompileError(in_source_order(diagnostics))
    key = id(code)
    text = _text(located.node, source_lines(function)) if known_text else ast.unparse(located.node)
    _READ[key] = (weakref.ref(code, lambda _: _READ.pop(key, None)), lowered, text)
    return lowered


def source_of(function: FunctionType) -> str:
    """The lines of a function with its decorators, as ``read_with_refusals`` found them, and errors as there."""
    read_with_refusals(function)
    return _READ[id(function.__code__)][2]


def _text(node: AnyFunctionNode, lines: list[str]) -> str:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return "".join(lines[first - 1 : node.end_lineno])


def _first_line(code: CodeType) -> Span:
    line = code.co_firstlineno
    return Span(filename=code.co_filename, line=line, col=0, end_line=line, end_col=1)


def _source_unavailable(code: CodeType) -> Diagnostic:
    return Diagnostic(
        code="source-unavailable", message=f"the source of `{code.co_name}` cannot be found",
        primary=Label(span=_first_line(code), text="made here, from text that Python does not keep"),
        help="put the function in a .py file or a notebook cell, or type it at the prompt of a terminal\n"
        "text given to exec() can be kept with linecache.cache[filename] = (len(text), None, lines, filename)",
    )


def _source_changed(code: CodeType) -> Diagnostic:
    return Diagnostic(
        code="source-changed", message=f"the source of `{code.co_name}` is not that of the code that runs",
        primary=Label(span=_first_line(code), text=f"`{code.co_name}` was here when it was imported"),
        help="the file was edited since, or something rewrote the code: restart Python, or reload the module",
    )
