"""One kernel for a GPU in the language and in CUDA C++, with its input and the answer both must give."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.core import Kernel

Array = np.ndarray[Any, Any]  # Any: every case has its own shapes and dtypes


@dataclass(frozen=True, kw_only=True)
class GpuCase:
    """``arguments`` are the simt kernel's, in order; the CUDA kernel gets ``sizes`` (int) after them.

    ``cuda``: the source, its kernel ``extern "C"`` and named ``name``, for the same grid and block. ``output``: index
    of the result in ``arguments``; it must be zero before a run that is compared. ``moved_bytes``: what any algorithm
    for this work reads and writes in global memory, where that decides its time; 0 where arithmetic does.
    ``tolerance``: largest difference from ``expected``, relative to its largest magnitude.
    """

    name: str
    work: str
    kernel: Kernel[...]
    cuda: str
    arguments: tuple[object, ...]
    sizes: tuple[int, ...]
    output: int
    expected: Array
    grid: tuple[int, ...]
    block: tuple[int, ...]
    moved_bytes: int = 0
    tolerance: float = 1e-5

    def check(self, result: Array, system: str) -> None:
        """Raises ``AssertionError`` when ``result`` is not the expected one."""
        assert result.shape == self.expected.shape, (self.name, result.shape, self.expected.shape)
        scale = max(float(np.abs(self.expected).max()), 1e-30)
        error = float(np.abs(result.astype(np.float64) - self.expected).max()) / scale
        if not error <= self.tolerance:
            raise AssertionError(f"{self.name} by {system}: relative error {error:.1e}, allowed {self.tolerance:.0e}")
