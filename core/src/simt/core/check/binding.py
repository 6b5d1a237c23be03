"""Arguments to parameters: names and counts, then each parameter's annotation."""
from __future__ import annotations

from typing import TypeVar, get_args, get_origin

from simt.core.annotations import ArrayAnnotation, ConstAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.check.argument import Argument
from simt.core.check.classes import type_of_class
from simt.core.check.naming import an, counted, type_name, weak_value
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static, Stored, TupleOperand
from simt.core.check.resolve import describe, is_open, resolve_annotation
from simt.core.check.scope import Scope
from simt.core.check.stability import freeze
from simt.core.check.state import State
from simt.core.check.uncalled import call_help
from simt.core.check.values import convert, default_type, literal, operand_type
from simt.core.check.variables import assign, local_operand
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.intrinsics.lanes import Lanes
from simt.core.types import ArrayType, ImageType, PointerType, ScalarType, Type
from simt.core.types.conversion import is_lossless

ELEMENTS = "elements of"
READS = "reads of"
Keywords = tuple[tuple[str, Operand], ...]


def bind_arguments(
    state: State, function: hir.Function, defaults: dict[str, Operand], arguments: tuple[Operand, ...],
    keywords: Keywords, span: Span,
) -> list[Operand] | None:
    """One operand a parameter, in order; None (reported) where the call does not fit the signature."""
    parameters = function.parameters
    positional = [parameter for parameter in parameters if not parameter.keyword_only]
    receivers = 1 if positional and positional[0].name == "self" else 0
    names = [parameter.name for parameter in parameters[receivers:]]
    wanted = f"{function.name}({', '.join(names)})"
    if len(arguments) > len(positional):
        state.error(
            "wrong-arguments",
            f"`{function.name}` takes {counted(len(positional) - receivers, 'argument')}, "
            f"{len(arguments) - receivers} given", span, "too many arguments", help=f"its signature is `{wanted}`",
        )
        return None
    given = dict(zip((parameter.name for parameter in positional), arguments, strict=False))
    known = {parameter.name for parameter in parameters}
    for name, operand in keywords:
        if name not in known or name in given:
            problem = "has no parameter" if name not in known else "is given twice the parameter"
            state.error(
                "wrong-arguments", f"`{function.name}` {problem} `{name}`", span, "in this call",
                help=f"its signature is `{wanted}`",
            )
            return None
        given[name] = operand
    missing = [p.name for p in parameters if p.name not in given and p.name not in defaults]
    if missing:
        state.error(
            "wrong-arguments", f"`{function.name}` needs {', '.join(f'`{name}`' for name in missing)}", span,
            "argument missing", help=f"its signature is `{wanted}`",
        )
        return None
    return [given.get(p.name, defaults.get(p.name, POISON)) for p in parameters]


def bind_parameter(
    state: State, scope: Scope, parameter: hir.Parameter, annotation: object, operand: Operand, argument: Argument,
) -> None:
    """Give a parameter its argument, converted as its annotation asks."""
    span = argument.span
    value = adapt(state, annotation, operand, scope.types, argument)
    if scope.has_one_value(parameter.name) and (
        isinstance(value, Stored | Static | TupleOperand)
        or (isinstance(value, Runtime) and isinstance(value.expr.type, ArrayType | ImageType))
    ):
        scope.bind(parameter.name, freeze(state, value, span))  # by reference, as Python passes objects
    else:
        assign(state, scope, parameter.name, value, span)


def adapt(
    state: State, annotation: object, operand: Operand, bound: dict[str, Type], argument: Argument,
) -> Operand:
    """``operand`` as an annotated parameter takes it. Type variables are bound on the way."""
    span, name = argument.span, argument.name
    if annotation is None or isinstance(operand, Poison):
        return operand
    match annotation:
        case TypeVar():
            return _adapt_variable(state, annotation, operand, bound, argument)
        case ArrayAnnotation():
            return _adapt_array(state, annotation, operand, bound, argument)
        case PointerAnnotation(element=element):
            return _adapt_pointer(state, element, operand, bound, argument)
        case ImageAnnotation():
            return _adapt_image(state, annotation, operand, bound, argument)
        case ConstAnnotation():
            if not isinstance(operand, Static):
                return state.error(
                    "not-constant", f"`{name}` must be a compile-time value", span, "known only at run time",
                )
            return operand
        case _:
            pass
    if get_origin(annotation) is Lanes:
        return _adapt_lanes(state, get_args(annotation)[0], operand, bound, argument)
    if is_open(annotation):
        return operand
    if get_origin(annotation) is tuple and isinstance(operand, TupleOperand):
        parts = get_args(annotation)
        if len(parts) == len(operand.elements):
            return TupleOperand(tuple(
                adapt(state, part, element, bound, argument)
                for part, element in zip(parts, operand.elements, strict=True)
            ))
    target = resolve_annotation(state, annotation, bound, span)
    if target is None or operand_type(operand) == target:
        return operand
    value = convert(state, operand, target, span, "pass", argument=argument)
    if value is None:
        return POISON
    return Runtime(value) if isinstance(target, ScalarType) else local_operand(state.spill(value, name).local, span)


def _adapt_variable(
    state: State, variable: TypeVar, operand: Operand, bound: dict[str, Type], argument: Argument,
) -> Operand:
    span, name = argument.span, argument.name
    number = weak_value(operand)
    target = bound.get(variable.__name__)
    if target is None and number is not None:
        target = _default_for(state, variable, number)
    if target is None:
        target = operand_type(operand)
        if target is None:
            return state.error(
                "type-mismatch", f"`{name}` cannot be {an(type_name(operand))}", span, f"{an(type_name(operand))}",
                help=call_help(operand) or "pass a number, struct or array",
            )
        if not bind_variable(state, variable, target, bound, argument):
            return POISON
        return operand
    if number is not None and isinstance(target, ScalarType):
        bound.setdefault(variable.__name__, target)
        value = literal(state, number, target, span)
        return POISON if value is None else Runtime(value)
    return _convert_to_bound(state, variable, operand, target, argument)


def _convert_to_bound(
    state: State, variable: TypeVar, operand: Operand, target: Type, argument: Argument,
) -> Operand:
    span, name = argument.span, argument.name
    found = operand_type(operand)
    if found == target:
        return operand
    if isinstance(found, ScalarType) and isinstance(target, ScalarType) and is_lossless(found, target):
        value = convert(state, operand, target, span, "pass", argument=argument)
        return POISON if value is None else Runtime(value)
    return state.error(
        "type-mismatch",
        f"`{argument.callee}` takes arguments of one type: `{name}` is {type_name(operand)}, and another is {target}",
        span, f"this is {type_name(operand)}",
        help=f"convert it: `{argument.within(str(target))}`" if isinstance(target, ScalarType) else None,
    )


def _default_for(state: State, variable: TypeVar, number: bool | int | float | complex) -> Type | None:
    """The type of a literal passed for a type variable that nothing else binds."""
    preferred = default_type(number)
    allowed = [type_of_class(constraint) for constraint in variable.__constraints__]
    if not allowed or preferred in allowed:
        return preferred
    fitting = [t for t in allowed if isinstance(t, ScalarType) and is_lossless(preferred, t)]
    if isinstance(number, int) and not fitting:
        fitting = [t for t in allowed if isinstance(t, ScalarType) and t.name == "f32"]
    return fitting[0] if fitting else None


def bind_variable(
    state: State, variable: TypeVar, target: Type, bound: dict[str, Type], argument: Argument, what: str = "",
) -> bool:
    """Bind a type variable, if its constraints allow the type. ``what``: the part of the argument that has it."""
    allowed = [type_of_class(constraint) for constraint in variable.__constraints__]
    if allowed and target not in allowed:
        *others, last = dict.fromkeys(describe(constraint) for constraint in variable.__constraints__)
        names = f"{', '.join(others)} or {last}" if others else last
        state.error(
            "type-mismatch", f"`{argument.callee}` takes {what or f'`{argument.name}` as'} {names}, not {target}",
            argument.span, f"{what or 'this is'} {target}".strip(), help=_allowed_help(target, allowed, argument, what),
        )
        return False
    bound[variable.__name__] = target
    return True


def _allowed_help(target: Type, allowed: list[Type | None], argument: Argument, what: str) -> str | None:
    """What to write for an argument of a type that is not allowed: memory keeps its type, values can be converted."""
    scalars = [t for t in allowed if isinstance(t, ScalarType)]
    if isinstance(target, ArrayType):
        return "pass one element of the array"
    if not isinstance(target, ScalarType) or not scalars:
        return None
    if what:
        best = next((t for t in scalars if is_lossless(target, t)), scalars[0])
        return f"declare the array with one of these element types, such as {best}"
    best = next((t for t in scalars if t.name == "f32"), scalars[0])
    if target.is_complex:
        return f"pass a real number: `{argument.within('abs')}`, or its `.real`"
    return f"convert it: `{argument.within(str(best))}`"


def _adapt_array(
    state: State, annotation: ArrayAnnotation, operand: Operand, bound: dict[str, Type], argument: Argument,
) -> Operand:
    span, name = argument.span, argument.name
    if not isinstance(operand, Runtime) or not isinstance(operand.expr.type, ArrayType):
        return state.error(
            "type-mismatch", f"`{name}` takes an array, not {type_name(operand)}", span,
            f"this is {type_name(operand)}",
            help=f"pass an array: `{name}: {annotation}`",
        )
    array = operand.expr.type
    if isinstance(annotation.element, TypeVar) and annotation.element.__name__ not in bound:
        if not bind_variable(state, annotation.element, array.element, bound, argument, ELEMENTS):
            return POISON
    element = resolve_annotation(state, annotation.element, bound, span)
    if element is None:
        return POISON
    problem = None
    if element != array.element:
        problem = f"elements are {array.element}, and {element} is expected"
    elif annotation.ndim != array.ndim:
        problem = f"it has {array.ndim} {'axis' if array.ndim == 1 else 'axes'}, and {annotation.ndim} are expected"
    elif annotation.access.writable and not array.access.writable:
        problem = f"it is read-only here, and `{name}` is written"
    if problem is not None:
        return state.error("type-mismatch", f"`{name}` cannot take this array: {problem}", span, f"this is {array}")
    return operand


def _adapt_image(
    state: State, annotation: ImageAnnotation, operand: Operand, bound: dict[str, Type], argument: Argument,
) -> Operand:
    span, name, kind = argument.span, argument.name, annotation.kind
    if not isinstance(operand, Runtime) or not isinstance(operand.expr.type, ImageType) \
            or operand.expr.type.kind is not kind:
        return state.error(
            "type-mismatch", f"`{name}` takes a {kind.lower()}, not {type_name(operand)}", span,
            f"this is {type_name(operand)}", help=f"declare the kernel's parameter `{annotation}`",
        )
    image = operand.expr.type
    if annotation.ndim not in (None, image.ndim):
        axes = "axis" if image.ndim == 1 else "axes"
        return state.error(
            "type-mismatch", f"`{name}` has {annotation.ndim} axes here, and this {kind.lower()} has {image.ndim} "
            f"{axes}", span, f"this is {image}",
        )
    if isinstance(annotation.element, TypeVar) and annotation.element.__name__ not in bound:
        return operand if bind_variable(state, annotation.element, image.element, bound, argument, READS) else POISON
    wanted = resolve_annotation(state, annotation.element, bound, span)
    if wanted is not None and wanted != image.element:
        return state.error(
            "type-mismatch", f"a read of `{name}` gives {image.element}, and {wanted} is expected", span,
            f"this is {image}",
        )
    return operand


def _adapt_lanes(
    state: State, element: object, operand: Operand, bound: dict[str, Type], argument: Argument,
) -> Operand:
    """The values of all threads of a scope, in a collective's meaning."""
    assert isinstance(operand, Runtime) and isinstance(operand.expr.type, ArrayType)
    if isinstance(element, TypeVar) and element.__name__ not in bound:
        return operand if bind_variable(state, element, operand.expr.type.element, bound, argument) else POISON
    return operand


def _adapt_pointer(
    state: State, element: object, operand: Operand, bound: dict[str, Type], argument: Argument,
) -> Operand:
    span, name = argument.span, argument.name
    if not isinstance(operand, Runtime) or not isinstance(operand.expr.type, PointerType):
        return state.error(
            "type-mismatch", f"`{name}` takes a pointer, not {type_name(operand)}", span,
            f"this is {type_name(operand)}",
            help="write `address_of(array, index)`",
        )
    found = operand.expr.type.element
    if isinstance(element, TypeVar) and element.__name__ not in bound:
        return operand if bind_variable(state, element, found, bound, argument, ELEMENTS) else POISON
    wanted = resolve_annotation(state, element, bound, span)
    if wanted is not None and wanted != found:
        return state.error(
            "type-mismatch", f"`{name}` is a pointer to {found}, and {wanted} is expected", span, f"Ptr[{found}]",
        )
    return operand
