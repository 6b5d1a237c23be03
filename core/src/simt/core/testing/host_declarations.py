"""``x: f32 = 1 / 3`` in a kernel: Python ignores the annotation of a local, the language does not.

A function with annotated locals is compiled again from its syntax tree, with every value that such a local is given
converted as the annotation says.
"""
from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import CodeType, FunctionType

from simt.core.frontend.locate import locate, source_lines

CONVERTER = "__declared__"
"""The name under which the rewritten code finds the conversion: ``__declared__(value, annotation)``."""


def code_with_declarations(python: FunctionType) -> CodeType:
    """The function's code; rewritten where it declares types of locals.

    Raises:
        TypeError: it does, and its source text cannot be found.
    """
    if not source_lines(python):
        return python.__code__
    located = locate(python)
    if located is None or not isinstance(located.node, ast.FunctionDef):
        return python.__code__
    declared = dict(_declarations(located.node.body))
    if not declared:
        return python.__code__
    function = copy.deepcopy(located.node)
    function.decorator_list, function.returns = [], None
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.args.defaults, function.args.kw_defaults = [], [None] * len(function.args.kwonlyargs)
    _Rewriter(declared).visit(function)
    return _compile(function, python)


def _declarations(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id, node.annotation


class _Rewriter(ast.NodeTransformer):
    """Adds a conversion after every statement that gives a declared local a value."""

    def __init__(self, declared: dict[str, ast.expr]) -> None:
        self._declared = declared

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | list[ast.stmt]:
        if node.value is None or not isinstance(node.target, ast.Name):
            return ast.copy_location(ast.Pass(), node)
        assign = ast.Assign(targets=[node.target], value=node.value)
        return [ast.copy_location(assign, node), *self._conversions(node, [node.target])]

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return [node, *self._conversions(node, node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        return [node, *self._conversions(node, [node.target])]

    def _conversions(self, node: ast.stmt, targets: list[ast.expr]) -> Iterator[ast.stmt]:
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in self._declared:
                    annotation = copy.deepcopy(self._declared[part.id])
                    value = ast.Call(ast.Name(CONVERTER, ast.Load()), [ast.Name(part.id, ast.Load()), annotation], [])
                    yield ast.copy_location(ast.Assign([ast.Name(part.id, ast.Store())], value), node)


def _compile(function: ast.FunctionDef, python: FunctionType) -> CodeType:
    """The code of ``function`` nested in one that has the captured variables of ``python``."""
    captured = python.__code__.co_freevars
    outer = ast.parse("def outer():\n" + "".join(f"    {name} = None\n" for name in captured) + "    pass")
    holder = outer.body[0]
    assert isinstance(holder, ast.FunctionDef)
    holder.body.append(function)
    module = compile(ast.fix_missing_locations(outer), python.__code__.co_filename, "exec", dont_inherit=True)
    outer_code = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    code = next(constant for constant in outer_code.co_consts if isinstance(constant, CodeType))
    if code.co_freevars != captured:
        unknown = ", ".join(set(captured) ^ set(code.co_freevars))
        raise TypeError(f"{python.__name__} declares types of locals by names that it does not capture: {unknown}")
    return code
