"""One kernel, two answers: its own Python on the host against the compiled CPU target, compared."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from simt.core.kernel import Kernel
from simt.core.testing.host_array import Buffer
from simt.core.testing.reference import Dimensions, run_reference
from simt.core.types.scalar import BF16
from simt.core.values.numpy_types import scalar_type_of_dtype
from simt.core.values.rounding import float_of_bits


def check_same(
    kernel: Kernel[Any], grid: Dimensions, block: Dimensions, args: Sequence[object], *, ulp: int = 0,
    shared_bytes: int = 0,
) -> tuple[Buffer, ...]:
    """Run ``kernel`` as the oracle and on the CPU target, on copies of ``args``, and compare every array.

    Integers must be equal, floats within ``ulp`` units in the last place (NaN equals NaN). The compiled kernel is
    built without fused multiply-add, which rounds once where Python rounds twice.

    Returns:
        The arrays after the compiled run, in the order of the arguments.

    Raises:
        AssertionError: they differ; the message shows the first places.
    """
    expected, found = _copies(args), _copies(args)
    run_reference(kernel, grid, block, expected, shared_bytes)
    launch: Any = kernel.with_options(fma=False)  # Any: the arguments are checked by the launch
    launch[_dimensions(grid), _dimensions(block), shared_bytes](*found)
    arrays = [position for position, value in enumerate(args) if isinstance(value, np.ndarray)]
    for position in arrays:
        assert_close(_array(found[position]), _array(expected[position]), ulp, f"argument {position} of {kernel.name}")
    return tuple(_array(found[position]) for position in arrays)


def assert_close(got: Buffer, wanted: Buffer, ulp: int, where: str) -> None:
    """Compare two arrays of one dtype; ``ulp`` bounds the difference of floats.

    Raises:
        AssertionError: they differ; the message shows the first places.
    """
    if got.dtype.names is not None and scalar_type_of_dtype(got.dtype) != BF16:
        for name in got.dtype.names:
            assert_close(got[name], wanted[name], ulp, f"{where}, field {name}")
        return
    if got.dtype.kind == "c":
        assert_close(got.real, wanted.real, ulp, f"{where}, real part")
        assert_close(got.imag, wanted.imag, ulp, f"{where}, imaginary part")
        return
    wrong = ulp_distance(got, wanted) > ulp if is_float(got.dtype) else got != wanted
    if not wrong.any():
        return
    places = [tuple(map(int, place)) for place in np.argwhere(wrong)[:5]]
    lines = "\n".join(f"  at {place}: {_shown(got[place])} found, {_shown(wanted[place])} expected" for place in places)
    raise AssertionError(f"{where}: {int(wrong.sum())} of {wrong.size} elements differ by more than {ulp} ulp\n{lines}")


def is_float(dtype: np.dtype[Any]) -> bool:  # Any: a dtype of any kind
    """Whether elements are real floating-point numbers."""
    return dtype.kind == "f" or scalar_type_of_dtype(dtype) == BF16


def ulp_distance(a: Buffer, b: Buffer) -> Buffer:
    """How many representable values apart, as f64; 0 for two NaNs, infinite for a NaN and a number.

    Positive and negative zero are 1 apart, so that 0 ulp means the same bits but for NaN.
    """
    x, y = _ordered(a), _ordered(b)
    larger, smaller = np.maximum(x, y), np.minimum(x, y)
    distance = (larger.view(np.uint64) - smaller.view(np.uint64)).astype(np.float64)  # exact: it wraps around once
    nan_a, nan_b = _is_nan(a), _is_nan(b)
    distance[nan_a & nan_b] = 0
    distance[nan_a ^ nan_b] = np.inf
    return distance


def _ordered(floats: Buffer) -> np.ndarray[Any, np.dtype[np.int64]]:  # Any: any shape
    """Bit patterns as integers in the order of the floats; -0.0 comes just before 0.0."""
    width = floats.dtype.itemsize
    kind: Any = {2: np.int16, 4: np.int32, 8: np.int64}[width]
    bits = np.ascontiguousarray(floats).view(kind).astype(np.int64)
    return np.where(bits < 0, -1 - (bits & ((1 << (8 * width - 1)) - 1)), bits)


def _is_nan(array: Buffer) -> Buffer:
    if array.dtype.names is not None:
        return (np.ascontiguousarray(array)["bf16"] & 0x7FFF) > 0x7F80
    return np.isnan(array)


def _shown(value: Any) -> str:  # Any: an element of any dtype
    names = value.dtype.names
    return str(float_of_bits(int(value["bf16"]), BF16)) if names == ("bf16",) else str(value)


def _array(value: object) -> Buffer:
    return cast("Buffer", value)


def _copies(args: Sequence[object]) -> list[object]:
    return [value.copy() if isinstance(value, np.ndarray) else value for value in args]


def _dimensions(dimensions: Dimensions) -> int | tuple[int, ...]:
    return dimensions if isinstance(dimensions, int) else tuple(dimensions)
