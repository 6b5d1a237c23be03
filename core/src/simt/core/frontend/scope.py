"""The names of one function as Python scopes them, and where its diagnostics and captured names are collected."""
from __future__ import annotations

import ast
from dataclasses import dataclass, field

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.source import source_line
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.frontend.unsupported import REFUSALS, Refusal

FunctionNode = ast.FunctionDef | ast.Lambda


@dataclass(slots=True, kw_only=True)
class Scope:
    """State of lowering one function.

    ``locals`` are the names this function assigns, all else it reads is captured. ``captured`` grows to the dotted
    names read from outside. ``class_name`` is the class around the outermost function, for private names.
    ``diagnostics`` is shared with the functions nested in this one.
    """

    filename: str
    class_name: str | None
    locals: frozenset[str]
    diagnostics: list[Diagnostic]
    captured: set[str] = field(default_factory=set[str])

    def span(self, node: ast.AST) -> Span:
        """The region of a node that has a position; ``ast`` gives one to every expression, statement and pattern."""
        assert isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword | ast.pattern | ast.alias), node
        assert node.end_lineno is not None and node.end_col_offset is not None
        return Span(
            filename=self.filename, line=node.lineno, col=node.col_offset, end_line=node.end_lineno,
            end_col=node.end_col_offset,
        )

    @staticmethod
    def first_line(span: Span) -> Span:
        """The part of a region on its first line, for carets under a statement that holds others."""
        if span.end_line == span.line:
            return span
        text = source_line(span.filename, span.line)
        end = span.col + 1 if text is None else len(text.encode().rstrip())
        return Span(filename=span.filename, line=span.line, col=span.col, end_line=span.line, end_col=end)

    def refuse(self, refusal: str | Refusal, span: Span) -> None:
        """Report a construct of ``REFUSALS``, by its key there or itself, at a region."""
        if isinstance(refusal, str):
            refusal = REFUSALS[refusal]
        self.diagnostics.append(
            Diagnostic(
                code=refusal.code, message=f"{refusal.what} is not available in a kernel",
                primary=Label(span=span, text=refusal.reason), help=refusal.help,
            )
        )

    def refused(self, span: Span, *parts: ast.AST) -> hir.Refused:
        """What stands for parts that were reported."""
        return hir.Refused(span=span, names=tuple(sorted(map(self.mangle, names_bound_in(list(parts))))))

    def mangle(self, name: str) -> str:
        """The name as Python stores it: ``__x`` in the methods of class ``C`` is ``_C__x``."""
        if self.class_name is None or not name.startswith("__") or name.endswith("__"):
            return name
        owner = self.class_name.lstrip("_")
        return f"_{owner}{name}" if owner else name

    def nested(self, node: FunctionNode) -> Scope:
        """The scope of a function defined in this one."""
        return Scope(
            filename=self.filename, class_name=self.class_name,
            locals=frozenset(map(self.mangle, assigned_names(node))), diagnostics=self.diagnostics,
        )

    def capture_through(self, function: hir.Function) -> None:
        """Take over what a nested function reads from outside this one as well."""
        self.captured.update(name for name in function.captured if name.split(".", 1)[0] not in self.locals)


def assigned_names(function: FunctionNode) -> set[str]:
    """Parameters and every name that the function's own body binds, by assignment, loop, ``def`` or otherwise."""
    arguments = function.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    names |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
    return names | names_bound_in(list(function.body) if isinstance(function, ast.FunctionDef) else [function.body])


def names_bound_in(parts: list[ast.AST]) -> set[str]:
    """The names that parts of one function bind, apart from those of functions and comprehensions inside."""
    names: set[str] = set()
    pending = list(parts)
    while pending:
        node = pending.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
                continue
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue
            case ast.Name(ctx=ast.Store() | ast.Del()):
                names.add(node.id)
            case ast.alias():
                names.add((node.asname or node.name).split(".", 1)[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
            case ast.MatchMapping(rest=str(rest)):
                names.add(rest)
            case _:
                pass
        pending.extend(ast.iter_child_nodes(node))
    return names
