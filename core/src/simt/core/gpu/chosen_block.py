"""The block that a GPU chooses for ``for_elements``: of 128 to 1024 threads, the one of the highest occupancy.

Among equals, the one that leaves the fewest multiprocessors without a block, so that few elements are spread out; then
the preferred size of every launch, which the CPU target has too.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod

from simt.core.runtime.configuration import PREFERRED_THREADS, Configuration, Elements, is_within_limits, with_threads
from simt.core.specialize import SMALL

SIZES = (128, 256, 512, 1024)


def choose_block(
    configuration: Configuration, elements: Elements, most: int, processors: int, resident: Callable[[int], int]
) -> Configuration:
    """``configuration`` with the grid and the block of the device's choice.

    Args:
        elements: those of the configuration.
        most: threads of a block that the kernel's registers and its declaration allow.
        processors: multiprocessors of the device.
        resident: gives how many blocks of so many threads a multiprocessor holds.
    """
    sizes = [size for size in SIZES if size <= most] or [most]
    choices = [with_threads(elements, size) for size in sizes]
    allowed = [choice for choice in choices if is_within_limits(choice.grid) and _fits_code(choice, configuration)]
    if not allowed:
        return configuration

    def rank(choice: Configuration) -> tuple[int, int, int]:
        threads = prod(choice.block)
        return -resident(threads) * threads, max(0, processors - prod(choice.grid)), abs(threads - PREFERRED_THREADS)

    best = min(allowed, key=rank)
    return replace(configuration, grid=best.grid, block=best.block)


def _fits_code(choice: Configuration, configuration: Configuration) -> bool:
    """Whether code with 32-bit indices, which was chosen by the number of threads, stays right."""
    return choice.threads < SMALL or configuration.threads >= SMALL
