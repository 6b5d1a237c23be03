"""Array views: taking one apart, building one, and the address of an element."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.llvm.builder import Value
from simt.core.llvm.constants import integer
from simt.core.llvm.context import FunctionContext
from simt.core.llvm.types import memory_type, register_type
from simt.core.types import ArrayType


@dataclass(frozen=True, slots=True)
class View:
    """An array operand: a value, or the slot of a local, of which only the parts asked for are loaded."""

    type: ArrayType
    value: Value
    in_slot: bool

    def part(self, ctx: FunctionContext, position: int) -> Value:
        """Member ``position`` of the view's struct: 0 is the pointer, then run-time extents, then strides."""
        kind = _pointer_type(ctx, self.type) if position == 0 else "i64"
        if not self.in_slot:
            return ctx.emitter.extract(self.value, position, kind)
        struct = register_type(ctx.module, self.type)
        return ctx.emitter.load(kind, ctx.emitter.member_pointer(struct, self.value, integer(32, position), kind))

    def pointer(self, ctx: FunctionContext) -> Value:
        """The address of element 0."""
        return self.part(ctx, 0)

    def extent(self, ctx: FunctionContext, axis: int) -> Value:
        """Length of ``axis`` (i64). Where index values are known to fit in 32 bits, LLVM is told so."""
        known = self.type.shape[axis]
        if known is not None:
            return integer(64, known)
        position = 1 + sum(extent is None for extent in self.type.shape[:axis])
        return fit(ctx, self.part(ctx, position))

    def stride(self, ctx: FunctionContext, axis: int) -> Value:
        """Distance of neighbours along ``axis`` of a strided array, in elements (i64)."""
        assert self.type.strided
        runtime = sum(extent is None for extent in self.type.shape)
        return self.part(ctx, 1 + runtime + axis)


def make_view(ctx: FunctionContext, t: ArrayType, pointer: Value, extents: list[Value], strides: list[Value]) -> Value:
    """The operand of a view from its pointer, run-time extents and strides."""
    value = Value(register_type(ctx.module, t), "undef")
    for position, part in enumerate([pointer, *extents, *strides]):
        value = ctx.emitter.insert(value, part, position)
    return value


def sub_view(ctx: FunctionContext, t: ArrayType, view: View, indices: list[Value]) -> Value:
    """The view (of type ``t``) left when the leading axes are fixed at ``indices``."""
    pointer = element_address(ctx, view, indices)
    rest = range(len(indices), view.type.ndim)
    extents = [view.extent(ctx, axis) for axis in rest if view.type.shape[axis] is None]
    strides = [view.stride(ctx, axis) for axis in rest] if t.strided else []
    return make_view(ctx, t, pointer, extents, strides)


def element_address(ctx: FunctionContext, view: View, indices: list[Value]) -> Value:
    """Pointer to the element at ``indices``, zeros standing for the axes left out."""
    t, emitter = view.type, ctx.emitter
    if t.strided:
        products = [emitter.binary("mul", index, view.stride(ctx, axis)) for axis, index in enumerate(indices)]
        linear = products[0]
        for product in products[1:]:
            linear = emitter.binary("add", linear, product)
    else:
        linear = _row_major(ctx, view, indices)
    return emitter.element_pointer(memory_type(ctx.module, t.element), view.pointer(ctx), linear, t.space)


def fit(ctx: FunctionContext, value: Value) -> Value:
    """An i64 index value; where it is known to fit in 32 bits, cut and extended, so that LLVM computes with 32."""
    if not ctx.small or value.text.lstrip("-").isdigit():
        return value
    return ctx.emitter.cast("sext", ctx.emitter.cast("trunc", value, "i32"), "i64")


def _row_major(ctx: FunctionContext, view: View, indices: list[Value]) -> Value:
    """``(i0 * extent1 + i1) * extent2 + ...``, in 32 bits where the result is known to fit.

    Indices are in bounds here: checked, or undefined otherwise. So no step exceeds the result, and none wraps.
    """
    emitter, bits = ctx.emitter, 32 if ctx.small else 64

    def narrow(value: Value) -> Value:
        if value.text.lstrip("-").isdigit():
            return integer(bits, int(value.text))
        return emitter.cast("trunc", value, f"i{bits}")

    linear = narrow(indices[0])
    for axis in range(1, view.type.ndim):
        linear = emitter.binary("mul nuw nsw", linear, narrow(view.extent(ctx, axis)))
        if axis < len(indices):
            linear = emitter.binary("add nuw nsw", linear, narrow(indices[axis]))
    if linear.text.lstrip("-").isdigit():
        return integer(64, int(linear.text))
    return emitter.cast("sext", linear, "i64")


def _pointer_type(ctx: FunctionContext, t: ArrayType) -> str:
    return ctx.module.pointer(memory_type(ctx.module, t.element), t.space)
