"""What a texture read gives, written once more with NumPy: the image is padded as its address modes say, then indexed.

CUDA C++ Programming Guide, Texture Fetching.
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

PADDING = {"clamp": "edge", "wrap": "wrap", "mirror": "symmetric"}
Array = np.ndarray[Any, Any]


def sampled(
    image: Array, coordinates: Sequence[Array], *, linear: bool, address: str, normalized: bool, border: float = 0.0,
) -> Array:
    """The values at ``coordinates``, x first, in f64; ``image`` has one axis for each, and any more for channels.

    Coordinates are within two lengths of the image.
    """
    ndim = len(coordinates)
    margins = [(3 * extent + 2,) * 2 for extent in image.shape[:ndim]] + [(0, 0)] * (image.ndim - ndim)
    values = image.astype(np.float64)
    if address == "border":
        padded = np.pad(values, margins, "constant", constant_values=border)
    else:
        padded = np.pad(values, margins, PADDING[address])
    lower: list[Array] = []
    weights: list[Array] = []
    for axis, coordinate in enumerate(reversed(coordinates)):
        position = coordinate.astype(np.float32)
        if normalized:
            position = position * np.float32(image.shape[axis])
        texels = position.astype(np.float64)
        steps = np.floor((texels - 0.5) * 256 + 0.5) if linear else np.floor(texels) * 256
        if address == "clamp" and linear:
            steps = np.clip(steps, 0, 256 * (image.shape[axis] - 1))
        lower.append((steps // 256).astype(np.int64) + margins[axis][0])
        weights.append((steps % 256).astype(np.int64))
    total = np.zeros((coordinates[0].size, *image.shape[ndim:]))
    for corner in itertools.product((0, 1), repeat=ndim):
        weight = corner_weight(corner, weights) / 256
        places = tuple(first + upper for first, upper in zip(lower, corner, strict=True))
        total += weight.reshape(-1, *[1] * (image.ndim - ndim)) * padded[places]
    return total


def corner_weight(corner: tuple[int, ...], fractions: list[Array]) -> Array:
    """The hardware's weights in 1/256: planes, then columns, then rows share what is left, each part a whole number."""
    deep, down, across = ([np.zeros_like(fractions[0])] * 2 + fractions)[-3:]
    z, y, x = (0, 0, *corner)[-3:]
    of_plane = deep if z else 256 - deep
    to_the_right = np.floor(of_plane * across / 256 + 0.5)
    of_column = to_the_right if x else of_plane - to_the_right
    # a half goes down in the right column and up in the left one
    downwards = np.floor(of_column * down / 256 + 0.5) if x else np.ceil(of_column * down / 256 - 0.5)
    return downwards if y else of_column - downwards


def rounded(total: Array, dtype: Any) -> Array:  # Any: a class of NumPy's
    """What the hardware makes of a weighted sum of texels of ``dtype``."""
    if dtype is np.float16:  # halves away from zero
        return (total * (1 + 2.0**-21)).astype(np.float16).astype(np.float64)
    unit = np.iinfo(dtype).max
    steps = 65535 if np.iinfo(dtype).min == 0 else 32767
    return np.maximum(np.floor(total * (steps / unit) + 0.5), -steps) / steps
