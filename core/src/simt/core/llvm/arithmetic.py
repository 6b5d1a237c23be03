"""Unary, binary and comparison operators on scalars: which family of types does the work."""
from __future__ import annotations

from typing import assert_never

from simt.core.check.tir import BinaryOp, CompareOp, UnaryOp
from simt.core.llvm import integers
from simt.core.llvm.builder import Value
from simt.core.llvm.complexes import complex_binary, complex_compare, complex_negate
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.conversions import is_nonzero
from simt.core.llvm.floats import float_binary, float_compare, float_negate
from simt.core.types import Kind, ScalarType

_COMPARISONS = {CompareOp.LT: "lt", CompareOp.LE: "le", CompareOp.GT: "gt", CompareOp.GE: "ge"}


def unary(ctx: FunctionContext, op: UnaryOp, t: ScalarType, value: Value) -> Value:
    """``op value``; ``not`` gives bool, the others the operand's type ``t``."""
    emitter = ctx.emitter
    match op:
        case UnaryOp.NOT:
            return emitter.binary("xor", is_nonzero(ctx, value, t), Value("i1", "true"))
        case UnaryOp.INVERT:
            return emitter.binary("xor", value, Value(value.type, "true" if t.kind is Kind.BOOL else "-1"))
        case UnaryOp.NEGATE:
            if t.is_float:
                return float_negate(ctx, t, value)
            if t.is_complex:
                return complex_negate(ctx, t, value)
            return integers.negate(emitter, t, value)
        case _:
            assert_never(op)


def binary(ctx: FunctionContext, op: BinaryOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs op rhs``; operands and result are of type ``t``. Division by zero was checked before."""
    if t.is_float:
        return float_binary(ctx, op, t, lhs, rhs)
    if t.is_complex:
        return complex_binary(ctx, op, t, lhs, rhs)
    return _integer_binary(ctx, op, t, lhs, rhs)


def compare(ctx: FunctionContext, op: CompareOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    """``lhs op rhs`` as i1; operands are of type ``t``."""
    if t.is_float:
        return float_compare(ctx, op, t, lhs, rhs)
    if t.is_complex:
        return complex_compare(ctx, op, t, lhs, rhs)
    if op in (CompareOp.EQ, CompareOp.NE):
        return ctx.emitter.compare("icmp eq" if op is CompareOp.EQ else "icmp ne", lhs, rhs)
    sign = "s" if t.kind is Kind.SIGNED else "u"
    return ctx.emitter.compare(f"icmp {sign}{_COMPARISONS[op]}", lhs, rhs)


def _integer_binary(ctx: FunctionContext, op: BinaryOp, t: ScalarType, lhs: Value, rhs: Value) -> Value:
    emitter = ctx.emitter
    match op:
        case BinaryOp.ADD:
            return emitter.binary("add", lhs, rhs)
        case BinaryOp.SUB:
            return emitter.binary("sub", lhs, rhs)
        case BinaryOp.MUL:
            return emitter.binary("mul", lhs, rhs)
        case BinaryOp.AND:
            return emitter.binary("and", lhs, rhs)
        case BinaryOp.OR:
            return emitter.binary("or", lhs, rhs)
        case BinaryOp.XOR:
            return emitter.binary("xor", lhs, rhs)
        case BinaryOp.FLOOR_DIV:
            return integers.floor_divide(emitter, t, lhs, rhs)
        case BinaryOp.MOD:
            return integers.floor_modulo(emitter, t, lhs, rhs)
        case BinaryOp.SHL:
            return integers.shift_left(emitter, t, lhs, rhs)
        case BinaryOp.SHR:
            return integers.shift_right(emitter, t, lhs, rhs)
        case BinaryOp.MIN | BinaryOp.MAX:
            better = compare(ctx, CompareOp.LT if op is BinaryOp.MIN else CompareOp.GT, t, rhs, lhs)
            return emitter.select(better, rhs, lhs)
        case BinaryOp.TRUE_DIV:
            raise AssertionError("int / int is refused by the checker")
        case _:
            assert_never(op)
