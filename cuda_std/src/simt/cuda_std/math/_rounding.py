"""Rounding to integers, remainders, and operations on sign, exponent and neighbours.

All are exact but ``fma`` and ``ldexp``, which round once.
"""
from __future__ import annotations

import math

import numpy as np

from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import Expand, HostMath, Libdevice
from simt.core.llvm.builder import Emitter, Value
from simt.core.scalars import i32
from simt.core.types import Type
from simt.cuda_std.generics import Float, FullFloat
from simt.cuda_std.math import _host as host
from simt.cuda_std.math._host import on_host


@intrinsic(
    gpu=Libdevice(f32="__nv_floorf", f64="__nv_floor"), cpu=HostMath(f32="llvm.floor.f32", f64="llvm.floor.f64"),
    ptx=r"cvt\.rmi", since=Sm(50), source="libdevice User's Guide: __nv_floor, __nv_floorf",
)
def floor(x: Float) -> Float:
    """The largest integer not above ``x``, as a float of its type; infinities and NaN stay."""
    return on_host(np.floor, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_ceilf", f64="__nv_ceil"), cpu=HostMath(f32="llvm.ceil.f32", f64="llvm.ceil.f64"),
    ptx=r"cvt\.rpi", since=Sm(50), source="libdevice User's Guide: __nv_ceil, __nv_ceilf",
)
def ceil(x: Float) -> Float:
    """The smallest integer not below ``x``, as a float of its type; infinities and NaN stay."""
    return on_host(np.ceil, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_truncf", f64="__nv_trunc"), cpu=HostMath(f32="llvm.trunc.f32", f64="llvm.trunc.f64"),
    ptx=r"cvt\.rzi", since=Sm(50), source="libdevice User's Guide: __nv_trunc, __nv_truncf",
)
def trunc(x: Float) -> Float:
    """``x`` without its fraction, as a float of its type; infinities and NaN stay."""
    return on_host(np.trunc, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_rintf", f64="__nv_rint"), cpu=HostMath(f32="llvm.rint.f32", f64="llvm.rint.f64"),
    ptx=r"cvt\.rni", since=Sm(50), source="libdevice User's Guide: __nv_rint, __nv_rintf",
)
def rint(x: Float) -> Float:
    """The integer nearest to ``x``, halves to even, as a float of its type; infinities and NaN stay."""
    return on_host(np.rint, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_fabsf", f64="__nv_fabs"), cpu=HostMath(f32="llvm.fabs.f32", f64="llvm.fabs.f64"),
    ptx=r"abs(\.ftz)?\.f(32|64)", since=Sm(50), source="libdevice User's Guide: __nv_fabs, __nv_fabsf",
)
def fabs(x: Float) -> Float:
    """``x`` with its sign cleared, zeros and NaN too."""
    return on_host(np.fabs, x)


@intrinsic(
    gpu=Libdevice(f32="__nv_copysignf", f64="__nv_copysign"),
    cpu=HostMath(f32="llvm.copysign.f32", f64="llvm.copysign.f64"), ptx="", since=Sm(50),
    source="libdevice User's Guide: __nv_copysign, __nv_copysignf",
)
def copysign(x: Float, y: Float) -> Float:
    """The magnitude of ``x`` with the sign of ``y``, zeros and NaN too."""
    return on_host(np.copysign, x, y)


@intrinsic(
    gpu=Libdevice(f32="__nv_fmodf", f64="__nv_fmod"), cpu=HostMath(f32="fmodf", f64="fmod"), ptx="", since=Sm(50),
    source="libdevice User's Guide: __nv_fmod, __nv_fmodf",
)
def fmod(x: Float, y: Float) -> Float:
    """``x - n * y`` for the integer n nearest to ``x / y`` toward zero: the sign is that of ``x``, unlike ``x % y``.

    NaN for an infinite ``x`` or a zero ``y``; ``x`` itself for an infinite ``y``.
    """
    return on_host(np.fmod, x, y)


@intrinsic(
    gpu=Libdevice(f32="__nv_remainderf", f64="__nv_remainder"), cpu=HostMath(f32="remainderf", f64="remainder"), ptx="",
    since=Sm(50), source="libdevice User's Guide: __nv_remainder, __nv_remainderf",
)
def remainder(x: Float, y: Float) -> Float:
    """``x - n * y`` for the integer n nearest to ``x / y``, halves to even.

    NaN for an infinite ``x`` or a zero ``y``; ``x`` itself for an infinite ``y``.
    """
    return on_host(host.remainder, x, y)


@intrinsic(
    gpu=Libdevice(f32="__nv_fmaf", f64="__nv_fma"), cpu=HostMath(f32="llvm.fma.f32", f64="llvm.fma.f64"),
    ptx=r"fma\.rn(\.ftz)?\.f(32|64)", since=Sm(50), source="libdevice User's Guide: __nv_fma, __nv_fmaf",
)
def fma(x: FullFloat, y: FullFloat, z: FullFloat) -> FullFloat:
    """``x * y + z`` with one rounding."""
    return host.fma(x, y, z)


@intrinsic(
    gpu=Libdevice(f32="__nv_ldexpf", f64="__nv_ldexp"), cpu=HostMath(f32="ldexpf", f64="ldexp"), ptx="", since=Sm(50),
    source="libdevice User's Guide: __nv_ldexp, __nv_ldexpf",
)
def ldexp(x: Float, exponent: i32) -> Float:
    """``x * 2**exponent``, rounded once where the result is subnormal; overflows to an infinity."""
    return on_host(host.ldexp, x, exponent)


def _expand_ilogb(
    emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> Value:
    """The C library's function; an ``Expand`` because its result is no float."""
    name = "ilogb" if arguments[0].type == "double" else "ilogbf"
    return emitter.call("i32", name, arguments, "nounwind willreturn memory(none)")


@intrinsic(
    gpu=Libdevice(f32="__nv_ilogbf", f64="__nv_ilogb"), cpu=Expand(_expand_ilogb), ptx="", since=Sm(50),
    source="libdevice User's Guide: __nv_ilogb, __nv_ilogbf",
)
def ilogb(x: FullFloat) -> i32:
    """The exponent of ``x``: n where ``2**n <= abs(x) < 2**(n + 1)``, subnormals too. ``x`` is finite and not zero."""
    return i32(math.frexp(float(x))[1] - 1)


def frexp(x: FullFloat) -> tuple[FullFloat, i32]:
    """(m, n) with ``x == m * 2**n`` and ``0.5 <= abs(m) < 1``; (x, 0) for zeros, infinities and NaN."""
    if x == 0 or not fabs(x) < math.inf:
        return x, i32(0)
    exponent = ilogb(x) + 1
    # Two steps: the power of two that lifts the least subnormal is itself out of range.
    half = exponent >> 1
    return ldexp(ldexp(x, -half), half - exponent), exponent


def modf(x: Float) -> tuple[Float, Float]:
    """(fraction, whole), both with the sign of ``x``; an infinity has the fraction 0."""
    whole = trunc(x)
    fraction = x - whole if fabs(x) != math.inf else 0.0
    return copysign(fraction, x), whole


@intrinsic(
    gpu=Libdevice(f32="__nv_nextafterf", f64="__nv_nextafter"), cpu=HostMath(f32="nextafterf", f64="nextafter"), ptx="",
    since=Sm(50), source="libdevice User's Guide: __nv_nextafter, __nv_nextafterf",
)
def nextafter(x: FullFloat, y: FullFloat) -> FullFloat:
    """The neighbour of ``x`` toward ``y``; ``y`` if they are equal."""
    return host.nextafter(x, y)
