"""What a diagnostic code stands for: one rule, shown on a kernel that breaks it and on one that keeps it."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One kind of diagnostic.

    ``code`` names the pattern in kebab-case. ``rule`` is a sentence. ``failing`` and ``corrected`` are module texts
    that define one kernel each and start from the names of ``PRELUDE``: compiling ``failing`` reports the code,
    compiling ``corrected`` reports nothing.
    """

    code: str
    rule: str
    failing: str
    corrected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCode(Code):
    """One kind of fault. ``failing`` launches its kernel and fails, ``corrected`` ends well.

    ``help`` is what to write instead, in every report; names in braces stand for what the kernel's text has there. None
    where the kernel says it in its own words.
    """

    help: str | None


PRELUDE = """\
from simt.core import *
from simt.cuda_std import *
"""
"""What every example text has imported."""
