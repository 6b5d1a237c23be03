"""Which NumPy dtype holds which scalar type.

NumPy has no bfloat16 and no 128-bit integers. Structured dtypes of the same bits stand for them, so that an array of
bf16 is never taken for one of u16: ``[("bf16", "<u2")]``, and ``[("low", "<u8"), ("high", "<i8")]`` with ``<u8`` for
u128. ``ml_dtypes.bfloat16`` is understood where an array brings it.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, BY_NAME, I128, U128
from simt.core.values.payload import Payload
from simt.core.values.rounding import bits_of_float, float_of_bits

NumpyType = np.dtype[Any]  # Any: a table over dtypes of every scalar type

BF16_DTYPE: NumpyType = np.dtype([("bf16", "<u2")])
I128_DTYPE: NumpyType = np.dtype([("low", "<u8"), ("high", "<i8")])
U128_DTYPE: NumpyType = np.dtype([("low", "<u8"), ("high", "<u8")])

_NAMES = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
    "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
}
DTYPES: dict[ScalarType, NumpyType] = {
    **{BY_NAME[name]: np.dtype(kind) for name, kind in _NAMES.items()},
    BF16: BF16_DTYPE, I128: I128_DTYPE, U128: U128_DTYPE,
}
_SCALARS = {dtype: scalar for scalar, dtype in DTYPES.items()}


def scalar_type_of_dtype(dtype: NumpyType) -> ScalarType | None:
    """The scalar type of a dtype in native byte order, or None where there is none."""
    if dtype.name == "bfloat16":
        return BF16
    return _SCALARS.get(dtype)


def payload_to_numpy(payload: Payload, scalar: ScalarType) -> np.ndarray[Any, Any]:  # Any: dtype depends on scalar
    """A 0-d array with the value."""
    dtype = DTYPES[scalar]
    if scalar == BF16:
        return np.array((bits_of_float(payload.real, BF16),), dtype)
    if scalar in (I128, U128):
        return np.frombuffer((int(payload.real) % 2**128).to_bytes(16, "little"), dtype).reshape(())
    return np.array(payload, dtype)


def numpy_to_payload(value: Any, scalar: ScalarType) -> Payload:  # Any: an element of an array of any dtype
    """The Python number in an element of an array of the scalar type's dtype."""
    if scalar == BF16:
        pattern = value.view(np.uint16) if value.dtype.names is None else value["bf16"]
        return float_of_bits(int(pattern), BF16)
    if scalar in (I128, U128):
        return int(value["low"]) + (int(value["high"]) << 64)
    return value.item()
