"""Everything about the NVVM IR text that depends on libNVVM: all of it, only here.

One text serves every libNVVM from 12.4 on and every architecture: the LLVM 7 dialect with typed pointers. Newer
libNVVMs read it for compute_100 and later with a modern LLVM, which upgrades it; below, they keep LLVM 7. So the text
holds nothing that LLVM 7 lacks (``fneg``, ``freeze``, ``poison``, ``bfloat``, ``atomicrmw fadd``, ``fence seq_cst``,
``llvm.umin`` and other later intrinsics) and nothing that a modern LLVM reads differently (a kernel's struct arguments
are by value, not ``byval``, whose spelling differs).

Source: NVVM IR Specification 2.0, sections on data layout, address spaces, source level debugging and metadata.
"""
from __future__ import annotations

TRIPLE = "nvptx64-nvidia-cuda"
DATA_LAYOUT = (
    "e-p:64:64:64-p3:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)
# The version of the specification and of its debug metadata; libNVVM takes IR without it for 1.0 and refuses it.
IR_VERSION = "!{i32 2, i32 0, i32 3, i32 1}"
DEBUG_VERSION = '!{i32 2, !"Debug Info Version", i32 3}'

# Special registers that LLVM 7 has an intrinsic for. It takes an unknown one for an external function, silently.
REGISTER_INTRINSICS = frozenset(
    [f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
    + ["laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid", "warpsize", "clock", "clock64"]
    + [f"lanemask.{relation}" for relation in ("eq", "le", "lt", "ge", "gt")]
)

# Architectures of libNVVM 12 that libNVVM 13 dropped, and those that CUDA 13 knows by another number.
DROPPED_IN_13 = frozenset([50, 52, 53, 60, 61, 62, 70, 72])
RENAMED_IN_13 = {101: 110}
# Names that no released libNVVM takes.
NEVER_RELEASED = frozenset([73])
