"""Rewrites integer ``abs``, and ``neg`` of 16 bits, whose results ptxas takes to be in range.

The most negative value has no counterpart: both operations wrap, and libNVVM relies on it. Code that ptxas 13.0 makes
for sm_90 keeps 32768 in a 32-bit register where -32768 is meant, and divides the result of ``abs.s32`` as a number that
is not negative. The sequences below say bit by bit what is meant. ``neg`` of 32 and 64 bits is right.
"""
from __future__ import annotations

import re

from simt.core.errors import InternalCompilerError

_INSTRUCTION = re.compile(r"^(\s*)(neg\.s16|abs\.s16|abs\.s32|abs\.s64)\s+(%\w+), (%\w+);", re.MULTILINE)
_PREDICATED = re.compile(r"@!?%\w+\s+(neg\.s16|abs\.s(16|32|64))\b")


def rewrite_wrapping(ptx: str) -> str:
    """``ptx`` with those instructions written otherwise.

    Raises:
        InternalCompilerError: one has a predicate, which libNVVM gives to branches alone.
    """
    if _PREDICATED.search(ptx):
        raise InternalCompilerError("libNVVM has made an integer neg or abs with a predicate, which is not rewritten")
    return _INSTRUCTION.sub(_wrapping, ptx)


def _wrapping(found: re.Match[str]) -> str:
    indent, instruction, target, source = found.groups()
    bits = instruction[-2:]
    if instruction.startswith("neg"):
        steps = f".reg .b{bits} %low; not.b{bits} %low, {source}; add.s{bits} {target}, %low, 1;"
    else:  # the sign in every bit: -1 for a negative source
        steps = (
            f".reg .b{bits} %sign; shr.s{bits} %sign, {source}, {int(bits) - 1}; "
            f"xor.b{bits} {target}, {source}, %sign; sub.s{bits} {target}, {target}, %sign;"
        )
    return f"{indent}{{ {steps} }}"
