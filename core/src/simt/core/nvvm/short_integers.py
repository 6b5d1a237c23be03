"""Rewrites PTX's 16-bit ``neg`` and ``abs``, whose results ptxas takes to be in range.

The most negative value has no counterpart in 16 bits: both operations wrap, and libNVVM relies on it. Code that ptxas
13.0 makes for sm_90 keeps 32768 in the 32-bit register instead, which shows where the result is widened or compared.
The sequences below say in 32 bits or bit by bit what is meant. Other widths are right.
"""
from __future__ import annotations

import re

from simt.core.errors import InternalCompilerError

_INSTRUCTION = re.compile(r"^(\s*)(neg|abs)\.s16\s+(%\w+), (%\w+);", re.MULTILINE)
_PREDICATED = re.compile(r"@!?%\w+\s+(neg|abs)\.s16\b")


def rewrite_short_integers(ptx: str) -> str:
    """``ptx`` with every 16-bit negation and absolute value written otherwise.

    Raises:
        InternalCompilerError: one has a predicate, which libNVVM gives to branches alone.
    """
    if _PREDICATED.search(ptx):
        raise InternalCompilerError("libNVVM has made a 16-bit negation with a predicate, which is not rewritten")
    return _INSTRUCTION.sub(_wrapping, ptx)


def _wrapping(found: re.Match[str]) -> str:
    indent, operation, target, source = found.groups()
    if operation == "neg":
        steps = f".reg .b16 %short; not.b16 %short, {source}; add.s16 {target}, %short, 1;"
    else:
        steps = f".reg .b32 %wide; cvt.s32.s16 %wide, {source}; abs.s32 %wide, %wide; cvt.u16.u32 {target}, %wide;"
    return f"{indent}{{ {steps} }}"
