"""Python that kernels leave out: construct -> what it is called, and what to write instead.

One table, by the name of the ``ast`` class. The reasons are the rules in ``diagnostics/codes_*.py``.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """``what`` completes "... is not available in a kernel" as a sentence; ``help`` is what to write instead."""

    code: str
    what: str
    help: str


_COMPREHENSION = "write a loop that stores each value: `for i in range(n): out[i] = ...`"
_ASYNC = "write a plain `def` without `async` or `await`; order work on the host with streams"

REFUSALS: dict[str, Refusal] = {
    # statements
    "AsyncFunctionDef": Refusal("async-construct", "`async def`", _ASYNC),
    "AsyncFor": Refusal("async-construct", "`async for`", _ASYNC),
    "AsyncWith": Refusal("async-construct", "`async with`", _ASYNC),
    "ClassDef": Refusal(
        "class-in-kernel", "a class definition", "define it outside the kernel, as a `@struct` if it holds data"
    ),
    "Delete": Refusal("delete", "`del`", "remove the statement; a local ends with the function"),
    "Global": Refusal(
        "outer-assignment", "`global`", "write results to an `Out` parameter; host names can be read without `global`"
    ),
    "Nonlocal": Refusal("outer-assignment", "`nonlocal`", "return the value from the nested function and assign it"),
    "Import": Refusal("import-in-kernel", "`import`", "import at the top of the module"),
    "ImportFrom": Refusal("import-in-kernel", "`from ... import`", "import at the top of the module"),
    "Raise": Refusal("raise-in-kernel", "`raise`", "write `assert condition, \"message\"`"),
    "Try": Refusal("try-in-kernel", "`try`", "test the condition with `if`; faults are raised at the host"),
    "TryStar": Refusal("try-in-kernel", "`try`", "test the condition with `if`; faults are raised at the host"),
    "TypeAlias": Refusal("type-statement", "a `type` statement", "define the alias outside the kernel"),
    "With": Refusal("with-in-kernel", "`with`", "write what the context manager does before and after, as statements"),
    # expressions
    "Await": Refusal("async-construct", "`await`", _ASYNC),
    "Dict": Refusal("dict-display", "a dict", "use `match`, a `@struct`, or an array indexed by number"),
    "DictComp": Refusal("comprehension", "a dict comprehension", _COMPREHENSION),
    "GeneratorExp": Refusal("comprehension", "a generator expression", _COMPREHENSION),
    "List": Refusal("list-display", "a list", "write a tuple `(a, b)`, or declare an array of the kernel"),
    "ListComp": Refusal("comprehension", "a list comprehension", _COMPREHENSION),
    "NamedExpr": Refusal("assignment-expression", "`:=`", "assign on a line of its own before this one"),
    "Set": Refusal("set-display", "a set", "write a tuple `(a, b)`, or the comparisons `x == a or x == b`"),
    "SetComp": Refusal("comprehension", "a set comprehension", _COMPREHENSION),
    "Starred": Refusal("starred-value", "`*` unpacking", "write each value: `first, second, third = values`"),
    "TemplateStr": Refusal("template-string", "a template string", "write an f-string"),
    "Yield": Refusal("generator", "`yield`", "write the loop where its values are used, or store them in an array"),
    "YieldFrom": Refusal("generator", "`yield from`", "write the loop where its values are used"),
    # parts of other constructs, by names of our own
    "bytes": Refusal("bytes-literal", "a bytes literal", "write the numbers"),
    "...": Refusal("ellipsis", "`...` as a value", "write each index, or `:` for a whole axis"),
    "in": Refusal("membership-test", "`in`", "write the comparisons: `x == a or x == b`"),
    "not in": Refusal("membership-test", "`not in`", "write the comparisons: `x != a and x != b`"),
    "loop else": Refusal(
        "loop-else", "`else` after a loop", "set a flag before `break` and test it after the loop"
    ),
    "decorator": Refusal(
        "decorated-function", "a decorator on a nested function", "remove it, or define the function outside"
    ),
    "type parameters": Refusal(
        "type-parameters", "type parameters on a nested function", "leave them out: each call is compiled for its types"
    ),
    "*args": Refusal("starred-parameter", "a `*` parameter", "name each parameter, or take one tuple"),
    "**kwargs": Refusal("starred-parameter", "a `**` parameter", "name each parameter"),
    "f(*)": Refusal("unpacked-argument", "`*` in a call", "write each argument: `f(values[0], values[1])`"),
    "f(**)": Refusal("unpacked-argument", "`**` in a call", "write each argument as `name=value`"),
    "nested format": Refusal(
        "format-nested", "a format that holds a value", "write the format out: `{x:8.3f}`"
    ),
    "annotated target": Refusal(
        "annotated-target", "an annotation on an element or attribute", "assign without the annotation"
    ),
    "case name": Refusal(
        "match-capture", "a `case` that assigns to a name", "write `case _:` and use the matched value by its own name"
    ),
    "case parts": Refusal(
        "match-pattern", "a `case` that takes the value apart",
        "match on literals, dotted names, `a | b` or `_`; or write `if` and `elif`"
    ),
}


def refusal_of(node: ast.AST) -> Refusal | None:
    """The refusal of a construct that never has a meaning in a kernel, or None for one that may have."""
    return REFUSALS.get(type(node).__name__)
