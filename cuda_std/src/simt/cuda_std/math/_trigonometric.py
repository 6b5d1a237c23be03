"""Circular and hyperbolic functions and their inverses. Angles are in radians."""
from __future__ import annotations

import math

import numpy as np

from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import HostMath, Libdevice
from simt.cuda_std.generics import Float
from simt.cuda_std.math._host import on_host

FUSED = r"fma\.rn\.f(32|64)"
DEGREES_IN_RADIAN = 180.0 / math.pi
RADIANS_IN_DEGREE = math.pi / 180.0


@intrinsic(
    gpu=Libdevice(f32="__nv_sinf", f64="__nv_sin"), cpu=HostMath(f32="sinf", f64="sin"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_sin, __nv_sinf",
)
def sin(x: Float) -> Float:
    """Sine; NaN for infinities. GPU: at most 2 ulp (f32, f64) for every finite ``x``."""
    return on_host(np.sin, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_cosf", f64="__nv_cos"), cpu=HostMath(f32="cosf", f64="cos"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_cos, __nv_cosf",
)
def cos(x: Float) -> Float:
    """Cosine; NaN for infinities. GPU: at most 2 ulp (f32, f64) for every finite ``x``."""
    return on_host(np.cos, x)


def sincos(x: Float) -> tuple[Float, Float]:
    """``(sin(x), cos(x))``."""
    return sin(x), cos(x)


@intrinsic(
    gpu=Libdevice(f32="__nv_tanf", f64="__nv_tan"), cpu=HostMath(f32="tanf", f64="tan"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_tan, __nv_tanf",
)
def tan(x: Float) -> Float:
    """Tangent; NaN for infinities. GPU: at most 4 ulp (f32), 2 ulp (f64)."""
    return on_host(np.tan, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_asinf", f64="__nv_asin"), cpu=HostMath(f32="asinf", f64="asin"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_asin, __nv_asinf",
)
def asin(x: Float) -> Float:
    """Arc sine, from -pi/2 to pi/2; NaN outside -1 to 1. GPU: at most 2 ulp (f32, f64)."""
    return on_host(np.arcsin, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_acosf", f64="__nv_acos"), cpu=HostMath(f32="acosf", f64="acos"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_acos, __nv_acosf",
)
def acos(x: Float) -> Float:
    """Arc cosine, from 0 to pi; NaN outside -1 to 1. GPU: at most 2 ulp (f32, f64)."""
    return on_host(np.arccos, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_atanf", f64="__nv_atan"), cpu=HostMath(f32="atanf", f64="atan"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_atan, __nv_atanf",
)
def atan(x: Float) -> Float:
    """Arc tangent, from -pi/2 to pi/2. GPU: at most 2 ulp (f32, f64)."""
    return on_host(np.arctan, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_atan2f", f64="__nv_atan2"), cpu=HostMath(f32="atan2f", f64="atan2"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_atan2, __nv_atan2f",
)
def atan2(y: Float, x: Float) -> Float:
    """The angle of the point (x, y), from -pi to pi; zeros and infinities as in C.

    GPU: at most 3 ulp (f32), 2 ulp (f64).
    """
    return on_host(np.arctan2, y, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_sinhf", f64="__nv_sinh"), cpu=HostMath(f32="sinhf", f64="sinh"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_sinh, __nv_sinhf",
)
def sinh(x: Float) -> Float:
    """Hyperbolic sine. GPU: at most 3 ulp (f32), 2 ulp (f64)."""
    return on_host(np.sinh, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_coshf", f64="__nv_cosh"), cpu=HostMath(f32="coshf", f64="cosh"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_cosh, __nv_coshf",
)
def cosh(x: Float) -> Float:
    """Hyperbolic cosine. GPU: at most 2 ulp (f32), 1 ulp (f64)."""
    return on_host(np.cosh, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_tanhf", f64="__nv_tanh"), cpu=HostMath(f32="tanhf", f64="tanh"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_tanh, __nv_tanhf",
)
def tanh(x: Float) -> Float:
    """Hyperbolic tangent. GPU: at most 2 ulp (f32), 1 ulp (f64)."""
    return on_host(np.tanh, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_asinhf", f64="__nv_asinh"), cpu=HostMath(f32="asinhf", f64="asinh"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_asinh, __nv_asinhf",
)
def asinh(x: Float) -> Float:
    """Inverse hyperbolic sine. GPU: at most 3 ulp (f32, f64)."""
    return on_host(np.arcsinh, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_acoshf", f64="__nv_acosh"), cpu=HostMath(f32="acoshf", f64="acosh"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_acosh, __nv_acoshf",
)
def acosh(x: Float) -> Float:
    """Inverse hyperbolic cosine, from 0; NaN below 1. GPU: at most 4 ulp (f32), 3 ulp (f64)."""
    return on_host(np.arccosh, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_atanhf", f64="__nv_atanh"), cpu=HostMath(f32="atanhf", f64="atanh"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_atanh, __nv_atanhf",
)
def atanh(x: Float) -> Float:
    """Inverse hyperbolic tangent; infinities at -1 and 1, NaN beyond. GPU: at most 3 ulp (f32), 2 ulp (f64)."""
    return on_host(np.arctanh, x)


def degrees(x: Float) -> Float:
    """An angle in radians as degrees: one product in the type of ``x``, at most 1.5 ulp."""
    return x * DEGREES_IN_RADIAN


def radians(x: Float) -> Float:
    """An angle in degrees as radians: one product in the type of ``x``, at most 1.5 ulp."""
    return x * RADIANS_IN_DEGREE
