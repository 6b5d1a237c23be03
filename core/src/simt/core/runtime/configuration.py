"""Launch configurations: grid and block dimensions, dynamic shared memory, checked before anything runs."""
from __future__ import annotations

import operator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, cast

from simt.core.errors import LaunchError

if TYPE_CHECKING:
    from simt.core.runtime.launch_attributes import LaunchAttributes

Dimensions = int | tuple[int, ...]
Three = tuple[int, int, int]

# CUDA C++ Programming Guide, Technical Specifications per Compute Capability, the same for every architecture we name.
GRID_LIMITS: Three = (2**31 - 1, 65535, 65535)
BLOCK_LIMITS: Three = (1024, 1024, 64)
BLOCK_THREADS = 1024
SHARED_BYTES = 227 * 1024  # of one block at most on compute capability 9.0 and 10.0; a device may have less
PREFERRED_THREADS = 256


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the kernel's declaration says of launches: threads a block at most, blocks a cluster, the exact block."""

    kernel: str
    max_threads: int | None
    cluster: Three | None
    block: Three | None = None


@dataclass(frozen=True, slots=True)
class Elements:
    """What ``for_elements`` covers: counts along x, y, z, and the bounds that every choice of a block must keep to."""

    counts: Three
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Configuration:
    """A checked configuration. A grid of no blocks comes only from ``for_elements(0)`` and runs nothing.

    ``stream`` is what the launch named, which its device will judge. ``elements`` where the block is the device's to
    choose; ``grid`` and ``block`` are then those of the CPU. ``attributes`` of a launch that asks for more.
    """

    grid: Three
    block: Three
    shared_bytes: int
    stream: object = None
    elements: Elements | None = None
    attributes: LaunchAttributes | None = None

    @property
    def threads(self) -> int:
        """Threads of the whole grid."""
        return prod(self.grid) * prod(self.block)


def configure(items: object, bounds: Bounds) -> Configuration:
    """The configuration in ``kernel[grid, block]`` or ``kernel[grid, block, shared_bytes, stream]``.

    Raises:
        LaunchError: it is outside the limits; the message says which and what to write.
    """
    parts: tuple[object, ...] = cast("tuple[object, ...]", items) if isinstance(items, tuple) else (items,)
    if not 2 <= len(parts) <= 4:
        raise LaunchError(
            f"{bounds.kernel}[...] takes grid, block, and optionally shared_bytes and stream; {len(parts)} given"
        )
    grid, block = (_dimensions(what, value) for what, value in zip(("grid", "block"), parts, strict=False))
    shared_bytes = _integer("shared_bytes", parts[2]) if len(parts) > 2 else 0
    _check(grid, block, shared_bytes, bounds)
    return Configuration(grid, block, shared_bytes, parts[3] if len(parts) == 4 else None)


def cover(shape: int | tuple[int, ...], bounds: Bounds) -> Configuration:
    """A configuration with a thread an element: x runs over the last axis, y over the one before, z over the first.

    Raises:
        LaunchError: not one to three non-negative integers, or too many elements.
    """
    extents = shape if isinstance(shape, tuple) else (shape,)
    if not 1 <= len(extents) <= 3:
        raise LaunchError(f"for_elements takes a number of elements or a shape of 1 to 3 axes, not {shape!r}")
    counts = [_integer("for_elements", extent) for extent in reversed(extents)]
    if min(counts) < 0:
        raise LaunchError(f"for_elements({shape!r}): a negative number of elements")
    covered = with_threads(Elements(_three(counts, 1), bounds), PREFERRED_THREADS)
    if prod(counts):
        _check(covered.grid, covered.block, 0, bounds)
    return covered


def with_threads(elements: Elements, threads: int) -> Configuration:
    """The elements covered by blocks of at most ``threads`` threads, in whole clusters; the grid is not checked."""
    bounds = elements.bounds
    block = bounds.block or _block(elements.counts, min(bounds.max_threads or threads, threads))
    grid = [-(-count // size) for count, size in zip(elements.counts, block, strict=True)]
    if bounds.cluster is not None:
        grid = [-(-blocks // size) * size for blocks, size in zip(grid, bounds.cluster, strict=True)]
    return Configuration(_three(grid, 1), block, 0, elements=elements)


def is_within_limits(grid: Three) -> bool:
    """Whether the hardware has so many blocks along each axis."""
    return all(blocks <= limit for blocks, limit in zip(grid, GRID_LIMITS, strict=True))


def _block(counts: Three, threads: int) -> Three:
    """Threads an axis: powers of two, x first up to a warp (all of it in 1-D), no wider than the axis needs."""
    if counts[1:] == (1, 1):
        return _power_of_two(threads, max(counts[0], 32)), 1, 1
    block: list[int] = []
    for axis, count in enumerate(counts):
        wanted = 32 if axis == 0 else threads
        block.append(_power_of_two(min(wanted, threads, BLOCK_LIMITS[axis]), max(count, 1)))
        threads //= block[-1]
    return _three(block, 1)


def _power_of_two(at_most: int, enough: int) -> int:
    """The smallest power of two that is ``enough``, or else the largest one that is ``at_most``."""
    size = 1
    while size < enough and size * 2 <= at_most:
        size *= 2
    return size


def _dimensions(what: str, value: object) -> Three:
    if isinstance(value, tuple):
        axes = cast("tuple[object, ...]", value)
        if not 1 <= len(axes) <= 3:
            raise LaunchError(f"{what} {value!r} has {len(axes)} axes; write 1 to 3")
        return _three([_integer(what, axis) for axis in axes], 1)
    return _three([_integer(what, value)], 1)


def _three(values: list[int], filler: int) -> Three:
    x, y, z = (*values, filler, filler)[:3]
    return x, y, z


def _integer(what: str, value: object) -> int:
    if isinstance(value, float) and what != "shared_bytes":
        raise LaunchError(f"{what} {value!r} is a float; round up with -(-n // threads), which stays an integer")
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # pyright: ignore[reportArgumentType] -- refused below where it has none
    except TypeError:  # arrays of several elements have an __index__ that refuses them
        wanted = "a number of bytes" if what == "shared_bytes" else "an integer or a tuple of up to 3"
        raise LaunchError(f"{what} {value!r} is a {type(value).__name__}; write {wanted}") from None


def _check(grid: Three, block: Three, shared_bytes: int, bounds: Bounds) -> None:
    for what, dimensions, limits in (("grid", grid, GRID_LIMITS), ("block", block, BLOCK_LIMITS)):
        for axis, size, limit in zip("xyz", dimensions, limits, strict=True):
            if size < 0:
                raise LaunchError(f"{what} {dimensions}: {axis} is negative")
            if size == 0:
                raise LaunchError(
                    f"{what} {dimensions} is empty; skip the launch where there is nothing to do, "
                    f"or write {bounds.kernel}.for_elements(n)"
                )
            if size > limit:
                raise LaunchError(f"{what} {dimensions}: {axis} is over the limit of {limit}")
    if prod(block) > BLOCK_THREADS:
        raise LaunchError(f"block {block} has {prod(block)} threads; a block has at most {BLOCK_THREADS}")
    if bounds.block is not None and block != bounds.block:
        raise LaunchError(
            f"block {block}: {bounds.kernel} was declared with block={bounds.block}, and runs with no other"
        )
    if bounds.max_threads is not None and prod(block) > bounds.max_threads:
        raise LaunchError(
            f"block {block} has {prod(block)} threads; "
            f"{bounds.kernel} was declared with max_threads={bounds.max_threads}"
        )
    if bounds.cluster is not None and any(blocks % size for blocks, size in zip(grid, bounds.cluster, strict=True)):
        raise LaunchError(f"grid {grid} is no multiple of the clusters of {bounds.cluster} blocks")
    if not 0 <= shared_bytes <= SHARED_BYTES:
        raise LaunchError(f"shared_bytes {shared_bytes} is outside 0 to {SHARED_BYTES}")
