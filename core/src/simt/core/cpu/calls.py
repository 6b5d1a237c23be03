"""Calls of intrinsics on the host: each kind of recipe, and the special registers."""
from __future__ import annotations

from typing import Any, assert_never

from simt.core.cpu.frame import record_field
from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.position import BlockPosition, ThreadPosition
from simt.core.errors import InternalCompilerError
from simt.core.intrinsics.declare import Intrinsic
from simt.core.intrinsics.recipe import Barrier, Body, Expand, HostMath, LlvmCall, PerLane, SpecialRegister
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.conversions import float_to_float
from simt.core.llvm.types import register_type
from simt.core.types import ScalarType, Type
from simt.core.types.scalar import BF16, F16, F32, F64

AnyIntrinsic = Intrinsic[Any, Any]  # Any: intrinsics of every signature

MATH_ATTRIBUTES = "nounwind willreturn memory(none)"
"""The C library's functions as we call them: ``errno`` is never read."""


def emit_call(
    ctx: FunctionContext, block: BlockPosition, thread: ThreadPosition | None, warp: Value | None,
    callee: AnyIntrinsic, arguments: tuple[Value, ...], types: tuple[Type, ...], result: Type | None,
) -> Value | None:
    """Emit a call. ``thread`` is None where the code runs once for a block, or for the warp numbered ``warp`` (i64)."""
    match callee.cpu:
        case SpecialRegister(name=name):
            return special_register(ctx, block, thread, warp, name)
        case LlvmCall(name=name, extra=extra):
            return _llvm_call(ctx, name, extra, arguments, types, result)
        case HostMath(f32=f32, f64=f64):
            return _math(ctx, f32, f64, arguments, types)
        case Expand(fn=expand):
            return expand(ctx.emitter, arguments, types, result)
        case Body() | PerLane() | Barrier():
            raise InternalCompilerError(f"{callee.name} reached the CPU back end as a plain call")
        case _:
            assert_never(callee.cpu)


def special_register(
    ctx: FunctionContext, block: BlockPosition, thread: ThreadPosition | None, warp: Value | None, name: str,
) -> Value:
    """The value (i32) of a PTX special register; ``warpid`` is the warp's number by linear thread index."""
    family, _, axis = name.partition(".")
    if family == "ntid" and ctx.kernel.block is not None:
        return integer(32, ctx.kernel.block["xyz".index(axis)])
    triples = {"ntid": block.dimension, "ctaid": block.index, "nctaid": block.grid}
    if family in triples:
        return triples[family]["xyz".index(axis)]
    emitter = ctx.emitter
    if name == "dynamic_smem_size":
        size = emitter.load("i64", record_field(emitter, block.record, LaunchField.SHARED_BYTES))
        return emitter.cast("trunc", size, "i32")
    if name == "nwarpid":
        rounded = emitter.binary("add", block.threads, integer(64, 31))
        return emitter.cast("trunc", emitter.binary("lshr", rounded, integer(64, 5)), "i32")
    if name == "warpid" and thread is None and warp is not None:
        return emitter.cast("trunc", warp, "i32")
    if thread is None:
        raise InternalCompilerError(f"%{name} was read where no single thread runs")
    match family:
        case "tid":
            return thread.index["xyz".index(axis)]
        case "laneid":
            return emitter.cast("trunc", emitter.binary("and", thread.linear, integer(64, 31)), "i32")
        case "warpid":
            return emitter.cast("trunc", emitter.binary("lshr", thread.linear, integer(64, 5)), "i32")
        case _:
            raise InternalCompilerError(f"the CPU target has no special register %{name}")


def _llvm_call(
    ctx: FunctionContext, name: str, extra: tuple[int | bool, ...], arguments: tuple[Value, ...],
    types: tuple[Type, ...], result: Type | None,
) -> Value | None:
    kind = "void" if result is None else register_type(ctx.module, result)
    text = name.format(*map(_suffix, types), result="" if result is None else _suffix(result))
    constants = [Value("i1", "true" if x else "false") if isinstance(x, bool) else integer(32, x) for x in extra]
    value = ctx.emitter.call(kind, text, [*arguments, *constants])
    return None if result is None else value


def _suffix(t: Type) -> str:
    """A type as LLVM's overloaded names spell it."""
    return {"bf16": "i16", "bool": "i1"}.get(str(t), str(t).replace("u", "i"))


def _math(
    ctx: FunctionContext, f32: str, f64: str, arguments: tuple[Value, ...], types: tuple[Type, ...],
) -> Value:
    """A C function on f32 or f64; f16 and bf16 compute in f32. Arguments that are not floats pass unchanged."""
    given = types[0]
    assert isinstance(given, ScalarType)
    wide = F32 if given in (F16, BF16) else given
    operands = [
        float_to_float(ctx, argument, t, wide) if isinstance(t, ScalarType) and t.is_float else argument
        for argument, t in zip(arguments, types, strict=True)
    ]
    kind = "double" if wide == F64 else "float"
    name = f64 if wide == F64 else f32
    value = ctx.emitter.call(kind, name, operands, MATH_ATTRIBUTES)
    return float_to_float(ctx, value, wide, given)
