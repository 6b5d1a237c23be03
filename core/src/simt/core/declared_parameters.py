"""What a declaration's annotations say of its parameters, and what is wrong with them."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from simt.core.diagnostics.diagnostic import Diagnostic, Label
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError
from simt.core.runtime.pattern import Parameter, pattern_of

if TYPE_CHECKING:
    from simt.core.declaration import Declaration


def parameters_of(declaration: Declaration) -> tuple[Parameter, ...]:
    """The parameters with what they accept.

    Raises:
        CompileError: an annotation names no type of kernel parameters, or a result is annotated.
    """
    annotations = declaration.annotations
    parameters: list[Parameter] = []
    problems: list[Diagnostic] = []
    for name in declaration.names:
        try:
            parameters.append(Parameter(name, pattern_of(annotations[name]), annotations[name]))
        except TypeError as error:
            problems.append(Diagnostic(
                code="bad-annotation", message=f"the annotation of `{name}` is not the type of a kernel parameter",
                primary=Label(span=_span(declaration, name), text="annotated here"), help=str(error),
            ))
    if annotations.get("return") is not None:
        problems.append(Diagnostic(
            code="kernel-returns-value", message=f"kernel `{declaration.name}` is annotated to return a value",
            primary=Label(span=_span(declaration, "return"), text="a kernel returns nothing"),
            help="write `-> None` or leave it out; results go to `Out[...]` parameters",
        ))
    if problems:
        raise CompileError(tuple(problems))
    return tuple(parameters)


def missing_annotations(
    declaration: Declaration, missing: list[str], arguments: Mapping[str, object],
) -> CompileError:
    """The error for parameters without an annotation, which offers what ``arguments`` suggest."""
    from simt.core.runtime.suggestion import suggested_annotation

    problems: list[Diagnostic] = []
    for name in missing:
        suggestion = suggested_annotation(name, arguments[name]) if name in arguments else None
        advice = f"`{name}: {suggestion or 'f32'}`"
        if suggestion is not None and suggestion.startswith("In["):
            advice += f", or `{name}: Out{suggestion[2:]}` where it is written"
        reason = " as this call's argument suggests" if suggestion is not None else " for example"
        problems.append(Diagnostic(
            code="missing-annotation", message=f"parameter `{name}` of `{declaration.name}` has no annotation",
            primary=Label(span=_span(declaration, name), text="what type is this?"), help=f"write {advice},{reason}",
        ))
    return CompileError(tuple(problems))


def _span(declaration: Declaration, name: str) -> Span:
    """Where a parameter stands, or for ``return`` the annotation of the result."""
    from simt.core.frontend.read import read_with_refusals

    function = read_with_refusals(declaration.function)
    if name == "return":
        return function.span if function.returns is None else function.returns.span
    return next(parameter.span for parameter in function.parameters if parameter.name == name)
