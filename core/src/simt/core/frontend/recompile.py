"""Whether a piece of syntax is what a code object was made from."""
from __future__ import annotations
import __future__

import ast
import copy
import sys
import warnings
from collections.abc import Iterator
from opcode import EXTENDED_ARG, opmap
from types import CodeType

_FUTURE_FLAGS = __future__.annotations.compiler_flag | __future__.barry_as_FLUFL.compiler_flag
"""The bits of ``co_flags`` for the ``from __future__`` imports that still change code, as ``compile`` takes them."""


def compiles_to(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, class_name: str | None, code: CodeType, *,
    instrumented: bool,
) -> bool:
    """Whether compiling the node gives ``code``: instructions, constants, names, and those of functions inside.

    Args:
        node: the function with its decorators.
        class_name: the class whose body it is in, or None.
        code: of the function that runs.
        instrumented: pytest has rewritten the module's asserts, so that the code has more instructions than its text;
            then the text's own names and numbers must be in the code.
    """
    try:
        alone = _compile_alone(node, class_name, code)
    except SyntaxError:
        return False
    if alone is None:
        return False
    return _contains(code, alone) if instrumented else _equal(code, alone)


def _compile_alone(node: ast.AST, class_name: str | None, code: CodeType) -> CodeType | None:
    """The code of the node in a function that has the names it takes from enclosing ones, and in its class."""
    inner = copy.copy(node)
    if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
        inner.decorator_list = []
        body: ast.stmt = inner
        own_name = inner.name
    else:
        assert isinstance(inner, ast.Lambda)
        body = ast.copy_location(ast.Expr(inner), inner)
        own_name = None
    imports = "".join(f"import {name}\n" for name in _imported_names(code))
    around = ast.parse(f"{imports}def enclosing():\n    class Owner: pass")
    outer = around.body[-1]
    assert isinstance(outer, ast.FunctionDef)
    owner = outer.body[0]
    assert isinstance(owner, ast.ClassDef)
    if class_name is not None:
        inside: list[ast.stmt] = [body]
        owner.name, owner.body, body, own_name = class_name, inside, owner, class_name
    names = [name for name in code.co_freevars if name != "__class__"]  # the class itself provides that one
    outer.body = [*ast.parse("".join(f"{name} = None\n" for name in names)).body, body]
    if own_name is not None and own_name not in names:
        # Of a module: a recursive function, or a method that names its class, loads that name as a global one.
        outer.body.insert(0, ast.copy_location(ast.Global([own_name]), body))
    with warnings.catch_warnings(action="ignore"):  # those of the text were given when it was imported
        compiled = compile(around, code.co_filename, "exec", flags=code.co_flags & _FUTURE_FLAGS, dont_inherit=True)
    return next((found for found in _breadth_first(compiled) if found.co_name == code.co_name), None)


def _imported_names(code: CodeType) -> list[str]:
    """Global names that the module may have imported: a method call on such a name compiles to other instructions.

    Those on which attributes are loaded and no methods are: declaring them imported changes nothing else.
    """
    attributes: set[str] = set()
    methods: set[str] = set()
    pending = [code]
    while pending:
        current = pending.pop()
        pending += [constant for constant in current.co_consts if isinstance(constant, CodeType)]
        loaded: str | None = None
        for opcode, argument in _instructions(current.co_code):
            if loaded is not None:
                if opcode == _LOAD_METHOD or (opcode == _LOAD_ATTR and _LOAD_METHOD is None and argument & 1):
                    methods.add(loaded)
                elif opcode == _LOAD_ATTR:
                    attributes.add(loaded)
            loaded = current.co_names[argument >> 1] if opcode == _LOAD_GLOBAL else None
    return sorted(name for name in attributes - methods if name.isidentifier())  # pytest's own names are not


_LOAD_GLOBAL, _LOAD_ATTR = opmap["LOAD_GLOBAL"], opmap["LOAD_ATTR"]
_LOAD_METHOD = opmap.get("LOAD_METHOD") if sys.version_info < (3, 12) else None
"""Since Python 3.12, a bit of the argument of LOAD_ATTR says that a method is loaded."""


def _instructions(code: bytes) -> Iterator[tuple[int, int]]:
    """Opcodes with their arguments. ``dis`` gives the same with names and texts, at fifty times the cost."""
    extended = 0
    for opcode, argument in zip(code[::2], code[1::2], strict=True):
        argument |= extended
        if opcode == EXTENDED_ARG:
            extended = argument << 8
            continue
        extended = 0
        if opcode != _CACHE:
            yield opcode, argument


_CACHE = opmap.get("CACHE", 0)


def _breadth_first(code: CodeType) -> Iterator[CodeType]:
    pending = [code]
    while pending:
        pending = [c for parent in pending for c in parent.co_consts if isinstance(c, CodeType)]
        yield from pending


def _equal(a: CodeType, b: CodeType) -> bool:
    names_equal = (a.co_names, a.co_varnames, a.co_freevars, a.co_cellvars) == (
        b.co_names, b.co_varnames, b.co_freevars, b.co_cellvars
    )
    if not names_equal or a.co_code != b.co_code or len(a.co_consts) != len(b.co_consts):
        return False
    return all(map(_equal_constants, a.co_consts, b.co_consts))


def _equal_constants(a: object, b: object) -> bool:
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return _equal(a, b)
    if isinstance(a, str) and isinstance(b, str) and "<locals>" in a and "<locals>" in b:
        return True  # the qualified name of a class or function inside, which says where the outer one stands
    return type(a) is type(b) and (a == b if isinstance(a, frozenset) else repr(a) == repr(b))


def _contains(rewritten: CodeType, alone: CodeType) -> bool:
    """Whether pytest can have made ``rewritten`` from ``alone``: it adds names and texts, and raises in its own way."""
    arguments = alone.co_argcount + alone.co_kwonlyargcount
    if rewritten.co_varnames[:arguments] != alone.co_varnames[:arguments]:
        return False
    numbers = {repr(c) for c in rewritten.co_consts if isinstance(c, int | float | complex)}
    return (
        set(alone.co_names) - {"AssertionError"} <= set(rewritten.co_names)
        and set(alone.co_freevars) <= set(rewritten.co_freevars)
        and all(repr(c) in numbers for c in alone.co_consts if isinstance(c, int | float | complex))
    )
