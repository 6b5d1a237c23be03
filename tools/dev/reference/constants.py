"""What a page says of a constant: its value, and the text that stands below its assignment in the code."""
from __future__ import annotations

import ast
import itertools
from pathlib import Path
from types import ModuleType


def is_constant(value: object) -> bool:
    """Whether a public name holds a plain number or text, whose type's own docstring says nothing about it."""
    return isinstance(value, int | float | str)


def documentation(module: ModuleType, name: str, value: object) -> str:
    """The value as Python writes it, and below it what the module or one of its private parts says of the name."""
    return "\n\n".join(part for part in (f"`{value!r}`", _text_below(module, name)) if part)


def _text_below(module: ModuleType, name: str) -> str:
    for path in _sources(module):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for statement, below in itertools.pairwise(body):
            if isinstance(statement, ast.Assign) and _assigns(statement, name) and isinstance(below, ast.Expr):
                match below.value:
                    case ast.Constant(value=str(text)):
                        return text
                    case _:
                        continue
    return ""


def _sources(module: ModuleType) -> list[Path]:
    file = Path(module.__file__ or "")
    return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]


def _assigns(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)
