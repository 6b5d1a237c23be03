"""The primary context of a device, which torch, CuPy and the CUDA runtime use too: retained once."""
from __future__ import annotations

import functools
from typing import Any

from simt.core.runtime.cuda_driver import cu


@functools.cache
def primary_context(ordinal: int) -> Any:  # Any: a handle of the bindings
    """The primary context of device ``ordinal``, kept until the process ends."""
    return cu("cuDevicePrimaryCtxRetain", cu("cuDeviceGet", ordinal))


def make_current(ordinal: int) -> None:
    """Make the device's primary context current on this thread, if it is not."""
    context = primary_context(ordinal)
    if int(cu("cuCtxGetCurrent")) != int(context):
        cu("cuCtxSetCurrent", context)
