"""The simt language, its compiler, and launches: the public names."""
from typing import TYPE_CHECKING

from simt.core.annotations import D1, D2, D3, Const, DisjointOut, In, InOut, Out, Ptr, Strided, Surface, Texture
from simt.core.device import Device, DeviceArray, Event, Graph, GraphRun, Stream, default_device
from simt.core.errors import (
    CompileError,
    DeviceFault,
    DriverError,
    InternalCompilerError,
    LaunchError,
    SimtError,
    UnavailableError,
)
from simt.core.forms import (
    address_of,
    bitcast,
    cfg,
    dynamic_shared,
    fault,
    local_array,
    own_index,
    shared_array,
    static_assert,
    static_range,
)
from simt.core.kernel import Kernel, kernel
from simt.core.kernel_warnings import CacheWarning, CompileWarning, SpillWarning
from simt.core.launch import Launch
from simt.core.options import Options
from simt.core.runtime.cpu_array import CpuArray
from simt.core.runtime.cpu_device import CpuDevice
from simt.core.scalars import bf16, c64, c128, f16, f32, f64, i8, i16, i32, i64, i128, u8, u16, u32, u64, u128
from simt.core.struct import struct
from simt.core.vectors import (
    f16x2,
    f16x3,
    f16x4,
    f32x2,
    f32x3,
    f32x4,
    f64x2,
    f64x3,
    f64x4,
    i8x2,
    i8x3,
    i8x4,
    i16x2,
    i16x3,
    i16x4,
    i32x2,
    i32x3,
    i32x4,
    i64x2,
    i64x3,
    i64x4,
    u8x2,
    u8x3,
    u8x4,
    u16x2,
    u16x3,
    u16x4,
    u32x2,
    u32x3,
    u32x4,
    u64x2,
    u64x3,
    u64x4,
)

if TYPE_CHECKING:
    from simt.core.compiled import Compiled, Resources
else:

    def __getattr__(name: str) -> object:
        """``Compiled`` and ``Resources``, whose module is imported by those who name them only."""
        if name in ("Compiled", "Resources"):
            from simt.core import compiled

            return getattr(compiled, name)
        raise AttributeError(f"module 'simt.core' has no attribute {name!r}")


__all__ = [
    # kernels and launches
    "kernel", "Kernel", "Launch", "Options", "Compiled", "Resources",
    # annotations
    "In", "Out", "InOut", "DisjointOut", "Ptr", "Const", "D1", "D2", "D3", "Strided",
    "Texture", "Surface",
    # types
    "bf16", "c64", "c128", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128",
    "struct",
    "f16x2", "f16x3", "f16x4", "f32x2", "f32x3", "f32x4", "f64x2", "f64x3", "f64x4", "i8x2", "i8x3", "i8x4", "i16x2",
    "i16x3", "i16x4", "i32x2", "i32x3", "i32x4", "i64x2", "i64x3", "i64x4", "u8x2", "u8x3", "u8x4", "u16x2", "u16x3",
    "u16x4", "u32x2", "u32x3", "u32x4", "u64x2", "u64x3", "u64x4",
    # language forms
    "static_range", "static_assert", "cfg", "shared_array", "dynamic_shared", "local_array", "address_of", "bitcast",
    "own_index", "fault",
    # devices
    "default_device", "Device", "DeviceArray", "Stream", "Event", "Graph", "GraphRun", "CpuDevice", "CpuArray",
    # errors and warnings
    "SimtError", "CompileError", "LaunchError", "UnavailableError", "DriverError", "DeviceFault",
    "InternalCompilerError", "CompileWarning", "SpillWarning", "CacheWarning",
]
