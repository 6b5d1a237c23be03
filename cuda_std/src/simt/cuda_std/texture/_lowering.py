"""Texture reads as PTX. Every read gives four 32-bit registers, of which the texture's channels are taken.

PTX ISA, Texture Instructions: tex. Unified mode: the operand is the 64-bit texture object. A 3-D coordinate is a vector
of four whose last is ignored. An image of one axis is a plane of one row: the hardware reads texels by whole indices
from planes, not from rows.
"""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.types import register_type, scalar_type
from simt.core.types import ImageType, Kind, ScalarType, Type

Values = tuple[Value, ...]
Types = tuple[Type, ...]
FARTHEST = 1 << 26  # beyond every image, and the bytes of so many texels fit an i32
LETTERS = {"float": "f", "i32": "r"}


def fetch(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """A read at f32 coordinates."""
    return _read(emitter, arguments, types[0], "f32")


def load(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """A read at whole coordinates, which are texels."""
    indices = [narrow_index(emitter, index) for index in arguments[1:]]
    return _read(emitter, (arguments[0], *indices), types[0], "s32")


def narrow_index(emitter: Emitter, index: Value) -> Value:
    """An i64 index as the i32 that the hardware takes; what lies far outside stays outside."""
    for comparison, bound in (("icmp slt", -FARTHEST), ("icmp sgt", FARTHEST)):
        limit = Value(index.type, str(bound))
        index = emitter.select(emitter.compare(comparison, index, limit), limit, index)
    return emitter.cast("trunc", index, "i32")


def _read(emitter: Emitter, arguments: Values, image: Type, coordinate: str) -> Value:
    assert isinstance(image, ImageType)
    channel = image.channel
    register = "float" if channel.is_float else "i32"
    kind = {Kind.FLOAT: "f32", Kind.SIGNED: "s32"}.get(channel.kind, "u32")
    if image.ndim == 1:  # one row of a plane
        arguments = (*arguments, Value("float", "0.5") if coordinate == "f32" else Value("i32", "0"))
    axes = len(arguments) - 1
    places = [f"${4 + position}" for position in range(1, axes + 1)]
    vector = ", ".join([*places, places[-1]] if axes == 3 else places)
    text = f"tex.{axes}d.v4.{kind}.{coordinate} {{$0, $1, $2, $3}}, [$4, {{{vector}}}];"
    letter, where = LETTERS[register], LETTERS["float" if coordinate == "f32" else "i32"]
    constraints = ",".join([f"={letter}"] * 4 + ["l"] + [where] * axes)
    four = f"{{ {', '.join([register] * 4)} }}"
    operands = ", ".join(map(str, arguments))
    read = emitter.let(four, f'call {four} asm "{text}", "{constraints}"({operands})')
    words = [emitter.extract(read, position, register) for position in range(image.channels)]
    parts = [_narrowed(emitter, word, channel) for word in words]
    if image.channels == 1:
        return parts[0]
    held = register_type(emitter.module, image.element)
    value = Value(held, "undef")
    for position, part in enumerate(parts):
        value = emitter.let(held, f"insertelement {value}, {part}, i32 {position}")
    return value


def _narrowed(emitter: Emitter, value: Value, channel: ScalarType) -> Value:
    return value if channel.bits == 32 else emitter.cast("trunc", value, scalar_type(channel))
