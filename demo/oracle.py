"""The same quantities by NumPy and SciPy in double precision: what the kernels' results are held against."""
# SciPy ships no types:
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from demo.kernels import RADIUS, STABLE_MEAN, STABLE_VARIANCE

Image = NDArray[np.float64]


def gaussian_weights(sigma: float = 1.5) -> Image:
    """2 * RADIUS + 1 samples of a Gaussian, with sum 1."""
    weights = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1) / sigma) ** 2)
    return weights / weights.sum()


def grey(rgb: NDArray[np.uint8]) -> Image:
    return rgb.astype(np.float64) @ np.array([0.299, 0.587, 0.114])


def blur(image: Image) -> Image:
    """Both axes, edges repeated."""
    weights, result = gaussian_weights(), image
    for axis in (1, 0):
        result = np.asarray(ndimage.correlate1d(result, weights, axis=axis, mode="nearest"), np.float64)
    return result


def similarity(x: Image, y: Image) -> Image:
    """The SSIM map of two grey images."""
    mean_x, mean_y = blur(x), blur(y)
    variance_x, variance_y = blur(x * x) - mean_x**2, blur(y * y) - mean_y**2
    covariance = blur(x * y) - mean_x * mean_y
    means = (2 * mean_x * mean_y + STABLE_MEAN) / (mean_x**2 + mean_y**2 + STABLE_MEAN)
    return means * (2 * covariance + STABLE_VARIANCE) / (variance_x + variance_y + STABLE_VARIANCE)


def peak_ratio(squared_error: float, count: int) -> float:
    """PSNR in decibels of 8-bit images from the sum of squared differences over ``count`` pixels."""
    return float(10 * np.log10(255.0**2 * count / squared_error))
