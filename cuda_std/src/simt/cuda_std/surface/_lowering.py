"""Surface accesses as PTX: untyped bits, the index x in bytes.

PTX ISA, Surface Instructions: suld.b, sust.b. Unified mode: the operand is the 64-bit surface object. A 3-D index is a
vector of four whose last is ignored.
"""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.types import register_type, scalar_type
from simt.core.types import ImageType, ScalarType, Type
from simt.core.types.layout import size_of
from simt.cuda_std.surface._boundary import Boundary
from simt.cuda_std.texture._lowering import narrow_index

Values = tuple[Value, ...]
Types = tuple[Type, ...]


def load(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """A texel of arguments (surface, x, ..., boundary)."""
    image = types[0]
    assert isinstance(image, ImageType)
    width, letter, bits = _register(image.channel)
    count = image.channels
    results = [f"${position}" for position in range(count)]
    text = f"suld.b.{_form(image, arguments[-1])} {{{', '.join(results)}}}, {_place(image, count)};"
    held = width if count == 1 else f"{{ {', '.join([width] * count)} }}"
    indices = _indices(emitter, image, arguments)
    constraints = ",".join([f"={letter}"] * count + ["l"] + ["r"] * len(indices) + ["~{memory}"])
    operands = ", ".join(map(str, (arguments[0], *indices)))
    read = emitter.let(held, f'call {held} asm sideeffect "{text}", "{constraints}"({operands})')
    parts = [read] if count == 1 else [emitter.extract(read, position, width) for position in range(count)]
    channels = [
        emitter.cast("bitcast", emitter.cast("trunc", part, bits), scalar_type(image.channel)) for part in parts
    ]
    if count == 1:
        return channels[0]
    vector = register_type(emitter.module, image.element)
    value = Value(vector, "undef")
    for position, channel in enumerate(channels):
        value = emitter.let(vector, f"insertelement {value}, {channel}, i32 {position}")
    return value


def store(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> None:
    """Write a texel of arguments (surface, x, ..., value, boundary)."""
    image = types[0]
    assert isinstance(image, ImageType)
    width, letter, bits = _register(image.channel)
    count, value = image.channels, arguments[-2]
    kind = scalar_type(image.channel)
    channels = [value] if count == 1 else [
        emitter.let(kind, f"extractelement {value}, i32 {position}") for position in range(count)
    ]
    words = [emitter.cast("zext", emitter.cast("bitcast", channel, bits), width) for channel in channels]
    indices = _indices(emitter, image, arguments)
    given = [f"${len(indices) + 1 + position}" for position in range(count)]
    text = f"sust.b.{_form(image, arguments[-1])} {_place(image, 0)}, {{{', '.join(given)}}};"
    constraints = ",".join(["l"] + ["r"] * len(indices) + [letter] * count + ["~{memory}"])
    operands = ", ".join(map(str, (arguments[0], *indices, *words)))
    emitter.do(f'call void asm sideeffect "{text}", "{constraints}"({operands})')


def _form(image: ImageType, boundary: Value) -> str:
    """``2d.v4.b32.trap``: geometry, vector, width of a channel, what happens outside."""
    vector = "" if image.channels == 1 else f".v{image.channels}"
    return f"{max(2, image.ndim)}d{vector}.b{image.channel.bits}.{Boundary(int(boundary.text)).name.lower()}"


def _place(image: ImageType, first: int) -> str:
    """The surface and the indices as operands of the text, from number ``first`` on."""
    names = [f"${first + 1 + axis}" for axis in range(max(2, image.ndim))]
    return f"[${first}, {{{', '.join([*names, names[-1]] if image.ndim == 3 else names)}}}]"


def _indices(emitter: Emitter, image: ImageType, arguments: Values) -> list[Value]:
    """The indices as i32, x in bytes."""
    x, *others = [narrow_index(emitter, index) for index in arguments[1 : 1 + image.ndim]]
    row = [Value("i32", "0")] if image.ndim == 1 else []  # an image of one axis is a plane of one row
    return [emitter.binary("mul", x, Value("i32", str(size_of(image.element)))), *others, *row]


def _register(channel: ScalarType) -> tuple[str, str, str]:
    """The register of one channel as LLVM's type and constraint, and the integer with the channel's bits.

    PTX has no 8-bit registers: a byte is the low half of a 16-bit one.
    """
    return ("i32", "r", "i32") if channel.bits == 32 else ("i16", "h", f"i{channel.bits}")
