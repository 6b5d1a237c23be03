"""Ways to run a kernel whose results must agree: its Python meaning on the host, and the compiled CPU target."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from simt.core.testing.reference import run_reference

Run = Callable[..., None]
Dimensions = int | Sequence[int]


def run_on_host(kernel: Any, grid: Dimensions, block: Dimensions, *arguments: Any, shared_bytes: int = 0) -> None:
    """Run the kernel's own Python."""
    run_reference(kernel, grid, block, arguments, shared_bytes)


def run_on_cpu(kernel: Any, grid: Dimensions, block: Dimensions, *arguments: Any, shared_bytes: int = 0) -> None:
    """Launch the compiled kernel; a fault is raised at the latest by ``synchronize``."""
    from simt.core import default_device

    kernel[grid, block, shared_bytes](*arguments)
    default_device().synchronize()


both_targets = pytest.mark.parametrize(
    "run", [pytest.param(run_on_host, id="reference"), pytest.param(run_on_cpu, id="cpu")]
)
