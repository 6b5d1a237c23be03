"""The error function and the gamma function."""
from __future__ import annotations

import math

from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import HostMath, Libdevice
from simt.cuda_std.generics import Float
from simt.cuda_std.math import _host as host
from simt.cuda_std.math._host import on_host

FUSED = r"fma\.rn\.f(32|64)"


@intrinsic(
    gpu=Libdevice(f32="__nv_erff", f64="__nv_erf"), cpu=HostMath(f32="erff", f64="erf"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_erf, __nv_erff",
)
def erf(x: Float) -> Float:
    """The error function, from -1 to 1. GPU: at most 2 ulp (f32, f64)."""
    return on_host(math.erf, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_erfcf", f64="__nv_erfc"), cpu=HostMath(f32="erfcf", f64="erfc"), ptx=FUSED, since=Sm(50),
    source="libdevice User's Guide: __nv_erfc, __nv_erfcf",
)
def erfc(x: Float) -> Float:
    """``1 - erf(x)``, accurate where that is small. GPU: at most 4 ulp (f32), 5 ulp (f64)."""
    return on_host(math.erfc, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_tgammaf", f64="__nv_tgamma"), cpu=HostMath(f32="tgammaf", f64="tgamma"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_tgamma, __nv_tgammaf",
)
def gamma(x: Float) -> Float:
    """The gamma function; an infinity of its sign at a zero, NaN at negative integers and -inf.

    Overflows to inf above 35.04 (f32), 171.6 (f64). GPU: at most 5 ulp (f32), 10 ulp (f64).
    """
    return on_host(host.gamma, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_lgammaf", f64="__nv_lgamma"), cpu=HostMath(f32="lgammaf", f64="lgamma"), ptx=FUSED,
    since=Sm(50), source="libdevice User's Guide: __nv_lgamma, __nv_lgammaf",
)
def lgamma(x: Float) -> Float:
    """Natural logarithm of ``abs(gamma(x))``; inf at zeros, negative integers and both infinities.

    GPU: at most 6 ulp (f32) outside -10.001 to -2.264, 4 ulp (f64) outside -23.0001 to -2.2637; more inside, next to
    the zeros of the function.
    """
    return on_host(host.lgamma, x)
