"""Structs in kernels: fields, methods, nesting, arrays of them, copies and references."""
from __future__ import annotations

import numpy as np

from simt.core import D2, In, InOut, Out, f32, f64, i8, i16, i32, i64, kernel, struct, u8
from simt.core.testing.differential import check_same
from simt.cuda_std import block, shared, thread


@struct
class Vec:
    x: f32
    y: f32 = 0.5

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, factor: f32) -> Vec:
        return Vec(self.x * factor, self.y * factor)

    def __neg__(self) -> Vec:
        return Vec(-self.x, -self.y)

    def dot(self, other: Vec) -> f32:
        return self.x * other.x + self.y * other.y

    def turn(self) -> None:
        self.x, self.y = -self.y, self.x

    @property
    def norm2(self) -> f32:
        return self.dot(self)


@struct
class Body:
    kind: u8
    place: Vec
    count: i64
    pair: tuple[i8, f64]
    alive: bool
    small: i16


BODY = Body.numpy_dtype


def bodies(n: int) -> np.ndarray:
    random = np.random.default_rng(n)
    array = np.zeros(n, BODY)
    array["kind"] = random.integers(0, 255, n)
    array["place"]["x"], array["place"]["y"] = random.random(n), random.random(n)
    array["count"] = random.integers(-(2**40), 2**40, n)
    array["pair"]["f0"], array["pair"]["f1"] = random.integers(-100, 100, n), random.random(n)
    array["alive"] = random.integers(0, 2, n)
    array["small"] = random.integers(-1000, 1000, n)
    return array


def bump(body: Body, by: i32) -> None:
    body.count += by
    body.place.x *= 2
    body.alive = not body.alive


@kernel
def step(items: InOut[Body], wind: Vec, out: Out[f64]):
    i = thread.index_1d()
    body = items[i]
    body.place = body.place + wind * 2
    bump(body, 7)
    body.place.turn()
    whole, real = body.pair
    items[i] = body
    items[i].kind += 1
    items[i].place.y += 1
    items[i].pair = (whole, real * 3)
    wind.x = f32(i)
    out[i] = body.place.norm2 + wind.x + real + (-wind).y


@kernel
def copies(out: Out[f32]):
    a = Vec(1, 2)
    b = Vec(a.x, a.y)
    b.x = 5
    values = (a, b)
    out[0] = values[0].x
    out[1] = values[1].x
    c = values[1] + Vec(x=3)
    out[2] = c.x
    out[3] = c.y
    out[4] = (a if out.size > 3 else b).x
    d = Vec(0)
    for k in range(4):
        d = d + Vec(f32(k), 1)
    out[5] = d.x
    out[6] = d.y


@kernel
def in_shared_memory(x: In[f32], out: InOut[Vec, D2]):
    tile = shared.array(Vec, (2, 4))
    t = thread.thread_idx.x
    tile[t // 4, t % 4] = Vec(x[t], f32(t))
    block.sync()
    out[t // 4, t % 4] = tile[1 - t // 4, 3 - t % 4]
    out[t // 4, t % 4].y *= 10


def test_arrays_of_structs():
    check_same(step, 1, 5, (bodies(5), Vec(0.25, -3), np.zeros(5)))


def test_values():
    (out,) = check_same(copies, 1, 1, (np.zeros(7, np.float32),))
    assert out.tolist() == [1, 5, 8, 2.5, 1, 6, 4.5]


def test_shared():
    x = np.arange(8, dtype=np.float32)
    check_same(in_shared_memory, 1, 8, (x, np.zeros((2, 4), Vec.numpy_dtype)))
