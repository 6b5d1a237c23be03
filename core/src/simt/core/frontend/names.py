"""What the names of a function stand for on the host: captured names and annotations."""
from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from types import CellType, FunctionType

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError
from simt.core.frontend import hir
from simt.core.frontend.read import read_with_refusals

NOTHING: Mapping[str, object] = {}


class NameMissing(KeyError):
    """A dotted name has no value. ``missing`` is the part that has none, ``known`` what stands before it, or None."""

    def __init__(self, missing: str, known: object = None) -> None:
        self.missing = missing
        self.known = known
        super().__init__(missing)


def captured_value(function: FunctionType, dotted: str, extra: Mapping[str, object] = NOTHING) -> object:
    """The present value of a captured name with its attributes, e.g. ``math.sqrt``.

    Looked up as Python does: the enclosing functions, the module, builtins. ``extra`` comes last: names of the frame
    that defined the function, which matter where only an annotation uses them.

    Raises:
        NameMissing: there is no such name, its closure cell is still empty, or an attribute is missing.
    """
    base, *attributes = dotted.split(".")
    value = _base_value(function, base, extra)
    for number, attribute in enumerate(attributes, 1):
        try:
            value = getattr(value, attribute)
        except AttributeError:
            raise NameMissing(".".join([base, *attributes[:number]]), value) from None
    return value


def closure_cell(function: FunctionType, name: str) -> CellType | None:
    """The cell that holds a name of an enclosing function, or None where the name is not from one."""
    names = function.__code__.co_freevars
    return function.__closure__[names.index(name)] if name in names and function.__closure__ is not None else None


def _base_value(function: FunctionType, name: str, extra: Mapping[str, object]) -> object:
    cell = closure_cell(function, name)
    if cell is not None:
        try:
            return cell.cell_contents
        except ValueError:  # a name that the enclosing function has not assigned yet
            raise NameMissing(name) from None
    if name in function.__globals__:
        return function.__globals__[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    if name in extra:
        return extra[name]
    raise NameMissing(name)


class _Names(dict[str, object]):
    """The names that an annotation in quotes may use, found as captured ones are."""

    def __init__(self, function: FunctionType, extra: Mapping[str, object]) -> None:
        super().__init__()
        self.function = function
        self.extra = extra

    def __missing__(self, name: str) -> object:
        for parameter in getattr(self.function, "__type_params__", ()):  # since Python 3.12
            if parameter.__name__ == name:
                return parameter
        if name in self.extra:  # nearer than the module, as for a function whose body names it
            return self.extra[name]
        try:
            return _base_value(self.function, name, self.extra)
        except NameMissing:
            raise KeyError(name) from None


def annotations_of(function: FunctionType, extra: Mapping[str, object] = NOTHING) -> dict[str, object]:
    """The values of a function's annotations by parameter, and of its result by ``return``.

    Annotations that are text (``from __future__ import annotations``, or in quotes) are evaluated with the names that
    the function sees and ``extra``. Parameters without an annotation are absent.

    Raises:
        CompileError: an annotation cannot be evaluated; one diagnostic for each.
    """
    values: dict[str, object] = {}
    problems: list[Diagnostic] = []
    try:
        annotations = dict(function.__annotations__)
    except NameError as error:  # Python 3.14 evaluates them here, all at once
        span = read_with_refusals(function).span
        raise CompileError((_unresolved(span, "an annotation", error),)) from None
    for name, value in annotations.items():
        try:
            # Twice, for an annotation in quotes under `from __future__ import annotations`.
            for _ in range(2):
                value = _evaluate(value, function, extra) if isinstance(value, str) else value
        except Exception as error:
            span = _annotation_span(read_with_refusals(function), name)
            problems.append(_unresolved(span, f"the annotation of `{name}`" if name != "return" else "the result's "
                                        "annotation", error))
        values[name] = value
    if problems:
        raise CompileError(tuple(sorted(problems, key=lambda d: (d.primary.span.line, d.primary.span.col))))
    return values


def _evaluate(text: str, function: FunctionType, extra: Mapping[str, object]) -> object:
    expression = compile(ast.parse(text.strip(), mode="eval"), function.__code__.co_filename, "eval")
    # From Python 3.12 on, subscription of a generic class imports a module by the builtins of this evaluation.
    return eval(expression, {"__builtins__": {"__import__": builtins.__import__}}, _Names(function, extra))


def _annotation_span(function: hir.Function, name: str) -> Span:
    if name == "return":
        return function.span if function.returns is None else function.returns.span
    for parameter in function.parameters:
        if parameter.name == name:
            return parameter.span if parameter.annotation is None else parameter.annotation.span
    return function.span


def _unresolved(span: Span, what: str, error: Exception) -> Diagnostic:
    if isinstance(error, NameError):
        reason, help = str(error), "import the name, or define it before the kernel is first compiled"
    else:
        reason, help = f"{type(error).__name__}: {error}", "write a type, as in `x: In[f32]` or `n: i32`"
    return Diagnostic(
        code="unresolved-annotation", message=f"{what} has no value", primary=Label(span=span, text=reason), help=help
    )
