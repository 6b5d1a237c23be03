"""How much of a kernel a GPU holds at once: blocks, clusters, and the block size that fills it.

Source: CUDA Driver API, occupancy.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, cast

from simt.core.errors import LaunchError
from simt.core.gpu.context import make_current
from simt.core.gpu.launch_config import launch_config
from simt.core.runtime.configuration import Configuration
from simt.core.runtime.cuda_driver import cu
from simt.core.specialize import bind

if TYPE_CHECKING:
    from simt.core.general_launch import Specialiser
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.executable import GpuExecutable


@dataclass(frozen=True, slots=True)
class SuggestedBlock:
    """``threads`` of a block that give the highest occupancy, and the smallest grid that fills the device with them."""

    threads: int
    blocks: int


def executable_for(kernel: Specialiser, device: GpuDevice, *arguments: object) -> GpuExecutable:
    """A kernel's code on ``device`` for arguments like these, made if need be; one for each parameter.

    Raises:
        LaunchError, CompileError: as a launch of them.
    """
    declaration = kernel.declaration
    completed = declaration.complete(arguments, {})
    specialisation = kernel.specialisation(bind(declaration.parameters, completed, 1), device)
    return cast("GpuExecutable", specialisation.executable)


def resident_blocks(executable: GpuExecutable, threads: int, shared_bytes: int = 0) -> int:
    """Blocks of ``threads`` threads and ``shared_bytes`` of dynamic shared memory that one multiprocessor holds."""
    make_current(executable.device.ordinal)
    executable.allow_shared_bytes(shared_bytes)
    return int(cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", executable.function, threads, shared_bytes))


def occupancy(executable: GpuExecutable, threads: int, shared_bytes: int = 0) -> float:
    """The part of a multiprocessor's threads that is in use while it holds as many blocks as it can, 0 to 1."""
    most = executable.device.attribute("MAX_THREADS_PER_MULTIPROCESSOR")
    return resident_blocks(executable, threads, shared_bytes) * threads / most


def active_clusters(executable: GpuExecutable, configuration: Configuration) -> int:
    """Clusters of the configuration's attributes, or else of the kernel's declaration, that the device holds.

    Raises:
        LaunchError: neither has clusters, or the device has none.
    """
    device = executable.device
    attributes = configuration.attributes
    cluster = None if attributes is None else attributes.cluster
    declared = executable.attribute("REQUIRED_CLUSTER_WIDTH")
    if cluster is None and not declared:
        raise LaunchError(f"{executable.kernel.name} has no clusters; write launch.with_attributes(cluster=2)")
    if not device.attribute("CLUSTER_LAUNCH"):
        raise LaunchError(f"{device.short_name} has no clusters, which need compute capability 9.0")
    if cluster is not None and prod(cluster) > PORTABLE_CLUSTER:
        executable.set_attribute("NON_PORTABLE_CLUSTER_SIZE_ALLOWED", 1)
    make_current(device.ordinal)
    executable.allow_shared_bytes(configuration.shared_bytes)
    return int(cu("cuOccupancyMaxActiveClusters", executable.function, launch_config(configuration, 0)))


def suggested_block(executable: GpuExecutable, shared_bytes: int = 0, at_most: int = 0) -> SuggestedBlock:
    """The block size of the highest occupancy.

    Args:
        shared_bytes: dynamic shared memory of a block, whatever its size.
        at_most: threads of a block; 0 for as many as the kernel allows.
    """
    make_current(executable.device.ordinal)
    executable.allow_shared_bytes(shared_bytes)
    no_callback: Any = None  # Any: a function of the block size, which we do not need
    blocks, threads = cu("cuOccupancyMaxPotentialBlockSize", executable.function, no_callback, shared_bytes, at_most)
    return SuggestedBlock(int(threads), int(blocks))


PORTABLE_CLUSTER = 8  # blocks that every device with clusters holds; CUDA C++ Programming Guide, thread block clusters
