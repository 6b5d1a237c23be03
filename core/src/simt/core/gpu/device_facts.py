"""What the driver tells of a device, and the limits of its context.

Source: CUDA Driver API, ``cuDeviceGetAttribute``, ``cuCtxGetLimit``, ``cuCtxSetLimit``.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simt.core.errors import DriverError
from simt.core.gpu.context import make_current
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice

PREFIX, LIMIT_PREFIX = "CU_DEVICE_ATTRIBUTE_", "CU_LIMIT_"


def attributes(device: GpuDevice) -> dict[str, int]:
    """Every attribute that the driver knows, by its name without prefix. Names of one number are given once."""
    found: dict[str, int] = {}
    for member in driver().CUdevice_attribute:  # an enum, which leaves out further names of a number
        name = str(member.name).removeprefix(PREFIX)
        if name == "MAX":
            continue
        try:
            found[name] = int(cu("cuDeviceGetAttribute", member, device.bound))
        except DriverError as error:
            if error.result != "CUDA_ERROR_INVALID_VALUE":  # an attribute newer than the driver
                raise
    return found


def limit(device: GpuDevice, name: str) -> int:
    """A limit of the context. Raises as ``set_limit``."""
    make_current(device.ordinal)
    return int(cu("cuCtxGetLimit", _limit(name)))


def set_limit(device: GpuDevice, name: str, value: int) -> int:
    """Set a limit of the context; gives the value in effect, which the driver may round.

    Raises:
        ValueError: no limit has that name.
        DriverError: the device does not have the limit, or not for this value.
    """
    make_current(device.ordinal)
    cu("cuCtxSetLimit", _limit(name), value)
    return limit(device, name)


def _limit(name: str) -> Any:  # Any: an enum of the bindings
    limits = driver().CUlimit
    found = getattr(limits, LIMIT_PREFIX + name.upper(), None)
    if found is None:
        names = sorted({str(member.name).removeprefix(LIMIT_PREFIX).lower() for member in limits} - {"max"})
        raise ValueError(f"{name!r} is no limit of a context; the limits are {', '.join(names)}")
    return found
