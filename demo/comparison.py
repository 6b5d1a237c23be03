"""Two pictures compared on one device, step by step; each method queues the launches of one step."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demo import kernels
from demo.oracle import gaussian_weights, peak_ratio
from simt.core import Device, DeviceArray

REDUCTION_BLOCKS = 64


def blocks(extent: int, threads: int) -> int:
    """How many blocks of ``threads`` cover ``extent``."""
    return -(-extent // threads)


class Comparison:
    """``original`` and ``copy``: (height, width, 3) u8, of one shape. Results stay on ``device`` until asked for."""

    def __init__(self, device: Device, original: NDArray[np.uint8], copy: NDArray[np.uint8]) -> None:
        self.device = device
        self.height, self.width, _ = original.shape
        self.shape = (self.height, self.width)
        self.weights = device.array(gaussian_weights().astype(np.float32))
        self.pictures = device.array(original), device.array(copy)
        self.grey = device.empty(self.shape, np.float32), device.empty(self.shape, np.float32)
        self.rows = device.empty(self.shape, np.float32)
        self.product = device.empty(self.shape, np.float32)
        self.means = [device.empty(self.shape, np.float32) for _ in range(5)]
        self.map = device.empty(self.shape, np.float32)

    def to_grey(self) -> None:
        for picture, grey in zip(self.pictures, self.grey, strict=True):
            kernels.grey.for_elements(self.shape)(picture, grey)

    def blur(self, source: DeviceArray, out: DeviceArray) -> None:
        grid = blocks(self.width, kernels.LINE), self.height
        kernels.blur_rows[grid, kernels.LINE](source, self.weights, self.rows)
        tile = kernels.TILE_WIDTH, kernels.TILE_HEIGHT
        grid = blocks(self.width, tile[0]), blocks(self.height, tile[1])
        kernels.blur_columns[grid, tile](self.rows, self.weights, out)

    def blur_original(self) -> None:
        self.blur(self.grey[0], self.means[0])

    def similarity(self) -> None:
        """The SSIM map: five blurs, three products, and the formula."""
        x, y = self.grey
        self.blur(x, self.means[0])
        self.blur(y, self.means[1])
        for (a, b), mean in zip(((x, x), (y, y), (x, y)), self.means[2:], strict=True):
            kernels.multiply.for_elements(self.shape)(a, b, self.product)
            self.blur(self.product, mean)
        mean_x, mean_y, mean_xx, mean_yy, mean_xy = self.means
        kernels.similarity.for_elements(self.shape)(mean_x, mean_y, mean_xx, mean_yy, mean_xy, self.map)

    def peak_ratio(self) -> float:
        """PSNR in decibels."""
        out = self.device.zeros(1, np.float64)
        kernels.squared_difference[REDUCTION_BLOCKS, kernels.THREADS](*self.grey, out)
        return peak_ratio(float(out.numpy()[0]), self.height * self.width)

    def mean_similarity(self) -> float:
        """The mean of the SSIM map."""
        out = self.device.zeros(1, np.float64)
        kernels.total[REDUCTION_BLOCKS, kernels.THREADS](self.map, out)
        return float(out.numpy()[0]) / (self.height * self.width)
