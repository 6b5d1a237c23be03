"""The text of a function typed at the prompt of Python 3.11 and 3.12, which keep it only as the history of readline.

A guess that cannot go wrong: whatever is found must compile to the function's own code.
"""
from __future__ import annotations

import itertools
import sys
from types import FunctionType

from simt.core.diagnostics.source import remember_lines
from simt.core.frontend.locate import Located, fitting, functions_by_place

_LINES = 500
"""How far back in the history to look, and how long a statement may be."""

_numbers = itertools.count(1)


def locate_in_history(function: FunctionType) -> Located | None:
    """The function's node, or None where it was not typed here or is too far back.

    Every statement at the prompt has the same file name and starts at line 1, so the node gets a file name of its own.
    The history leaves out empty lines; after one, inside brackets or a text, line numbers are too small.
    """
    readline = sys.modules.get("readline")
    if function.__code__.co_filename != "<stdin>" or readline is None:
        return None
    length: int = readline.get_current_history_length()
    history = [f"{readline.get_history_item(i) or ''}\n" for i in range(max(1, length - _LINES), length + 1)]
    first = function.__code__.co_firstlineno - 1
    name = function.__code__.co_name
    marks = ("lambda",) if name == "<lambda>" else (f"def {name}", "@")
    for start in reversed(range(len(history) - first)):
        if not any(mark in history[start + first] for mark in marks):
            continue
        for end in range(start + first + 1, len(history) + 1):
            located = fitting(functions_by_place("<stdin>", "".join(history[start:end])), function)
            if located is not None:
                filename = f"<stdin>-{next(_numbers)}"
                remember_lines(filename, history[start:end])
                return Located(filename, located.node, located.class_name)
    return None
