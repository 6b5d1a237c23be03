"""The number rules: what two operands give, and which conversions lose nothing. Everything else asks this table."""
from __future__ import annotations

from simt.core.types.scalar import BF16, C64, C128, F16, F32, F64, SIGNED, Kind, ScalarType

SIGNIFICAND_BITS = {F16: 11, BF16: 8, F32: 24, F64: 53}


def arithmetic_type(a: ScalarType, b: ScalarType) -> ScalarType | None:
    """The type in which ``a`` and ``b`` meet, or None where the language asks for a conversion.

    Widths grow within a kind; integer with float gives that float; f16 with bf16 gives f32; signed with unsigned
    gives the signed type that holds both, except at 64 bits and above; bool counts as the narrowest integer.
    """
    if a == b:
        return a
    if a.kind is Kind.BOOL:
        return b
    if b.kind is Kind.BOOL:
        return a
    if a.is_complex or b.is_complex:
        return _complex_type(a, b)
    if a.is_float and b.is_float:
        return _float_type(a, b)
    if a.is_float:
        return a
    if b.is_float:
        return b
    return _integer_type(a, b)


def is_lossless(source: ScalarType, target: ScalarType) -> bool:
    """Whether every value of ``source`` is a value of ``target``; what a store or an argument may do unasked."""
    if source == target:
        return True
    if source.kind is Kind.BOOL:
        return True
    if target.kind is Kind.BOOL:
        return False
    if target.is_complex:
        part = source.component if source.is_complex else source
        return is_lossless(part, target.component)
    if source.is_complex:
        return False
    if source.is_float:
        if not target.is_float:
            return False
        return arithmetic_type(source, target) == target
    if target.is_float:
        bits = source.bits - (source.kind is Kind.SIGNED)
        return bits <= SIGNIFICAND_BITS[target] and not (target is F16 and bits > 11)
    return source.minimum >= target.minimum and source.maximum <= target.maximum


def _float_type(a: ScalarType, b: ScalarType) -> ScalarType:
    if a.bits == b.bits:
        return F32
    return a if a.bits > b.bits else b


def _complex_type(a: ScalarType, b: ScalarType) -> ScalarType:
    parts = [part.component if part.is_complex else part for part in (a, b)]
    return C128 if F64 in parts else C64


def _integer_type(a: ScalarType, b: ScalarType) -> ScalarType | None:
    if a.kind is b.kind:
        return a if a.bits > b.bits else b
    signed, unsigned = (a, b) if a.kind is Kind.SIGNED else (b, a)
    if signed.bits > unsigned.bits:
        return signed
    if unsigned.bits >= 64:
        return None
    return next(t for t in SIGNED if t.bits > unsigned.bits)
