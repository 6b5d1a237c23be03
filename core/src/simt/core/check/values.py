"""From operands to typed expressions: literals find their type here, and lossless conversions happen here."""
from __future__ import annotations

import math
import re

from simt.core.check import tir
from simt.core.check.argument import Argument
from simt.core.check.host_values import static_elements
from simt.core.check.naming import Number, an, type_name, weak_value
from simt.core.check.operand import Operand, Poison, Runtime, Static, Stored, TupleOperand
from simt.core.check.state import State
from simt.core.check.uncalled import call_help
from simt.core.check.written import grouped, written_operands, written_value
from simt.core.diagnostics.source import source_text
from simt.core.diagnostics.span import Span
from simt.core.types import AddressSpace, ArrayType, Kind, PointerType, ScalarType, TupleType, Type
from simt.core.types.conversion import is_lossless
from simt.core.types.scalar import BOOL, C64, F32, I32, I64, I128, U64
from simt.core.values.rounding import round_float, round_integer


def const(span: Span, value: Number, type: ScalarType) -> tir.Const:
    return tir.Const(span=span, type=type, value=value)


def index(span: Span, value: int) -> tir.Const:
    """An i64 constant."""
    return const(span, value, I64)


def default_type(value: Number) -> ScalarType:
    """The type of a literal that meets no other."""
    match value:
        case bool():
            return BOOL
        case int():
            return next((t for t in (I32, I64, U64, I128) if t.minimum <= value <= t.maximum), I128)
        case float():
            return F32
        case _:
            return C64


def operand_type(operand: Operand) -> Type | None:
    """The type of a typed operand; None for compile-time values and poison."""
    match operand:
        case Runtime(expr=expr):
            return expr.type
        case Stored(place=place):
            return place.type
        case TupleOperand(elements=elements):
            types = [operand_type(element) or _weak_type(element) for element in elements]
            return TupleType(tuple(t for t in types if t is not None)) if None not in types else None
        case _:
            return None


def _weak_type(operand: Operand) -> Type | None:
    value = weak_value(operand)
    return None if value is None else default_type(value)


def to_expr(state: State, operand: Operand, span: Span) -> tir.Expr | None:
    """A typed expression of the operand, literals at their default type; None (reported) where there is none."""
    match operand:
        case Runtime(expr=expr):
            return expr
        case Stored(place=place):
            return tir.Load(span=span, type=place.type, place=place)
        case TupleOperand(elements=elements):
            parts = [to_expr(state, element, span) for element in elements]
            good = tuple(part for part in parts if part is not None)
            if len(good) != len(parts):
                return None
            return tir.Aggregate(span=span, type=TupleType(tuple(part.type for part in good)), elements=good)
        case Poison():
            return None
        case Static(value=value):
            if (number := weak_value(operand)) is not None:
                return const(span, number, default_type(number))
            if isinstance(value, tuple):
                return to_expr(state, TupleOperand(static_elements(operand, span) or ()), span)
        case _:
            pass
    if isinstance(operand, Static) and operand.value is None:
        state.error(
            "not-a-value", "there is no value here: None", span, "this is None",
            help="write a value; a function gives one by `return value`, on every path",
        )
        return None
    state.error(
        "not-a-value", f"{an(type_name(operand))} is not a value that a kernel can compute with", span,
        f"this is {an(type_name(operand))}",
        help=call_help(operand) or "use numbers, structs, tuples, arrays; functions may be called and passed on",
    )
    return None


def literal(state: State, value: Number, target: ScalarType, span: Span) -> tir.Const | None:
    """A literal as a constant of ``target``, or None (reported) where it does not fit."""
    match value:
        case bool():
            fits = True
            value = bool(value) if target.kind is Kind.BOOL else int(value)
        case int() if target.is_integer:
            fits = target.minimum <= value <= target.maximum
            if not fits:
                state.error(
                    "literal-out-of-range", f"{value} does not fit {target}", span,
                    f"{target} holds {target.minimum} to {target.maximum}",
                    help=f"convert the other operand to a wider type, or wrap on purpose: `{target}({value})`",
                )
                return None
        case int() | float():
            fits = target.is_float or target.is_complex
            if fits and _overflows(value, target.component if target.is_complex else target):
                state.error(
                    "literal-out-of-range", f"{value} does not fit {target}", span, f"too large for {target}",
                    help="convert the other operand to f64",
                )
                return None
        case complex():
            fits = target.is_complex
    if not fits:
        conversion = f"{target}({value!r})"
        if isinstance(value, complex):
            conversion = f"{target}({value.real!r})"  # a conversion would drop the imaginary part, and is refused
        state.error(
            "implicit-conversion", f"{an(type_name(Static(value)))} is not converted to {target} unasked", span,
            f"{value!r} here", help=f"write the conversion you mean: `{conversion}`",
        )
        return None
    return const(span, value, target)


def _overflows(value: int | float, target: ScalarType) -> bool:
    """Whether a finite number rounds to infinity in a float type."""
    if isinstance(value, int):
        return math.isinf(round_integer(value, target))
    return math.isfinite(value) and math.isinf(round_float(value, target))


def convert(
    state: State, operand: Operand, target: Type, span: Span, purpose: str, *,
    argument: Argument | None = None, parts: tuple[Span, ...] = (),
) -> tir.Expr | None:
    """``operand`` as ``target``, if nothing is lost; otherwise None, reported with the conversion to write.

    ``purpose`` completes the sentence "cannot ... ": ``store``, ``pass``, ``return``. ``argument``: the one that is
    passed. ``parts``: where the elements of a tuple are written, if each is on its own.
    """
    if isinstance(operand, Poison):
        return None
    if isinstance(target, ScalarType) and (number := weak_value(operand)) is not None:
        return literal(state, number, target, span)
    if (elements := static_elements(operand, span)) is not None:
        operand = TupleOperand(elements)
    if isinstance(operand, TupleOperand) and isinstance(target, TupleType):
        return _convert_tuple(state, operand, target, span, purpose, parts)
    expr = to_expr(state, operand, span)
    if expr is None or expr.type == target:
        return expr
    source = expr.type
    if isinstance(source, ScalarType) and isinstance(target, ScalarType):
        if is_lossless(source, target) or (isinstance(operand, Runtime) and operand.weak):
            return tir.Convert(span=span, type=target, value=expr)
        drops = source.is_complex and not target.is_complex
        state.error(
            "implicit-conversion",
            f"cannot {purpose} {source} as {target} without losing {'the imaginary part' if drops else 'values'}", span,
            f"this is {source}",
            help=_real_part_help(source, target, span, argument) if drops
            else _conversion_help(target, span, purpose, argument),
        )
        return None
    if isinstance(source, ArrayType) and isinstance(target, ArrayType) and (view := _as_view(expr, source, target)):
        return view
    if isinstance(source, PointerType) and isinstance(target, PointerType) and source.element == target.element \
            and target.space is AddressSpace.GENERIC:
        return tir.Bitcast(span=span, type=target, value=expr)
    state.error(
        "type-mismatch", f"cannot {purpose} {source} as {target}", span, f"this is {source}",
        help=f"a value of type {target} is needed here",
    )
    return None


def _conversion_help(target: ScalarType, span: Span, purpose: str, argument: Argument | None) -> str:
    """What to write: with the text of the value where the span is the value's own."""
    if argument is not None:
        return f"convert the argument for `{argument.name}`: `{argument.within(str(target))}`"
    if purpose == "pass":
        return f"convert the argument: `{target}(...)`"
    written = written_operands(span)
    if written is not None and written.augmented:
        place, value = written.left, grouped(written.right)
        return f"write the conversion you mean: `{place} = {target}({place} {written.operator} {value})`"
    return f"write the conversion you mean: `{target}({written_value(span)})`"


def _real_part_help(source: ScalarType, target: ScalarType, span: Span, argument: Argument | None) -> str:
    """What to write for a complex value where a real one is needed."""
    text = source_text(span) if argument is None or argument.written else None
    value = "z" if text is None or not re.fullmatch(r"[\w.]+(\[[^]]*\])?", text) else text
    part, magnitude = f"{value}.real", f"abs({value})"
    if not is_lossless(source.component, target):
        part, magnitude = f"{target}({part})", f"{target}({magnitude})"
    return f"write `{part}` for the real part, or `{magnitude}` for the magnitude"


def _convert_tuple(
    state: State, operand: TupleOperand, target: TupleType, span: Span, purpose: str, written: tuple[Span, ...],
) -> tir.Expr | None:
    if len(operand.elements) != len(target.elements):
        state.error(
            "type-mismatch", f"cannot {purpose} {type_name(operand)} as {target}", span,
            f"{len(operand.elements)} elements, {len(target.elements)} expected",
        )
        return None
    spans = written if len(written) == len(target.elements) else (span,) * len(target.elements)
    triples = zip(operand.elements, target.elements, spans, strict=True)
    parts = [convert(state, element, kind, place, purpose) for element, kind, place in triples]
    good = tuple(part for part in parts if part is not None)
    return tir.Aggregate(span=span, type=target, elements=good) if len(good) == len(parts) else None


def _as_view(expr: tir.Expr, source: ArrayType, target: ArrayType) -> tir.Expr | None:
    """An array where the same elements are expected with less known of them: only the access may be given up."""
    same = (source.element, source.shape, source.space, source.strided) == (
        target.element, target.shape, target.space, target.strided)
    return tir.Bitcast(span=expr.span, type=target, value=expr) if same and not target.access.writable else None
