"""A launch configuration as the driver's structure. Source: CUDA Driver API, ``CUlaunchConfig``, launch attributes."""
from __future__ import annotations

from typing import Any

from simt.core.runtime.configuration import Configuration
from simt.core.runtime.cuda_driver import driver
from simt.core.runtime.launch_attributes import LaunchAttributes

NONE = LaunchAttributes()


def launch_config(configuration: Configuration, stream: int) -> Any:  # Any: a structure of the bindings
    """Grid, block, shared memory, attributes, and the stream by its handle."""
    module = driver()
    config = module.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = configuration.grid
    config.blockDimX, config.blockDimY, config.blockDimZ = configuration.block
    config.sharedMemBytes = configuration.shared_bytes
    config.hStream = module.CUstream(stream)
    attributes = _attributes(configuration.attributes or NONE)
    config.attrs = attributes
    config.numAttrs = len(attributes)
    return config


def _attributes(wanted: LaunchAttributes) -> list[Any]:  # Any: structures of the bindings
    found: list[Any] = []
    if wanted.cooperative:
        found.append(_attribute("COOPERATIVE"))
        found[-1].value.cooperative = 1
    if wanted.programmatic:
        found.append(_attribute("PROGRAMMATIC_STREAM_SERIALIZATION"))
        found[-1].value.programmaticStreamSerializationAllowed = 1
    if wanted.cluster is not None:
        found.append(_attribute("CLUSTER_DIMENSION"))
        sides = found[-1].value.clusterDim
        sides.x, sides.y, sides.z = wanted.cluster
    if wanted.priority is not None:
        found.append(_attribute("PRIORITY"))
        found[-1].value.priority = wanted.priority
    return found


def _attribute(name: str) -> Any:  # Any: as above
    module = driver()
    attribute = module.CUlaunchAttribute()
    attribute.id = getattr(module.CUlaunchAttributeID, f"CU_LAUNCH_ATTRIBUTE_{name}")
    return attribute
