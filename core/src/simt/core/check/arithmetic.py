"""Operators: which type two operands meet in, and the node that computes it."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from simt.core.check import tir
from simt.core.check.naming import Number, type_name, weak_value
from simt.core.check.operand import POISON, Operand, Poison, Runtime, Static
from simt.core.check.state import State
from simt.core.check.uncalled import call_help, uncalled
from simt.core.check.values import const, default_type, literal, to_expr
from simt.core.check.written import grouped, written_operands, written_value
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.types import Kind, PointerType, ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import BOOL, F32, I32, U64

# Any, here and below: Python's own operators over numbers of any kind.
# pyright: reportUnknownMemberType=false
FOLDED: dict[hir.BinaryOp, Callable[[Any, Any], Any]] = {
    hir.BinaryOp.ADD: operator.add, hir.BinaryOp.SUB: operator.sub, hir.BinaryOp.MUL: operator.mul,
    hir.BinaryOp.TRUE_DIV: operator.truediv, hir.BinaryOp.FLOOR_DIV: operator.floordiv, hir.BinaryOp.MOD: operator.mod,
    hir.BinaryOp.POW: operator.pow, hir.BinaryOp.AND: operator.and_, hir.BinaryOp.OR: operator.or_,
    hir.BinaryOp.XOR: operator.xor, hir.BinaryOp.SHL: operator.lshift, hir.BinaryOp.SHR: operator.rshift,
}
COMPARED: dict[hir.CompareOp, Callable[[Any, Any], Any]] = {  # Any: as above
    hir.CompareOp.EQ: operator.eq, hir.CompareOp.NE: operator.ne, hir.CompareOp.LT: operator.lt,
    hir.CompareOp.LE: operator.le, hir.CompareOp.GT: operator.gt, hir.CompareOp.GE: operator.ge,
    hir.CompareOp.IS: operator.is_, hir.CompareOp.IS_NOT: operator.is_not,
}
MAX_LITERAL_BITS = 4096
BITWISE = (hir.BinaryOp.AND, hir.BinaryOp.OR, hir.BinaryOp.XOR)


def binary(state: State, op: hir.BinaryOp, lhs: Operand, rhs: Operand, span: Span) -> Operand:
    """``lhs op rhs`` of scalars, for every operator but shifts and powers."""
    if isinstance(lhs, Poison) or isinstance(rhs, Poison):
        return POISON
    left, right = weak_value(lhs), weak_value(rhs)
    if left is not None and right is not None:
        return fold_binary(state, op, left, right, span)
    met = meet(state, lhs, rhs, span, str(op))
    if met is None:
        return POISON
    a, b, common = met
    if common.kind is Kind.BOOL and op not in BITWISE:
        a, b, common = widen(a, I32), widen(b, I32), I32
    if not _allowed(state, op, common, lhs, rhs, span):
        return POISON
    weak = is_weak(lhs) and is_weak(rhs)
    return Runtime(tir.Binary(span=state.at(span), type=common, op=tir.BinaryOp(op.value), lhs=a, rhs=b), weak=weak)


def fold_binary(state: State, op: hir.BinaryOp, left: Number, right: Number, span: Span) -> Operand:
    """``left op right`` of literals; a result too long for any type is refused before it is computed."""
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        bits = {
            hir.BinaryOp.SHL: left.bit_length() + right if left else 0,
            hir.BinaryOp.POW: (left.bit_length() - 1) * right,
            hir.BinaryOp.MUL: left.bit_length() + right.bit_length(),
        }.get(op, 0)
        if bits > MAX_LITERAL_BITS:
            return state.error(
                "constant-evaluation", f"this literal would have some {bits} bits", span, "too long to compute",
                help="the widest integer type has 128 bits; use a float for larger numbers: `2.0**200`",
            )
    return fold(state, FOLDED.get(op), (left, right), span)


def fold(state: State, function: Callable[..., Any] | None, values: tuple[object, ...], span: Span) -> Operand:
    """Evaluate at compile time with Python's own meaning, at full precision."""
    if function is None:
        return state.error("unsupported-operator", "this operator has no meaning for numbers", span)
    try:
        return Static(function(*values))
    except (ArithmeticError, ValueError, TypeError, MemoryError) as error:
        return state.error("constant-evaluation", "evaluating this at compile time fails", span, str(error))


def is_weak(operand: Operand) -> bool:
    """Whether an operand takes the type that it meets."""
    return weak_value(operand) is not None or (isinstance(operand, Runtime) and operand.weak)


def scalar_of(state: State, operand: Operand, span: Span, op: str) -> tir.Expr | None:
    """The operand of ``op`` as an expression of scalar type; None (reported) where it is none."""
    expr = to_expr(state, operand, span)
    if expr is None:
        return None
    if not isinstance(expr.type, ScalarType):
        state.error("mixed-operands", f"`{op}` has no meaning for {expr.type}", span, f"this is {expr.type}")
        return None
    return expr


def meet(
    state: State, lhs: Operand, rhs: Operand, span: Span, op: str,
) -> tuple[tir.Expr, tir.Expr, ScalarType] | None:
    """Both operands as the type they meet in; None (reported) where the language asks for a conversion."""
    left, right = weak_value(lhs), weak_value(rhs)
    if left is not None and right is not None:
        common = _weak_meeting(left, right)
        a, b = literal(state, left, common, span), literal(state, right, common, span)
        return None if a is None or b is None else (a, b, common)
    if left is not None or right is not None:
        return _meet_literal(state, lhs, rhs, span, op)
    a, b = scalar_of(state, lhs, span, op), scalar_of(state, rhs, span, op)
    if a is None or b is None:
        return None
    assert isinstance(a.type, ScalarType) and isinstance(b.type, ScalarType)
    common = _meet_types(a.type, b.type, lhs, rhs)
    if common is None:
        state.error(
            "mixed-operands", f"`{op}` cannot combine {a.type} and {b.type}", span, f"{a.type} {op} {b.type}",
            help=f"no type holds both: convert one of them, {_conversions(span, op, str(a.type), str(b.type))}",
        )
        return None
    return widen(a, common), widen(b, common), common


def _meet_types(a: ScalarType, b: ScalarType, lhs: Operand, rhs: Operand) -> ScalarType | None:
    if is_weak(lhs) and not is_weak(rhs):
        return _weak_with(a, b)
    if is_weak(rhs) and not is_weak(lhs):
        return _weak_with(b, a)
    return arithmetic_type(a, b)


def _weak_with(weak: ScalarType, concrete: ScalarType) -> ScalarType:
    """The type of a weak local's value and a typed one, as if the local were a literal."""
    order = (Kind.BOOL, Kind.SIGNED, Kind.FLOAT, Kind.COMPLEX)
    kind = Kind.SIGNED if concrete.kind is Kind.UNSIGNED else concrete.kind
    if order.index(weak.kind) <= order.index(kind):
        return concrete
    return arithmetic_type(weak, concrete) or weak


def _meet_literal(
    state: State, lhs: Operand, rhs: Operand, span: Span, op: str,
) -> tuple[tir.Expr, tir.Expr, ScalarType] | None:
    number = weak_value(lhs)
    literal_is_left = number is not None
    other = scalar_of(state, rhs if literal_is_left else lhs, span, op)
    if number is None:
        number = weak_value(rhs)
    if other is None or number is None:
        return None
    assert isinstance(other.type, ScalarType)
    common = literal_meeting(number, other.type)
    value = literal(state, number, common, span)
    if value is None:
        return None
    typed = widen(other, common)
    return (value, typed, common) if literal_is_left else (typed, value, common)


def literal_meeting(number: Number, other: ScalarType) -> ScalarType:
    """The type in which a literal and a typed operand meet."""
    match number:
        case bool():
            return other
        case int():
            return I32 if other.kind is Kind.BOOL else other
        case float():
            return other if other.is_float or other.is_complex else F32
        case complex():
            return arithmetic_type(default_type(number), other) or other


def _weak_meeting(a: Number, b: Number) -> ScalarType:
    return arithmetic_type(default_type(a), default_type(b)) or default_type(a)


def widen(expr: tir.Expr, target: ScalarType) -> tir.Expr:
    """``expr`` as ``target``; constants are converted in place where exact."""
    if expr.type == target:
        return expr
    if isinstance(expr, tir.Const) and target.is_integer and isinstance(expr.value, int):
        return const(expr.span, int(expr.value), target)
    return tir.Convert(span=expr.span, type=target, value=expr)


def _conversions(span: Span, op: str, left_type: str, right_type: str) -> str:
    """Both ways to convert one operand, with their text."""
    written = written_operands(span)
    if written is None:
        return f"`{left_type}(...)` or `{right_type}(...)`"
    left, right = written.operands()
    return f"`{left} {op} {left_type}({written.right})` or `{right_type}({written.left}) {op} {right}`"


def _division_help(span: Span) -> str:
    """Both things that ``/`` of integers may mean."""
    written = written_operands(span)
    if written is None:
        return "write `//` for the rounded-down quotient, or convert one side first: `f32(...)`"
    left, right = written.operands()
    quotient = f"{written.left} //= {written.right}" if written.augmented else f"{left} // {right}"
    return f"write `{quotient}` for the rounded-down quotient, or convert first: `f32({written.left}) / {right}`"


def _bits_help(span: Span, op: str, lhs: Operand, rhs: Operand) -> str:
    """How to work on the bits of float operands."""
    written = written_operands(span)
    sides = ("...", "...") if written is None else (written.left, written.right)
    shown: list[str] = []
    for text, operand in zip(sides, (lhs, rhs), strict=True):
        kind = operand.expr.type if isinstance(operand, Runtime) else None
        bits = kind.bits if isinstance(kind, ScalarType) and kind.is_float else None
        shown.append(grouped(text) if bits is None else f"bitcast({text}, u{bits})")
    return f"to work on the bits write `{f' {op} '.join(shown)}`"


def _allowed(state: State, op: hir.BinaryOp, common: ScalarType, lhs: Operand, rhs: Operand, span: Span) -> bool:
    if op is hir.BinaryOp.MATMUL:
        state.error("unsupported-operator", "`@` has no meaning for numbers", span, help="use `*`")
        return False
    if op is hir.BinaryOp.TRUE_DIV and (common.is_integer or common.kind is Kind.BOOL):
        state.error(
            "integer-division", f"`/` of {type_name(lhs)} and {type_name(rhs)} is ambiguous in a kernel", span,
            f"{type_name(lhs)} / {type_name(rhs)}",
            help=_division_help(span),
        )
        return False
    bitwise = op in BITWISE
    if bitwise and (common.is_float or common.is_complex):
        state.error(
            "unsupported-operator", f"`{op}` has no meaning for {common}", span,
            f"{type_name(lhs)} {op} {type_name(rhs)}", help=_bits_help(span, str(op), lhs, rhs),
        )
        return False
    if common.is_complex and op in (hir.BinaryOp.FLOOR_DIV, hir.BinaryOp.MOD):
        state.error("unsupported-operator", f"`{op}` has no meaning for {common}", span, help="use `/`")
        return False
    return True


def compare(state: State, op: hir.CompareOp, lhs: Operand, rhs: Operand, span: Span) -> Operand:
    """One comparison; compile-time operands are compared at compile time."""
    if isinstance(lhs, Poison) or isinstance(rhs, Poison):
        return POISON
    if isinstance(lhs, Static) and isinstance(rhs, Static):
        forgotten = uncalled(lhs, rhs)
        if forgotten is not None:
            return state.error(
                "uncalled-function", "a function is compared, and not its result", span, "compared here",
                help=call_help(forgotten),
            )
        return fold(state, COMPARED[op], (lhs.value, rhs.value), span)
    if op in (hir.CompareOp.IS, hir.CompareOp.IS_NOT):
        return state.error(
            "identity-comparison", "`is` compares compile-time values only", span, "values of the run",
            help="write `==` or `!=`",
        )
    addresses = [_address(operand, span) for operand in (lhs, rhs)]
    if None not in addresses:
        lhs, rhs = (Runtime(address) for address in addresses if address is not None)
    met = meet(state, lhs, rhs, span, str(op))
    if met is None:
        return POISON
    a, b, common = met
    if common.is_complex and op not in (hir.CompareOp.EQ, hir.CompareOp.NE):
        return state.error(
            "unsupported-operator", f"{common} values have no order", span, help=_magnitudes(span, str(op)),
        )
    return Runtime(tir.Compare(span=state.at(span), type=BOOL, op=tir.CompareOp(op.value), lhs=a, rhs=b))


def _magnitudes(span: Span, op: str) -> str:
    written = written_operands(span)
    left, right = ("...", "...") if written is None else (written.left, written.right)
    return f"compare the magnitudes: `abs({left}) {op} abs({right})`"


def _address(operand: Operand, span: Span) -> tir.Expr | None:
    """A pointer's address as a number; None for anything else."""
    if not isinstance(operand, Runtime) or not isinstance(operand.expr.type, PointerType):
        return None
    return tir.Bitcast(span=span, type=U64, value=operand.expr)


def unary(state: State, op: hir.UnaryOp, operand: Operand, span: Span) -> Operand:
    """``-x``, ``+x``, ``~x``; ``not`` is a truth test and lives with conditions."""
    if isinstance(operand, Poison):
        return POISON
    functions: dict[hir.UnaryOp, Callable[[Any], Any]] = {  # Any: Python's own operators
        hir.UnaryOp.NEGATE: operator.neg, hir.UnaryOp.PLUS: operator.pos, hir.UnaryOp.INVERT: operator.invert,
    }
    if (number := weak_value(operand)) is not None:
        return fold(state, functions[op], (number,), span)
    expr = scalar_of(state, operand, span, str(op))
    if expr is None:
        return POISON
    assert isinstance(expr.type, ScalarType)
    kind = expr.type
    if op is hir.UnaryOp.INVERT and not kind.is_integer:
        value = written_value(span).removeprefix("~").strip()
        help = f"write `not {value}`" if kind.kind is Kind.BOOL \
            else f"to work on the bits write `~bitcast({value}, u{kind.bits})`"
        return state.error("unsupported-operator", f"`~` has no meaning for {kind}", span, f"this is {kind}", help=help)
    if kind.kind is Kind.BOOL:
        expr, kind = widen(expr, I32), I32
    if op is hir.UnaryOp.PLUS:
        return Runtime(expr)
    weak = isinstance(operand, Runtime) and operand.weak
    return Runtime(tir.Unary(span=state.at(span), type=kind, op=tir.UnaryOp(op.value), operand=expr), weak=weak)
