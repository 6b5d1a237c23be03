"""Arrays that export ``__cuda_array_interface__``. Source: Numba documentation, CUDA Array Interface, version 3."""
from __future__ import annotations

from typing import Any

import numpy as np

from simt.core.errors import DriverError, LaunchError
from simt.core.runtime.cuda_driver import cu, driver
from simt.core.runtime.memory import Memory, contiguous_strides


def from_cuda_array(value: Any, argument: str) -> Memory:  # Any: an exporter of the protocol
    """The memory of an exporter.

    Raises:
        LaunchError: a mask hides part of it.
    """
    described: dict[str, Any] = value.__cuda_array_interface__  # Any: the protocol's mixed dictionary
    kind = type(value).__name__
    if described.get("mask") is not None:
        message = f"argument {argument}: {kind} has a mask, and kernels see none; pass its data"
        raise LaunchError(message, argument=argument)
    names = described.get("descr") if described["typestr"][1] == "V" else None
    dtype = np.dtype(names or described["typestr"])
    shape = tuple(map(int, described["shape"]))
    address, read_only = described["data"]
    strides: tuple[int, ...] = described.get("strides") or contiguous_strides(shape, dtype.itemsize)
    stream = described.get("stream")
    return Memory(
        int(address or 0), dtype, shape, tuple(map(int, strides)), not read_only, value, kind,
        gpu_of(int(address or 0)), False, None if stream is None else int(stream),
    )


def gpu_of(address: int) -> int:
    """The number of the GPU that memory at ``address`` lies on; 0 for no memory at all.

    Raises:
        DriverError: no memory that CUDA knows.
    """
    if address == 0:
        return 0
    attribute = driver().CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    try:
        return int(cu("cuPointerGetAttribute", attribute, address))
    except DriverError as error:
        raise DriverError(
            f"the address {address:#x} is no memory that CUDA knows: {error}", result=error.result, call=error.call
        ) from None
