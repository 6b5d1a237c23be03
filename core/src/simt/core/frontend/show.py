"""HIR as text, close to the Python it came from; the golden tests of the front end compare it.

Locals print as ``x``, captured names as ``$x``, a chain of ``and``/``or``, comparisons and arithmetic in parentheses.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from simt.core.frontend import hir


def show(function: hir.Function) -> str:
    """The function with its captured names, one statement a line, without a final line end."""
    return "\n".join(_function(function, "def"))


def _function(function: hir.Function, keyword: str) -> Iterator[str]:
    returns = "" if function.returns is None else f" -> {show_expression(function.returns)}"
    captures = f"  # captures {', '.join(function.captured)}" if function.captured else ""
    yield f"{keyword} {function.name}({_parameters(function)}){returns}:{captures}"
    yield from _block(function.body)


def _parameters(function: hir.Function) -> str:
    shown: list[str] = []
    for number, parameter in enumerate(function.parameters):
        if parameter.keyword_only and not any(p.keyword_only for p in function.parameters[:number]):
            shown.append("*")
        annotation = "" if parameter.annotation is None else f": {show_expression(parameter.annotation)}"
        default = "" if parameter.default is None else f" = {show_expression(parameter.default)}"
        shown.append(parameter.name + annotation + default)
    return ", ".join(shown)


def _block(body: tuple[hir.Stmt, ...]) -> Iterator[str]:
    for statement in body:
        yield from ("    " + line for line in _statement(statement))
    if not body:
        yield "    pass"


def _statement(s: hir.Stmt) -> Iterator[str]:
    match s:
        case hir.Assign():
            yield " = ".join(show_expression(part) for part in (*s.targets, s.value))
        case hir.AugmentedAssign():
            yield f"{show_expression(s.target)} {s.op}= {show_expression(s.value)}"
        case hir.AnnotatedAssign():
            value = "" if s.value is None else f" = {show_expression(s.value)}"
            yield f"{s.local.name}: {show_expression(s.annotation)}{value}"
        case hir.Evaluate():
            yield show_expression(s.value)
        case hir.If():
            yield f"if {show_expression(s.condition)}:"
            yield from _block(s.then)
            if s.orelse:
                yield "else:"
                yield from _block(s.orelse)
        case hir.While():
            yield f"while {show_expression(s.condition)}:"
            yield from _block(s.body)
        case hir.For():
            yield f"for {show_expression(s.target)} in {show_expression(s.iterable)}:"
            yield from _block(s.body)
        case hir.Match():
            yield f"match {show_expression(s.subject)}:"
            for case in s.cases:
                guard = "" if case.guard is None else f" if {show_expression(case.guard)}"
                yield f"    case {' | '.join(map(show_expression, case.patterns)) or '_'}{guard}:"
                yield from ("    " + line for line in _block(case.body))
        case hir.Break():
            yield "break"
        case hir.Continue():
            yield "continue"
        case hir.Return():
            yield "return" if s.value is None else f"return {show_expression(s.value)}"
        case hir.Assert():
            message = "" if s.message is None else f", {show_expression(s.message)}"
            yield f"assert {show_expression(s.condition)}{message}"
        case hir.Define():
            yield from _function(s.function, "def")
        case _:
            assert_never(s)


def show_expression(e: hir.Expr) -> str:
    """One expression on one line."""
    match e:
        case hir.Constant():
            return repr(e.value)
        case hir.LocalName():
            return e.name
        case hir.CapturedName():
            return f"${e.name}"
        case hir.Attribute():
            return f"{show_expression(e.value)}.{e.name}"
        case hir.Subscript():
            return f"{show_expression(e.value)}[{', '.join(map(show_expression, e.indices))}]"
        case hir.Slice():
            start, stop, step = ("" if part is None else show_expression(part) for part in (e.start, e.stop, e.step))
            return f"{start}:{stop}" + (f":{step}" if step else "")
        case hir.Unary():
            return f"({e.op}{' ' if e.op is hir.UnaryOp.NOT else ''}{show_expression(e.operand)})"
        case hir.Binary():
            return f"({show_expression(e.lhs)} {e.op} {show_expression(e.rhs)})"
        case hir.Comparison():
            rest = "".join(f" {op} {show_expression(operand)}" for op, operand in e.rest)
            return f"({show_expression(e.first)}{rest})"
        case hir.Logical():
            return f"({f' {e.op} '.join(map(show_expression, e.operands))})"
        case hir.Conditional():
            then, condition, orelse = map(show_expression, (e.then, e.condition, e.orelse))
            return f"({then} if {condition} else {orelse})"
        case hir.Call():
            keywords = [f"{name}={show_expression(value)}" for name, value in e.keywords]
            return f"{show_expression(e.callee)}({', '.join([*map(show_expression, e.arguments), *keywords])})"
        case hir.Tuple():
            return f"({', '.join(map(show_expression, e.elements))}{',' if len(e.elements) == 1 else ''})"
        case hir.Lambda():
            assert isinstance(e.function.body[0], hir.Return) and e.function.body[0].value is not None
            return f"(lambda {_parameters(e.function)}: {show_expression(e.function.body[0].value)})"
        case hir.Refused():
            return "<refused>"
        case hir.FormattedText():
            return f"f{''.join(p if isinstance(p, str) else _formatted(*p) for p in e.parts)!r}"
        case _:
            assert_never(e)


def _formatted(value: hir.Expr, form: str) -> str:
    return "{" + show_expression(value) + (f":{form}" if form else "") + "}"
