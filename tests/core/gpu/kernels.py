"""Kernels that the tests of the runtime launch."""
from __future__ import annotations

from simt.core import D2, In, InOut, Out, Ptr, Strided, f32, f64, fault, i32, i64, kernel, u8
from simt.cuda_std import block, shared, thread


@kernel
def add(a: In[f32], b: In[f32], out: Out[f32], scale: f32 = 1.0):
    i = thread.index_1d()
    if i < out.size:
        out[i] = (a[i] + b[i]) * scale


@kernel
def increment(x: InOut[f32], by: f32):
    i = thread.index_1d()
    if i < x.size:
        x[i] += by


@kernel
def scalars(out: Out[f64], a: i32, b: u8, c: f32, d: i64, e: bool):
    out[0], out[1], out[2], out[3] = f64(a), f64(b), f64(c), f64(d)
    out[4] = 1.0 if e else 0.0


@kernel
def transpose(x: In[f32, D2, Strided], out: Out[f32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = x[col, row]


@kernel
def through_pointer(x: Ptr[i32], n: i32):
    i = thread.index_1d()
    if i < n:
        x[i] = i32(i) * 3


@kernel
def fails_at(x: InOut[i32], where: i32):
    i = thread.index_1d()
    assert i != where, f"thread {i} of {where}"
    if i < x.size:
        x[i] = i32(i)


@kernel
def asked_to_fail(where: In[i32], n: i32):
    if thread.index_1d() == n:
        fault(f"asked at {n}")


@kernel
def barrier_after_failure(x: In[i32], out: Out[i32]):
    tile = shared.array(i32, 128)
    t = thread.thread_idx.x
    tile[t] = x[t + 100]
    block.sync()
    out[t] = tile[127 - t]
