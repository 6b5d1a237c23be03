"""Python that kernels leave out: construct -> what it is called, and what to write instead.

One table, by the name of the ``ast`` class. The reasons are the rules in ``diagnostics/codes_*.py``.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """``what`` completes "... is not available in a kernel"; ``reason`` says why; ``help`` is what to write instead."""

    code: str
    what: str
    reason: str
    help: str


_COMPREHENSION = "write a loop that stores each value: `for i in range(n): out[i] = ...`"
_ASYNC = "write a plain `def` without `async` or `await`; order work on the host with streams"

REFUSALS: dict[str, Refusal] = {
    # statements
    "AsyncFunctionDef": Refusal("async-construct", "`async def`", "a kernel has no event loop", _ASYNC),
    "AsyncFor": Refusal("async-construct", "`async for`", "a kernel has no event loop", _ASYNC),
    "AsyncWith": Refusal("async-construct", "`async with`", "a kernel has no event loop", _ASYNC),
    "ClassDef": Refusal(
        "class-in-kernel", "a class definition", "classes are made on the host",
        "define it outside the kernel, as a `@struct` if it holds data",
    ),
    "Delete": Refusal(
        "delete", "`del`", "locals end with the function; there is nothing to free",
        "remove the statement; a local ends with the function",
    ),
    "Global": Refusal(
        "outer-assignment", "`global`", "a function assigns its own locals only",
        "write results to an `Out` parameter; host names can be read without `global`",
    ),
    "Nonlocal": Refusal(
        "outer-assignment", "`nonlocal`", "a function assigns its own locals only",
        "return the value from the nested function and assign it",
    ),
    "Import": Refusal(
        "import-in-kernel", "`import`", "modules are imported on the host",
        "import at the top of the module",
    ),
    "ImportFrom": Refusal(
        "import-in-kernel", "`from ... import`", "modules are imported on the host",
        "import at the top of the module",
    ),
    "Raise": Refusal(
        "raise-in-kernel", "`raise`", "there are no exceptions on a device",
        'write `assert condition, "message"`',
    ),
    "Try": Refusal(
        "try-in-kernel", "`try`", "nothing is caught on a device",
        "test the condition with `if`; faults are raised at the host",
    ),
    "TryStar": Refusal(
        "try-in-kernel", "`try`", "nothing is caught on a device",
        "test the condition with `if`; faults are raised at the host",
    ),
    "TypeAlias": Refusal(
        "type-statement", "a `type` statement", "an alias is made on the host",
        "define the alias outside the kernel",
    ),
    "With": Refusal(
        "with-in-kernel", "`with`", "there are no context managers on a device",
        "write what the context manager does before and after, as statements",
    ),
    # expressions
    "Await": Refusal("async-construct", "`await`", "a kernel has no event loop", _ASYNC),
    "Dict": Refusal(
        "dict-display", "a dict", "a dict would allocate memory",
        "use `match`, a `@struct`, or an array indexed by number",
    ),
    "DictComp": Refusal(
        "comprehension", "a dict comprehension", "a comprehension would allocate memory",
        _COMPREHENSION,
    ),
    "GeneratorExp": Refusal(
        "comprehension", "a generator expression", "a comprehension would allocate memory",
        _COMPREHENSION,
    ),
    "List": Refusal(
        "list-display", "a list", "a list would allocate memory",
        "write a tuple `(a, b)`, or declare an array of the kernel",
    ),
    "ListComp": Refusal(
        "comprehension", "a list comprehension", "a comprehension would allocate memory",
        _COMPREHENSION,
    ),
    "NamedExpr": Refusal(
        "assignment-expression", "`:=`", "an assignment is a statement of its own",
        "assign on a line of its own before this one",
    ),
    "Set": Refusal(
        "set-display", "a set", "a set would allocate memory",
        "write a tuple `(a, b)`, or the comparisons `x == a or x == b`",
    ),
    "SetComp": Refusal("comprehension", "a set comprehension", "a comprehension would allocate memory", _COMPREHENSION),
    "Starred": Refusal(
        "starred-value", "`*` unpacking", "the number of values must be written out",
        "write each value: `first, second, third = values`",
    ),
    "TemplateStr": Refusal("template-string", "a template string", "a template is an object", "write an f-string"),
    "Yield": Refusal(
        "generator", "`yield`", "a generator is an object that outlives its call",
        "write the loop where its values are used, or store them in an array",
    ),
    "YieldFrom": Refusal(
        "generator", "`yield from`", "a generator is an object that outlives its call",
        "write the loop where its values are used",
    ),
    # parts of other constructs, under names of our own
    "bytes": Refusal("bytes-literal", "a bytes literal", "bytes are objects", "write the numbers"),
    "...": Refusal(
        "ellipsis", "`...` as a value", "it stands for no value",
        "write each index, or `:` for a whole axis",
    ),
    "in": Refusal("membership-test", "`in`", "it would hide a search", "write the comparisons: `x == a or x == b`"),
    "not in": Refusal(
        "membership-test", "`not in`", "it would hide a search",
        "write the comparisons: `x != a and x != b`",
    ),
    "loop else": Refusal(
        "loop-else", "`else` after a loop", "it is easily taken for the `else` of an `if`",
        "set a flag before `break` and test it after the loop",
    ),
    "decorator": Refusal(
        "decorated-function", "a decorator on a nested function", "a decorator is host code",
        "remove it, or define the function outside",
    ),
    "type parameters": Refusal(
        "type-parameters", "type parameters on a nested function", "every call is compiled for its own types",
        "leave them out: each call is compiled for its types",
    ),
    "*args": Refusal(
        "starred-parameter", "a `*` parameter", "the list of parameters must be fixed",
        "name each parameter, or take one tuple",
    ),
    "**kwargs": Refusal(
        "starred-parameter", "a `**` parameter", "the list of parameters must be fixed",
        "name each parameter",
    ),
    "f(*)": Refusal(
        "unpacked-argument", "`*` in a call", "it hides how many arguments there are",
        "write each argument: `f(values[0], values[1])`",
    ),
    "f(**)": Refusal(
        "unpacked-argument", "`**` in a call", "it hides how many arguments there are",
        "write each argument as `name=value`",
    ),
    "nested format": Refusal(
        "format-nested", "a format that holds a value", "a format is fixed when the kernel is compiled",
        "write the format out: `{x:8.3f}`",
    ),
    "annotated target": Refusal(
        "annotated-target", "an annotation on an element or attribute", "it has a type already",
        "assign without the annotation",
    ),
    "case name": Refusal(
        "match-capture", "a `case` that assigns to a name", "this would match everything",
        "write `case _:` and use the matched value by its own name",
    ),
    "case parts": Refusal(
        "match-pattern", "a `case` that takes the value apart", "a `case` only compares",
        "match on literals, dotted names, `a | b` or `_`; or write `if` and `elif`",
    ),
}


def refusal_of(node: ast.AST) -> Refusal | None:
    """The refusal of a construct that never has a meaning in a kernel, or None for one that may have."""
    return REFUSALS.get(type(node).__name__)
