"""Everything a user may ask of code generation; part of every cache key."""
from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of one compilation.

    ``checks``: bounds, alignment, division and the rest; None means on for the CPU target, and
    for a GPU as SIMT_CHECKS says (1 or 0), else off.
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


def from_environment(options: Options) -> Options:
    """The options with ``checks`` as SIMT_CHECKS says, where they leave it open.

    Raises:
        ValueError: SIMT_CHECKS is neither 0 nor 1.
    """
    wanted = os.environ.get("SIMT_CHECKS", "")
    if wanted not in ("", "0", "1"):
        raise ValueError(f"SIMT_CHECKS={wanted} is neither 0 nor 1")
    return options if options.checks is not None or not wanted else replace(options, checks=wanted == "1")
