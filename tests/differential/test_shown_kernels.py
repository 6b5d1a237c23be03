"""The kernels that examples, demo and programs show: their own Python against the CPU target, on small inputs."""
from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from demo import kernels as demo
from simt.core.testing.differential import check_same

EXAMPLES = Path(__file__).parents[2] / "examples"
RANDOM = np.random.default_rng(11)


@cache
def example(name: str) -> dict[str, object]:
    """The names of an example, after it has run."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def image(height: int, width: int) -> np.ndarray:
    return (RANDOM.random((height, width)) * 255).astype(np.float32)


def test_saxpy():
    x, y = RANDOM.random(70, np.float32), RANDOM.random(70, np.float32)
    check_same(example("saxpy")["saxpy"], 3, 32, (2.5, x, y, np.zeros_like(x)))


def test_matmul():
    a, b = RANDOM.random((20, 18), np.float32), RANDOM.random((18, 17), np.float32)
    check_same(example("matmul")["matmul"], (2, 2), (16, 16), (a, b, np.zeros((20, 17), np.float32)))


def test_scan():
    x = RANDOM.integers(-100, 100, 300, dtype=np.int32)
    check_same(example("scan")["scan"], 2, 256, (x, np.zeros_like(x)))


def test_histogram():
    data = RANDOM.integers(0, 256, 700, dtype=np.uint8)
    check_same(example("histogram")["histogram"], 1, 256, (data, np.zeros(256, np.uint32)))


def test_block_sums():
    check_same(example("reduction")["block_sums"], 2, 256, (RANDOM.random(400, np.float32), np.zeros(2, np.float32)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_total(dtype):
    check_same(example("total")["total"], 1, 256, (RANDOM.random(600, dtype), np.zeros(1, dtype)))


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_clamp(dtype):
    x = RANDOM.normal(0, 100, 40).astype(dtype)
    check_same(example("generics")["clamp_all"], 2, 32, (x, np.array([-50, 50], dtype), np.zeros_like(x)))


def test_bodies():
    names = example("structs")
    bodies = np.zeros(20, names["Body"].numpy_dtype)
    for field in bodies.dtype.names:
        bodies[field] = RANDOM.normal(2, 5, 20)
    check_same(names["move"], 1, 32, (bodies, names["Box"](4.0, 3.0, 0.9), 0.5))


def test_area():
    area = example("closures")["area_under_wave"](2.5)
    upper = np.linspace(0, 3, 10, dtype=np.float32)
    check_same(area, 1, 10, (upper, np.zeros_like(upper)), ulp=64)  # the terms cancel, and libdevice rounds otherwise


def test_heat():
    plate = image(9, 12)
    check_same(example("heat")["step"], (2, 2), (8, 8), (plate, np.zeros_like(plate), 0.2))


def test_grey():
    rgb = RANDOM.integers(0, 256, (5, 7, 3), dtype=np.uint8)
    check_same(demo.grey, 1, (8, 8), (rgb, np.zeros((5, 7), np.float32)))


def test_blurs():
    weights = RANDOM.random(2 * demo.RADIUS + 1, np.float32)
    picture = image(3, 140)
    check_same(demo.blur_rows, (2, 3), demo.LINE, (picture, weights, np.zeros_like(picture)))
    picture = image(18, 33)
    tile = (demo.TILE_WIDTH, demo.TILE_HEIGHT)
    check_same(demo.blur_columns, (2, 2), tile, (picture, weights, np.zeros_like(picture)))


def test_similarity():
    images = [image(6, 9) for _ in range(5)]
    check_same(demo.similarity, (2, 1), (8, 8), (*images, np.zeros((6, 9), np.float32)))


def test_reductions_of_images():
    x, y = image(20, 30), image(20, 30)
    check_same(demo.squared_difference, 1, demo.THREADS, (x, y, np.zeros(1)))
    check_same(demo.total, 1, demo.THREADS, (x, np.zeros(1)))
