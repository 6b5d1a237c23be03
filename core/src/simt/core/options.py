"""Everything a user may ask of code generation; part of every cache key."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of one compilation.

    ``checks``: bounds, alignment, division and the rest; None means on for the CPU target, off for a GPU.
    ``race``: report conflicting accesses (CPU target only; implies checks). ``debug``: full debug information, needs
    ``opt=0``. ``lineinfo``: line tables. ``fast_math``: ftz, fused multiply-add, approximate division, root and
    functions. ``maxrregcount``: registers a thread. ``ftz``, ``prec_div``, ``prec_sqrt``, ``fma``: as for nvcc, f32.
    """

    opt: Literal[0, 3] = 3
    checks: bool | None = None
    race: bool = False
    debug: bool = False
    lineinfo: bool = True
    ftz: bool = False
    prec_div: bool = True
    prec_sqrt: bool = True
    fma: bool = True
    fast_math: bool = False
    maxrregcount: int | None = None
