"""How comparisons of integers turn into others."""
from __future__ import annotations

from simt.core.check.tir import CompareOp

FLIPPED = {
    CompareOp.LT: CompareOp.GT, CompareOp.GT: CompareOp.LT, CompareOp.LE: CompareOp.GE, CompareOp.GE: CompareOp.LE,
}
"""The same with the sides exchanged; the others are their own."""
NEGATED = {
    CompareOp.LT: CompareOp.GE, CompareOp.GE: CompareOp.LT, CompareOp.LE: CompareOp.GT, CompareOp.GT: CompareOp.LE,
    CompareOp.EQ: CompareOp.NE, CompareOp.NE: CompareOp.EQ,
}
"""What holds where it does not."""
