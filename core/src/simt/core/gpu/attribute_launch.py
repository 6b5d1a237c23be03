"""Launches with attributes: cooperative, programmatic, of clusters, with a priority.

What the device cannot hold at once is refused with figures. Source: CUDA Driver API, ``cuLaunchKernelEx``.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

from simt.core.errors import LaunchError
from simt.core.gpu.context import make_current
from simt.core.gpu.launch_config import launch_config
from simt.core.gpu.launchable import BYTES_HEADER, Launch
from simt.core.gpu.occupancy import active_clusters, resident_blocks
from simt.core.gpu.recent_launches import remember
from simt.core.runtime.cuda_driver import driver

if TYPE_CHECKING:
    from simt.core.gpu.executable import GpuExecutable
    from simt.core.runtime.configuration import Configuration

PROGRAMMATIC_SINCE = (9, 0)  # CUDA C++ Programming Guide, programmatic dependent launch


def attribute_launch_function(
    executable: GpuExecutable, configuration: Configuration, refuse: Callable[[int], None]
) -> Launch:
    """A function that launches a packed record with the configuration's attributes.

    Raises:
        LaunchError: the device lacks one of them, or has no room for all blocks of a cooperative launch.
    """
    _check(executable, configuration)
    launch, function, ordinal, name = driver().cuLaunchKernelEx, executable.function, executable.device.ordinal, (
        executable.kernel.name
    )
    pointers, addressof = ctypes.c_void_p * len(executable.offsets), ctypes.addressof
    configs: dict[int, Any] = {}  # Any: structures of the bindings; by stream, since threads may launch at once

    def run(record: bytes, stream: int) -> None:
        make_current(ordinal)
        config = configs.get(stream)
        if config is None:
            config = configs[stream] = launch_config(configuration, stream)
        start = id(record) + BYTES_HEADER
        parameters = pointers(*[start + offset for offset in executable.offsets])
        (status,) = launch(config, function, addressof(parameters), 0)
        if status != 0:
            refuse(int(status))
        remember(name)

    return run


def _check(executable: GpuExecutable, configuration: Configuration) -> None:
    device, attributes = executable.device, configuration.attributes
    assert attributes is not None, "launches without attributes go another way"
    if attributes.priority is not None:
        low, high = device.stream_priorities
        if not high <= attributes.priority <= low:
            raise LaunchError(f"priority {attributes.priority}: {device.short_name} has {high} (runs first) to {low}")
    if attributes.programmatic and device.compute_capability < PROGRAMMATIC_SINCE:
        major, minor = device.compute_capability
        raise LaunchError(
            f"programmatic launches need compute capability 9.0, and {device.short_name} has {major}.{minor}; launch "
            "without programmatic=True"
        )
    if attributes.programmatic and not executable.kernel.waits_for_launch:
        raise LaunchError(
            f"{executable.kernel.name} never waits for the launch before it, and would read what that one still "
            "writes; call grid.wait_for_previous() of simt.cuda_std in it, or launch without programmatic=True"
        )
    if attributes.cluster is not None and active_clusters(executable, configuration) == 0:
        raise LaunchError(
            f"{device.short_name} holds no cluster of {attributes.cluster} blocks of {prod(configuration.block)} "
            f"threads and {executable.shared_bytes + configuration.shared_bytes} bytes of shared memory; make it "
            "smaller"
        )
    if attributes.cooperative:
        _check_residency(executable, configuration)


def _check_residency(executable: GpuExecutable, configuration: Configuration) -> None:
    """All blocks of a cooperative launch must run at once."""
    device, blocks, threads = executable.device, prod(configuration.grid), prod(configuration.block)
    if not device.attribute("COOPERATIVE_LAUNCH"):
        raise LaunchError(f"{device.short_name} has no cooperative launches")
    each = resident_blocks(executable, threads, configuration.shared_bytes)
    processors = device.attribute("MULTIPROCESSOR_COUNT")
    attributes = configuration.attributes
    room, held = each * processors, f"{each} on each of {processors} multiprocessors"
    if attributes is not None and attributes.cluster is not None:
        clusters = active_clusters(executable, configuration)
        room, held = clusters * prod(attributes.cluster), f"{clusters} clusters of {prod(attributes.cluster)}"
    if blocks > room:
        raise LaunchError(
            f"a cooperative launch of {executable.kernel.name} has {blocks} blocks, all of which must run at once, and "
            f"{device.short_name} has room for {room} of {threads} threads and "
            f"{executable.shared_bytes + configuration.shared_bytes} bytes of shared memory ({held}); launch at most "
            f"{room} blocks and have each do more"
        )
