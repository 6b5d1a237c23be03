"""Making values by calling a type: explicit conversions, structs and vectors."""
from __future__ import annotations

import dataclasses
from typing import cast

from simt.core.check import tir
from simt.core.check.argument import arguments_of
from simt.core.check.binding import Keywords
from simt.core.check.naming import type_name, weak_value
from simt.core.check.operand import POISON, Operand, Runtime, Static, Stored
from simt.core.check.state import State
from simt.core.check.values import const, convert, to_expr
from simt.core.check.variables import local_operand
from simt.core.diagnostics.span import Span
from simt.core.scalars import SCALAR_CLASSES
from simt.core.types import Kind, PointerType, ScalarType, StructType, VectorType
from simt.core.types.scalar import BOOL, U64

VECTOR_PARTS = "xyzw"


def convert_explicitly(
    state: State, target: ScalarType, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """``f32(x)``: wraps, truncates or rounds as asked. ``c64(re, im)`` takes two parts."""
    if keywords or not 0 <= len(arguments) <= (2 if target.is_complex else 1):
        takes, form = ("one value, or two parts", "(re, im)") if target.is_complex else ("one value", "(x)")
        return state.error(
            "wrong-arguments", f"{target}(...) takes {takes}", span, "in this call", help=f"write `{target}{form}`",
        )
    if not arguments:
        return Runtime(const(span, 0, target))
    if len(arguments) == 2:
        written = arguments_of(state.written.get(span), str(target), ("re", "im"), 2, span).values()
        parts = [
            convert(state, operand, target.component, argument.span, "pass", argument=argument)
            for operand, argument in zip(arguments, written, strict=True)
        ]
        good = tuple(part for part in parts if part is not None)
        return Runtime(tir.Aggregate(span=state.at(span), type=target, elements=good)) if len(good) == 2 else POISON
    return explicit(state, arguments[0], target, span)


def explicit(state: State, operand: Operand, target: ScalarType, span: Span) -> Operand:
    """One operand converted to a scalar type."""
    number = weak_value(operand)
    if number is not None:
        if target == BOOL:
            return Static(bool(number))
        if isinstance(number, complex) and not target.is_complex:
            return _refuse_complex(state, "complex literal", target, span)
        return Runtime(const(span, _converted_on_host(number, target), target))
    expr = to_expr(state, operand, span)
    if expr is None:
        return POISON
    if isinstance(expr.type, PointerType) and target == U64:
        return Runtime(tir.Bitcast(span=state.at(span), type=U64, value=expr))
    if not isinstance(expr.type, ScalarType):
        return state.error(
            "type-mismatch", f"{target}(...) converts numbers, not {type_name(operand)}", span, f"this is {expr.type}",
        )
    if expr.type.is_complex and not target.is_complex:
        return _refuse_complex(state, str(expr.type), target, span)
    return Runtime(expr if expr.type == target else tir.Convert(span=state.at(span), type=target, value=expr))


def _converted_on_host(number: bool | int | float | complex, target: ScalarType) -> int | float | complex:
    """A literal converted once: floats keep the literal's digits, integers wrap or saturate as at run time."""
    if target.is_complex:
        return complex(number)
    if target.is_float:
        return float(cast("float", number))
    if isinstance(number, float):
        return int(cast("int", SCALAR_CLASSES[target](number)))
    wrapped = int(cast("int", number)) & ((1 << target.bits) - 1)
    return wrapped - (1 << target.bits) if target.kind is Kind.SIGNED and wrapped > target.maximum else wrapped


def _refuse_complex(state: State, source: str, target: ScalarType, span: Span) -> Operand:
    return state.error(
        "implicit-conversion", f"{target}(...) of {source} would drop the imaginary part", span, f"this is {source}",
        help="write `z.real` or `abs(z)`",
    )


def construct_struct(
    state: State, python: type, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """``Point(x, y=1.0)``: fields by position or name, defaults filled in."""
    struct = cast("StructType", vars(python)["struct_type"])
    names = [field.name for field in struct.fields]
    signature = f"{struct}({', '.join(names)})"
    given = dict(zip(names, arguments, strict=False))
    wrong = None if len(arguments) <= len(names) else f"takes {len(names)} fields, {len(arguments)} given"
    for name, operand in keywords:
        if name not in names or name in given:
            wrong = f"has no field `{name}`" if name not in names else f"is given `{name}` twice"
        given[name] = operand
    defaults = _field_defaults(python)
    for name in names:
        if name not in given and name in defaults:
            given[name] = Static(defaults[name])
    missing = [name for name in names if name not in given]
    if wrong is None and missing:
        wrong = f"needs {', '.join(f'`{name}`' for name in missing)}"
    if wrong is not None:
        return state.error(
            "wrong-arguments", f"struct `{struct}` {wrong}", span, "in this call", help=f"write `{signature}`",
        )
    written = arguments_of(state.written.get(span), str(struct), names, len(arguments), span)
    parts = [
        convert(state, given[field.name], field.type, argument.span, "pass", argument=argument)
        for field, argument in zip(struct.fields, written.values(), strict=True)
    ]
    good = tuple(part for part in parts if part is not None)
    if len(good) != len(parts):
        return POISON
    value = tir.Aggregate(span=state.at(span), type=struct, elements=good)
    return local_operand(state.spill(value, struct.name.lower()).local, span)


def _field_defaults(python: type) -> dict[str, object]:
    found = cast("dict[str, object]", getattr(python, "field_defaults", {}))
    if dataclasses.is_dataclass(python):
        found = {f.name: f.default for f in dataclasses.fields(python) if f.default is not dataclasses.MISSING}
    return found


def construct_vector(
    state: State, python: type, arguments: tuple[Operand, ...], keywords: Keywords, span: Span,
) -> Operand:
    """``f32x4(x, y, z, w)``, or one value for all parts."""
    vector = cast("VectorType", vars(python)["vector_type"])
    if keywords or len(arguments) not in (1, vector.lanes):
        return state.error(
            "wrong-arguments", f"{vector} takes {vector.lanes} values, or one for all; {len(arguments)} given", span,
            "in this call",
        )
    expanded = arguments * vector.lanes if len(arguments) == 1 else arguments
    names = VECTOR_PARTS[: len(arguments)] if len(arguments) > 1 else ("value",) * vector.lanes
    written = arguments_of(state.written.get(span), str(vector), names, len(arguments), span)
    parts = [
        convert(state, part, vector.element, written[name].span, "pass", argument=written[name])
        for name, part in zip(names, expanded, strict=True)
    ]
    good = tuple(part for part in parts if part is not None)
    if len(good) != len(parts):
        return POISON
    return local_operand(
        state.spill(tir.Aggregate(span=state.at(span), type=vector, elements=good), "vector").local, span,
    )


def copy_struct(state: State, operand: Operand, span: Span) -> Operand:
    """A struct of its own with the same fields."""
    if not isinstance(operand, Stored):
        return operand
    value = tir.Load(span=state.at(span), type=operand.place.type, place=operand.place)
    return local_operand(state.spill(value, "copy").local, span)
