"""From a kernel's function and a signature to TIR: the entry of the checker."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import TypeVar

from simt.core.annotations import ArrayAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.check import tir
from simt.core.check.aliases import refuse_changes_across_rounds, refuse_lost_changes
from simt.core.check.calls import call_operand
from simt.core.check.double_precision import warn_of_double_precision
from simt.core.check.expressions import check_expression
from simt.core.check.host_values import host_constant
from simt.core.check.operand import Operand, Runtime, Static, Stored
from simt.core.check.scope import Plan, Scope, assignment_sites
from simt.core.check.signature import Constant, Signature
from simt.core.check.state import State
from simt.core.check.statements import check_body
from simt.core.check.subscripts import subscript
from simt.core.check.variables import assign, local_operand, settle
from simt.core.diagnostics.diagnostic import Diagnostic, Severity
from simt.core.errors import CompileError
from simt.core.frontend import hir
from simt.core.options import Options
from simt.core.target import Target
from simt.core.types import ArrayType, ImageType, PointerType, Type

MAX_ATTEMPTS = 16


@dataclass(frozen=True, slots=True)
class Checked:
    """A kernel without errors, and what there is to warn about."""

    kernel: tir.Kernel
    warnings: tuple[Diagnostic, ...]


def check_kernel(
    python: FunctionType, function: hir.Function, annotations: Mapping[str, object], signature: Signature,
    target: Target, options: Options, *, name: str | None = None, max_threads: int | None = None,
    min_blocks: int | None = None, cluster: tuple[int, int, int] | None = None,
    block: tuple[int, int, int] | None = None,
) -> Checked:
    """Check one specialisation.

    Raises:
        CompileError: the kernel's text must change; holds every error found.
    """
    state = State(target, options, check_expression, call_operand, check_body, subscript)
    state.diagnostics.extend(function.refused)
    plan = Plan()
    parameters: tuple[tir.Local, ...] = ()
    for remaining in reversed(range(MAX_ATTEMPTS)):
        mark = state.snapshot()
        state.block.clear()
        scope = Scope(
            function=function, host=python, plan=plan, parent=None, sites=assignment_sites(function), is_kernel=True,
        )
        state.calls = [python]
        parameters = _bind_parameters(state, scope, annotations, signature)
        check_body(state, scope, function.body)
        if not settle(scope):
            break
        if remaining == 0:
            state.error("conflicting-types", "the types of this kernel's locals do not settle", function.span)
            break
        state.rollback(mark)
    kernel = tir.Kernel(
        span=function.span, name=name or function.name, parameters=parameters, allocations=tuple(state.allocations),
        body=tuple(state.block), max_threads=max_threads, min_blocks=min_blocks, cluster=cluster,
        block=block,
    )
    refuse_lost_changes(state, kernel)
    refuse_changes_across_rounds(state, kernel)
    errors = tuple(d for d in state.diagnostics if d.severity is Severity.ERROR)
    if errors:
        raise CompileError(tuple(sorted(state.diagnostics, key=_position)))
    warn_of_double_precision(state, kernel)
    return Checked(kernel, tuple(sorted(state.diagnostics, key=_position)))


def _position(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.primary.span
    while span.call_site is not None:
        span = span.call_site
    return span.filename, span.line, span.col


def _bind_parameters(
    state: State, scope: Scope, annotations: Mapping[str, object], signature: Signature,
) -> tuple[tir.Local, ...]:
    """Kernel parameters as locals; compile-time arguments as what they are."""
    locals_: list[tir.Local] = []
    for parameter, argument in zip(scope.function.parameters, signature.arguments, strict=True):
        if isinstance(argument, Constant):
            constant = host_constant(argument.value, parameter.span)
            operand: Operand = Static(argument.value) if constant is None else Runtime(constant)
        else:
            local = state.fresh(parameter.name, argument)
            locals_.append(local)
            operand = local_operand(local, parameter.span)
            _bind_type_variables(annotations.get(parameter.name), argument, scope.types)
        if scope.has_one_value(parameter.name):
            scope.bind(parameter.name, operand)
            if isinstance(operand, Stored) and isinstance(operand.place, tir.Variable):
                state.named.add(operand.place.local)
        else:
            assign(state, scope, parameter.name, operand, parameter.span)
    return tuple(locals_)


def _bind_type_variables(annotation: object, argument: Type, bound: dict[str, Type]) -> None:
    match annotation:
        case TypeVar():
            bound[annotation.__name__] = argument
        case ArrayAnnotation(element=TypeVar() as element) if isinstance(argument, ArrayType):
            bound[element.__name__] = argument.element
        case PointerAnnotation(element=TypeVar() as element) if isinstance(argument, PointerType):
            bound[element.__name__] = argument.element
        case ImageAnnotation(element=TypeVar() as element) if isinstance(argument, ImageType):
            bound[element.__name__] = argument.element
        case _:
            pass
