"""One benchmark kernel written for each system, with its input and the answer all of them must give."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.core import Kernel

Array = np.ndarray[Any, Any]  # Any: every case has its own shapes and dtypes


@dataclass(frozen=True, kw_only=True)
class Case:
    """``arguments`` are the simt kernel's, in order; OpenCL and CUDA get ``sizes`` (i32) after them.

    ``output``: index of the result in ``arguments``; ``accumulates``: it must be zero before a run. ``block`` and
    ``grid`` are (x,) or (x, y). ``numba``: the function for the same arguments, or None with ``numba_why_not``.
    ``opencl`` and ``cuda``: the source, its kernel named ``name``. ``tolerance``: largest relative difference from
    ``expected``.
    """

    name: str
    work: str
    kernel: Kernel[...]
    arguments: tuple[object, ...]
    output: int
    expected: Array
    grid: tuple[int, ...]
    block: tuple[int, ...]
    sizes: tuple[int, ...]
    numba: Callable[..., None] | None
    numba_why_not: str = ""
    opencl: str | None
    opencl_why_not: str = ""
    cuda: str
    accumulates: bool = False
    tolerance: float = 1e-4

    def check(self, result: Array, system: str) -> None:
        """Raises ``AssertionError`` when ``result`` is not the expected one."""
        scale = np.abs(self.expected).max()
        error = np.abs(result.astype(np.float64) - self.expected).max() / scale
        if not error <= self.tolerance:
            raise AssertionError(f"{self.name} by {system}: relative error {error:.1e}, allowed {self.tolerance:.0e}")
