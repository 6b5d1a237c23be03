"""What a launch may ask of the device beside its grid and block."""
from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import cast

from simt.core.errors import LaunchError
from simt.core.runtime.configuration import Bounds, Configuration, Three

LARGEST_CLUSTER = 16  # blocks; PTX ISA, cluster dimension directives


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchAttributes:
    """``cooperative``: all blocks run at the same time, so that they may wait for each other.

    ``programmatic``: the grid may start before the launch before it in its stream has ended; the kernel itself must
    wait (PTX ``griddepcontrol.wait``) before it reads what that one wrote. ``cluster``: blocks of a cluster along x, y,
    z. ``priority``: as that of a stream, None for the stream's own.
    """

    cooperative: bool = False
    programmatic: bool = False
    cluster: Three | None = None
    priority: int | None = None


def attributes_for(
    configuration: Configuration, bounds: Bounds, cooperative: bool, programmatic: bool, cluster: object,
    priority: int | None,
) -> LaunchAttributes:
    """The attributes, checked as far as no device is needed.

    Raises:
        LaunchError: the grid is no multiple of the cluster, or the kernel was declared with another one.
    """
    size = None if cluster is None else _cluster(cluster)
    if size is not None:
        if bounds.cluster is not None and bounds.cluster != size:
            raise LaunchError(f"cluster {size}: {bounds.kernel} was declared with cluster={bounds.cluster}")
        if any(blocks % side for blocks, side in zip(configuration.grid, size, strict=True)):
            raise LaunchError(f"grid {configuration.grid} is no multiple of the clusters of {size} blocks")
        if prod(size) > LARGEST_CLUSTER:
            raise LaunchError(f"cluster {size} has {prod(size)} blocks; a cluster has at most {LARGEST_CLUSTER}")
    if priority is not None and (isinstance(priority, bool) or not hasattr(priority, "__index__")):
        raise LaunchError(f"priority {priority!r} is no integer; device.stream_priorities has the range")
    return LaunchAttributes(
        cooperative=bool(cooperative), programmatic=bool(programmatic), cluster=size, priority=priority
    )


def _cluster(value: object) -> Three:
    sides = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
    numbers = [side for side in sides if isinstance(side, int) and not isinstance(side, bool) and side > 0]
    if len(numbers) != len(sides) or not 1 <= len(sides) <= 3:
        raise LaunchError(f"cluster {value!r} is not one to three positive integers")
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z
