"""Kernels of the tests beside this file, in a module as a user would write them."""
from __future__ import annotations

from typing import TypeVar

from simt.core import D2, D3, In, InOut, Out, f32, f64, i32, kernel
from simt.cuda_std import thread

T = TypeVar("T", f32, f64)
SCALE = 2.0


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


@kernel
def scaled(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = SCALE * x[i]


@kernel(max_threads=64)
def doubled(x: In[T], out: InOut[T]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 2 * x[i]


@kernel
def numbered(out: Out[i32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = i32(row * out.shape[1] + col)


@kernel
def numbered_3d(out: Out[i32, D3]):
    x, y, z = thread.index_3d()
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = i32((z * out.shape[1] + y) * out.shape[2] + x)


@kernel
def overrun(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i]
