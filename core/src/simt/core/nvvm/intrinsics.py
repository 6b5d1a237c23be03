"""Recipes to NVVM IR."""
from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from simt.core.errors import InternalCompilerError
from simt.core.intrinsics.declare import Behavior
from simt.core.intrinsics.recipe import Body, Expand, InlinePtx, Libdevice, LlvmCall, SpecialRegister
from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.conversions import convert
from simt.core.llvm.types import register_type
from simt.core.nvvm.dialect import REGISTER_INTRINSICS
from simt.core.types import ScalarType, Type
from simt.core.types.scalar import BF16, F16, F32, F64

if TYPE_CHECKING:
    from simt.core.check.tir import AnyIntrinsic

# libdevice's approximations, which compile to one or few instructions; nvcc --use_fast_math makes the same choice.
_FAST = {
    f"__nv_{name}f": f"__nv_fast_{name}f"
    for name in ("sin", "cos", "tan", "exp", "exp10", "log", "log2", "log10", "pow")
}


def emit_intrinsic(
    ctx: FunctionContext, callee: AnyIntrinsic, arguments: tuple[Value, ...], types: tuple[Type, ...],
    result: Type | None,
) -> Value | None:
    """The call of ``callee``; None where it gives nothing."""
    recipe = callee.gpu
    kind = "void" if result is None else register_type(ctx.module, result)
    match recipe:
        case LlvmCall(name=name, extra=extra):
            trailing = [_trailing(value) for value in extra]
            value = ctx.emitter.call(kind, _named(name, types, result), (*arguments, *trailing))
        case Libdevice():
            assert isinstance(result, ScalarType)
            value = _libdevice(ctx, recipe, arguments, types, result)
        case SpecialRegister(name=name):
            assert isinstance(result, ScalarType)
            value = special_register(ctx, name, result)
        case InlinePtx():
            collective = callee.behavior in (Behavior.WARP, Behavior.BLOCK)
            value = _inline_ptx(ctx, recipe, arguments, kind, convergent=collective)
        case Expand(fn=fn):
            expanded = fn(ctx.emitter, arguments, types, result)
            value = Value("void", "") if expanded is None else expanded
        case Body():
            raise InternalCompilerError(f"{callee.name} is a device function that was not inlined")
        case _:
            assert_never(recipe)
    return None if result is None else value


def special_register(ctx: FunctionContext, name: str, result: ScalarType) -> Value:
    """``%name``, by intrinsic where LLVM 7 has one, which lets it know the value's range, else by inline PTX."""
    family, _, axis = name.partition(".")
    if family == "ntid" and ctx.kernel.block is not None:
        return integer(result.bits, ctx.kernel.block["xyz".index(axis)])
    kind = f"i{result.bits}"
    if name in REGISTER_INTRINSICS:
        return ctx.emitter.call(kind, f"llvm.nvvm.read.ptx.sreg.{name}", ())
    letter = {32: "r", 64: "l"}[result.bits]
    return ctx.emitter.let(kind, f'call {kind} asm sideeffect "mov.b{result.bits} $0, %{name};", "={letter}"()')


def _libdevice(
    ctx: FunctionContext, recipe: Libdevice, arguments: tuple[Value, ...], types: tuple[Type, ...], result: ScalarType,
) -> Value:
    """Narrow floats are widened to f32 and the result is rounded back, once."""
    first = types[0]
    assert isinstance(first, ScalarType)
    name = recipe.f64 if first == F64 else recipe.f32
    if ctx.options.fast_math:
        name = _FAST.get(name, name)
    wide = tuple(_widened(ctx, value, t) for value, t in zip(arguments, types, strict=True))
    narrow = result in (F16, BF16)
    value = ctx.emitter.call(register_type(ctx.module, F32 if narrow else result), name, wide, "nounwind readnone")
    return convert(ctx, value, F32, result) if narrow else value


def _widened(ctx: FunctionContext, value: Value, t: Type) -> Value:
    return convert(ctx, value, t, F32) if isinstance(t, ScalarType) and t in (F16, BF16) else value


def _inline_ptx(
    ctx: FunctionContext, recipe: InlinePtx, arguments: tuple[Value, ...], kind: str, *, convergent: bool,
) -> Value:
    constraints = recipe.constraints
    if recipe.effects:
        constraints += ",~{memory}" if constraints else "~{memory}"
    text = "".join(character if character not in '"\\\n' else f"\\{ord(character):02X}" for character in recipe.text)
    call = (
        f'call {kind} asm {"sideeffect " if recipe.effects else ""}"{text}", "{constraints}"'
        f"({', '.join(map(str, arguments))}){' convergent' if convergent else ''}"
    )
    if kind == "void":
        ctx.emitter.do(call)
        return Value("void", "")
    return ctx.emitter.let(kind, call)


def _named(name: str, types: tuple[Type, ...], result: Type | None) -> str:
    """``name`` with ``{0}`` and ``{result}`` replaced by LLVM's suffixes of the types."""
    suffixes = [_suffix(t) for t in types if isinstance(t, ScalarType)]
    return name.format(*suffixes, result=_suffix(result) if isinstance(result, ScalarType) else "")


def _suffix(t: ScalarType) -> str:
    return f"f{t.bits}" if t.is_float and t != BF16 else f"i{t.bits}"


def _trailing(value: int | bool) -> Value:
    return Value("i1", "true" if value else "false") if isinstance(value, bool) else integer(32, value)
