"""The primary context of a device, which torch, CuPy and the CUDA runtime use too: retained once."""
from __future__ import annotations

import functools
from typing import Any

from simt.core.errors import DriverError, UnavailableError
from simt.core.runtime.cuda_driver import cu

REASONS = {
    "CUDA_ERROR_DEVICE_UNAVAILABLE": "another process has it for itself, as its compute mode allows one at a time "
                                     "(nvidia-smi -q -d COMPUTE), or it is being reset",
    "CUDA_ERROR_OUT_OF_MEMORY": "other processes have taken all its memory (nvidia-smi lists them)",
    "CUDA_ERROR_ECC_UNCORRECTABLE": "its memory has an error that cannot be corrected; it must be reset or replaced",
    "CUDA_ERROR_DEVICE_NOT_LICENSED": "it is a virtual GPU without a licence",
    "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED": "the MPS server has no connection left",
}


@functools.cache
def primary_context(ordinal: int) -> Any:  # Any: a handle of the bindings
    """The primary context of device ``ordinal``, kept until the process ends.

    Raises:
        UnavailableError: the device is there, and this process cannot have it now; says why.
    """
    try:
        return cu("cuDevicePrimaryCtxRetain", cu("cuDeviceGet", ordinal))
    except DriverError as error:
        reason = REASONS.get(error.result)
        if reason is None:
            raise
        raise UnavailableError(f"GPU {ordinal} cannot be used: {reason} ({error})") from None


def make_current(ordinal: int) -> None:
    """Make the device's primary context current on this thread, if it is not."""
    context = primary_context(ordinal)
    if int(cu("cuCtxGetCurrent")) != int(context):
        cu("cuCtxSetCurrent", context)
