"""What pyright in strict mode must accept without a word: kernels and launches as users write them."""
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from simt.core import (
    D2,
    D3,
    Const,
    CpuDevice,
    DisjointOut,
    In,
    InOut,
    Kernel,
    Launch,
    Options,
    Out,
    Strided,
    Surface,
    Texture,
    bf16,
    c64,
    default_device,
    f32,
    f32x4,
    f64,
    i32,
    i64,
    kernel,
    static_assert,
    static_range,
    struct,
    u8,
)
from simt.cuda_std import atomic, block, shared, surface, texture, thread, warp

T = TypeVar("T", f32, f64)


@struct
class Body:
    x: f32
    mass: f32 = 1.0

    def weight(self, gravity: f32) -> f32:
        return self.mass * gravity


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


@kernel(max_threads=256, min_blocks=2, fast_math=True)
def plane(t: In[f32, D2], out: Out[f32, D2, Strided], rate: f32 = 0.2):
    col, row = thread.index_2d()
    height, width = t.shape
    if row < height and col < width:
        out[row, col] = t[row, col] * rate


@kernel
def generic(x: In[T], low: T, out: InOut[T]):
    partial = shared.array(x.dtype, 8)
    mine = x.dtype(0)
    for i in thread.grid_stride(x.size):
        mine += x[i] if x[i] > low else low
    if warp.lane_id() == 0:
        partial[warp.warp_id()] = mine
    block.sync()
    atomic.add(out, 0, partial[0])


@kernel(name="many_kinds", checks=True)
def kinds(
    cube: In[u8, D3], bodies: InOut[Body], one: Body, n: Const[i32], f: Callable[[f32], f32], pair: tuple[f32, i64],
    flag: bool, z: c64, half: bf16, out: DisjointOut[f32],
):
    static_assert(n > 0, "n")
    total = f32(0)
    for k in static_range(n):
        total += f(pair[0]) + cube[0, 0, k]
    if flag:
        total += one.weight(9.81) + bodies[0].x + z.real + half
    out[thread.index_1d()] = total


def scaled_by(factor: float) -> Kernel[In[f32], Out[f32]]:
    @kernel
    def scaled(x: In[f32], out: Out[f32]):
        i = thread.index_1d()
        if i < out.size:
            out[i] = x[i] * factor

    return scaled


def launches() -> None:
    device = default_device()
    x = np.ones(8, np.float32)
    d = device.array(x)
    saxpy[1, 8](2.0, x, x, d)
    saxpy[(1, 1), (8, 1, 1), 0, None](2, x, d, out=d)
    saxpy.for_elements(8)(float(x[0]), x, x, out=x)
    saxpy.for_elements(d.shape)(2.0, d, d, d)
    launch: Launch[...] = saxpy[1, 8]
    launch(2.0, x, x, x)
    plane.with_options(checks=True, opt=0).for_elements((2, 4))(x, x, rate=0.5)
    plane.for_elements((2, 4))(x, x)
    generic[64, 256](d, 1.0, d)
    kinds[1, 8](d, d, Body(1.0), 3, lambda v: v * 2, (1.0, 2), True, 1j, 0.5, d)
    scaled_by(2.0)[1, 8](x, x)
    print(saxpy.inspect("ptx", target="sm_90"), saxpy.compile(target="sm_90a").resources.registers, Options().opt)
    device.synchronize()
    print(d.numpy().sum(), d.shape, d.size, device.zeros(3, f32), device.full((2, 2), 1.5, np.float64))


@kernel
def resize(source: Texture[f32x4, D2], target: Surface[f32x4, D2], scale: f32):
    x, y = thread.index_2d()
    value = texture.fetch(source, (x + 0.5) * scale, (y + 0.5) * scale)
    value.x += texture.load(source, x, y).x
    surface.store(target, x, y, value, boundary=surface.ZERO)


processor = CpuDevice()
photograph = processor.texture(np.zeros((4, 6, 4), np.float32), channels=4, filter="linear", address="border")
canvas = processor.surface((8, 12), f32x4)
resize[1, (12, 8)](photograph, canvas, 0.5)
pixels = canvas.numpy()
