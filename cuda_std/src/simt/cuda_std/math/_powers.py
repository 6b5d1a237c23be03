"""Roots, powers, exponentials and logarithms."""
from __future__ import annotations

import numpy as np

from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import Body, Expand, HostMath, Libdevice
from simt.core.llvm.builder import Emitter, Value
from simt.core.types import Type
from simt.cuda_std.generics import Float
from simt.cuda_std.math._host import on_host
from simt.cuda_std.math._host import rsqrt as rsqrt_on_host
from simt.cuda_std.math._narrow import narrowed, widened

FUSED = r"fma\.rn\.f(32|64)"


@intrinsic(
    gpu=Libdevice(f32="__nv_sqrtf", f64="__nv_sqrt"), cpu=HostMath(f32="llvm.sqrt.f32", f64="llvm.sqrt.f64"),
    ptx=r"sqrt\.rn\.f(32|64)", since=Sm(50), source="libdevice User's Guide: __nv_sqrt, __nv_sqrtf",
)
def sqrt(x: Float) -> Float:
    """Square root; NaN below zero, -0.0 for -0.0. Correctly rounded, unless the option ``prec_sqrt`` is off."""
    return on_host(np.sqrt, x)


def _expand_rsqrt(
    emitter: Emitter, arguments: tuple[Value, ...], types: tuple[Type, ...], _result: Type | None
) -> Value:
    """A root and a division in f32 or f64, rounded once more for the narrow types."""
    x = widened(emitter, arguments[0], types[0])
    root = emitter.call(x.type, f"llvm.sqrt.{'f64' if x.type == 'double' else 'f32'}", [x])
    return narrowed(emitter, emitter.binary("fdiv", Value(x.type, "1.0"), root), types[0])


@intrinsic(
    gpu=Libdevice(f32="__nv_rsqrtf", f64="__nv_rsqrt"), cpu=Expand(_expand_rsqrt),
    ptx=r"rsqrt\.approx(\.ftz)?\.f(32|64)", since=Sm(50), source="libdevice User's Guide: __nv_rsqrt, __nv_rsqrtf",
)
def rsqrt(x: Float) -> Float:
    """``1 / sqrt(x)``; an infinity for zeros, NaN below. At most 2 ulp (f32), 1 ulp (f64)."""
    return on_host(rsqrt_on_host, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_cbrtf", f64="__nv_cbrt"), cpu=HostMath(f32="cbrtf", f64="cbrt"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_cbrt, __nv_cbrtf",
)
def cbrt(x: Float) -> Float:
    """Cube root, negative for a negative ``x``. GPU: at most 1 ulp (f32, f64)."""
    return on_host(np.cbrt, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_hypotf", f64="__nv_hypot"), cpu=HostMath(f32="hypotf", f64="hypot"),
    ptx=r"sqrt\.(rn|approx)", since=Sm(50), source="libdevice User's Guide: __nv_hypot, __nv_hypotf",
)
def hypot(x: Float, y: Float) -> Float:
    """``sqrt(x**2 + y**2)`` without overflow on the way; inf if either is infinite, even beside NaN.

    GPU: at most 3 ulp (f32), 2 ulp (f64).
    """
    return on_host(np.hypot, x, y)


@intrinsic(
    gpu=Libdevice(f32="__nv_powf", f64="__nv_pow"), cpu=HostMath(f32="powf", f64="pow"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_pow, __nv_powf",
)
def pow(x: Float, y: Float) -> Float:
    """``x`` to the power ``y``; NaN for a negative ``x`` and a finite ``y`` that is no integer.

    ``pow(x, 0)`` and ``pow(1, y)`` are 1 for every value, NaN too. GPU: at most 4 ulp (f32), 2 ulp (f64).
    """
    return on_host(np.power, x, y)


@intrinsic(
    gpu=Libdevice(f32="__nv_expf", f64="__nv_exp"), cpu=HostMath(f32="expf", f64="exp"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_exp, __nv_expf",
)
def exp(x: Float) -> Float:
    """``e**x``. Overflows to inf above 88.7 (f32), 709.7 (f64). GPU: at most 2 ulp (f32), 1 ulp (f64)."""
    return on_host(np.exp, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_exp2f", f64="__nv_exp2"), cpu=HostMath(f32="exp2f", f64="exp2"),
    ptx=r"ex2\.approx|fma\.rn\.f64", since=Sm(50), source="libdevice User's Guide: __nv_exp2, __nv_exp2f",
)
def exp2(x: Float) -> Float:
    """``2**x``. Overflows to inf from 128 (f32), 1024 (f64). GPU: at most 2 ulp (f32), 1 ulp (f64)."""
    return on_host(np.exp2, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_exp10f", f64="__nv_exp10"), cpu=Body(), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_exp10, __nv_exp10f",
)
def exp10(x: Float) -> Float:
    """``10**x``. Overflows to inf above 38.5 (f32), 308.2 (f64). GPU: at most 2 ulp (f32), 1 ulp (f64)."""
    return pow(10.0, x)  # pyright: ignore[reportReturnType] -- the literal takes the type of x


@intrinsic(
    gpu=Libdevice(f32="__nv_expm1f", f64="__nv_expm1"), cpu=HostMath(f32="expm1f", f64="expm1"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_expm1, __nv_expm1f",
)
def expm1(x: Float) -> Float:
    """``e**x - 1``, accurate next to zero. GPU: at most 1 ulp (f32, f64)."""
    return on_host(np.expm1, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_logf", f64="__nv_log"), cpu=HostMath(f32="logf", f64="log"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_log, __nv_logf",
)
def log(x: Float) -> Float:
    """Natural logarithm; -inf for zeros, NaN below. To another base: ``log(x) / log(base)``.

    GPU: at most 1 ulp (f32, f64).
    """
    return on_host(np.log, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_log2f", f64="__nv_log2"), cpu=HostMath(f32="log2f", f64="log2"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_log2, __nv_log2f",
)
def log2(x: Float) -> Float:
    """Logarithm to base 2; -inf for zeros, NaN below. GPU: at most 1 ulp (f32, f64)."""
    return on_host(np.log2, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_log10f", f64="__nv_log10"), cpu=HostMath(f32="log10f", f64="log10"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_log10, __nv_log10f",
)
def log10(x: Float) -> Float:
    """Logarithm to base 10; -inf for zeros, NaN below. GPU: at most 2 ulp (f32), 1 ulp (f64)."""
    return on_host(np.log10, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_log1pf", f64="__nv_log1p"), cpu=HostMath(f32="log1pf", f64="log1p"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_log1p, __nv_log1pf",
)
def log1p(x: Float) -> Float:
    """``log(1 + x)``, accurate next to zero; -inf at -1, NaN below. GPU: at most 1 ulp (f32, f64)."""
    return on_host(np.log1p, x)
