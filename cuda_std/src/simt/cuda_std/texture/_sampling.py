"""What a texture read means, computed from the image's description: the CPU target compiles it, tests run it.

CUDA C++ Programming Guide, Texture Fetching. Weights of linear filtering have 8 bits of fraction; how they are rounded
where two or three axes meet is what the hardware of compute capability 9.0 was seen to do.
"""
from __future__ import annotations

from typing import Any

from simt.core.annotations import Ptr
from simt.core.forms import bitcast, local_array
from simt.core.image_description import Address, Filter, Format, ImageDescription
from simt.core.scalars import f16, f32, i8, i16, i32, i64, u8, u16, u64
from simt.cuda_std.math import floor

FARTHEST = 4194304.0  # beyond every image, and 256 times it fits an i32


def sample(texture: Any, x: f32, y: f32, z: f32) -> Any:  # Any: a texture, and what a read of it gives
    """The value at a position; axes that the texture lacks are ignored."""
    described = bitcast(bitcast(texture, u64), Ptr[ImageDescription])
    linear = described[0].filter == Filter.LINEAR
    column = _fixed(x, described[0].width, described[0].address_x, described[0].normalized != 0, linear)
    row, plane = i32(0), i32(0)
    if texture.ndim > 1:
        row = _fixed(y, described[0].height, described[0].address_y, described[0].normalized != 0, linear)
    if texture.ndim > 2:
        plane = _fixed(z, described[0].depth, described[0].address_z, described[0].normalized != 0, linear)
    if texture.channel_dtype is f32:
        if linear:
            return _blended(texture, column, row, plane)
    return _nearest(texture, column >> 8, row >> 8, plane >> 8)


def texel(texture: Any, x: i64, y: i64, z: i64) -> Any:  # Any: as sample
    """The texel at whole indices, zero outside the image."""
    described = bitcast(bitcast(texture, u64), Ptr[ImageDescription])
    inside = 0 <= x < described[0].width and 0 <= y < described[0].height and 0 <= z < described[0].depth
    values = local_array(texture.channel_dtype, texture.channels)
    for channel in range(texture.channels):
        values[channel] = _channel(texture, x, y, z, channel) if inside else texture.channel_dtype(0)
    return _gathered(texture, values)


def _fixed(position: f32, extent: i32, mode: i32, normalized: bool, linear: bool) -> i32:
    """A position in texels times 256: for filtering the lower texel and the weight of the upper one, else whole."""
    at = position
    if normalized:
        if mode == Address.WRAP:
            at = at - floor(at)
        elif mode == Address.MIRROR:
            at = at - 2.0 * floor(0.5 * at)
        at = at * f32(extent)
    if at != at:  # not a number, or infinite where coordinates repeat
        at = 0.0
    at = min(max(at, -FARTHEST), FARTHEST)
    if not linear:
        return i32(floor(at)) << 8
    fixed = i32(floor((at - 0.5) * 256.0 + 0.5))
    return min(max(fixed, 0), (extent - 1) << 8) if mode == Address.CLAMP else fixed


def _placed(index: i32, extent: i32, mode: i32) -> i32:
    """The texel that an index along one axis means; -1 where it means the border."""
    if mode == Address.WRAP:
        return index % extent
    if mode == Address.MIRROR:
        around = index % (2 * extent)
        return around if around < extent else 2 * extent - 1 - around
    if mode == Address.CLAMP:
        return min(max(index, 0), extent - 1)
    return index if 0 <= index < extent else -1


def _nearest(texture: Any, x: i32, y: i32, z: i32) -> Any:  # Any: as sample
    """The texel at indices that may lie outside; the border of an image that is read as integers is zero."""
    described = bitcast(bitcast(texture, u64), Ptr[ImageDescription])
    column = _placed(x, described[0].width, described[0].address_x)
    row = _placed(y, described[0].height, described[0].address_y)
    plane = _placed(z, described[0].depth, described[0].address_z)
    inside = column >= 0 and row >= 0 and plane >= 0
    values = local_array(texture.channel_dtype, texture.channels)
    for channel in range(texture.channels):
        if inside:
            values[channel] = _channel(texture, column, row, plane, channel)
        elif texture.channel_dtype is f32:
            values[channel] = described[0].border[channel]
        else:
            values[channel] = 0
    return _gathered(texture, values)


def _blended(texture: Any, column: i32, row: i32, plane: i32) -> Any:  # Any: as sample
    """The weighted sum of the texels around a position of 1/256 texels."""
    described = bitcast(bitcast(texture, u64), Ptr[ImageDescription])
    sums = local_array(f32, texture.channels)
    for channel in range(texture.channels):
        sums[channel] = 0.0
    for corner in range(1 << texture.ndim):
        x = _placed((column >> 8) + (corner & 1), described[0].width, described[0].address_x)
        y, z = i32(0), i32(0)
        if texture.ndim > 1:
            y = _placed((row >> 8) + (corner >> 1 & 1), described[0].height, described[0].address_y)
        if texture.ndim > 2:
            z = _placed((plane >> 8) + (corner >> 2), described[0].depth, described[0].address_z)
        inside = x >= 0 and y >= 0 and z >= 0
        weight = f32(_weight(column & 255, row & 255, plane & 255, corner)) * 0.00390625
        for channel in range(texture.channels):
            if inside:
                sums[channel] += weight * _stored(_row(texture, y, z), _place(texture, x, channel), described[0].format)
            else:
                sums[channel] += weight * (described[0].border[channel] * _largest(described[0].format))
    for channel in range(texture.channels):
        sums[channel] = _rounded(sums[channel], described[0].format)
    return _gathered(texture, sums)


def _gathered(texture: Any, values: Any) -> Any:  # Any: as sample
    """The channels as one value."""
    if texture.channels == 1:
        return values[0]
    if texture.channels == 2:
        return texture.dtype(values[0], values[1])
    return texture.dtype(values[0], values[1], values[2], values[3])


def _weight(across: i32, down: i32, deep: i32, corner: i32) -> i32:
    """The weight of a corner in 1/256, of the fractions along x, y and z.

    The hardware shares 256 out between the planes, each part between the columns, each of these between the rows, and
    rounds every share to a whole number: halves go to the right column, and to the outer rows of the right and the
    inner rows of the left one.
    """
    plane = deep if corner & 4 != 0 else 256 - deep
    right = (plane * across + 128) >> 8
    column = right if corner & 1 != 0 else plane - right
    lower = (column * down + (128 if corner & 1 != 0 else 127)) >> 8
    return lower if corner & 2 != 0 else column - lower


def _row(texture: Any, y: i64, z: i64) -> u64:  # Any: as sample
    """The address of the first texel of a row."""
    described = bitcast(bitcast(texture, u64), Ptr[ImageDescription])
    return described[0].data + u64(z * described[0].plane_bytes + y * described[0].row_bytes)


def _place(texture: Any, x: i64, channel: i32) -> i64:  # Any: as sample
    """The position of a channel in its row, in channels."""
    return x * texture.channels + channel


def _channel(texture: Any, x: i64, y: i64, z: i64, channel: i32) -> Any:  # Any: as sample
    """One channel of a texel inside the image, as a read gives it: integers read as f32 are fractions, at least -1."""
    described = bitcast(bitcast(texture, u64), Ptr[ImageDescription])
    start, place = _row(texture, y, z), _place(texture, x, channel)
    if texture.channel_dtype is not f32:
        return bitcast(start, Ptr[texture.channel_dtype])[place]
    value = _stored(start, place, described[0].format) / _largest(described[0].format)
    return max(value, -1.0) if described[0].format < Format.U32 else value


def _stored(start: u64, place: i64, format: i32) -> f32:
    """The number in memory."""
    if format == Format.F32:
        return bitcast(start, Ptr[f32])[place]
    if format == Format.F16:
        return f32(bitcast(start, Ptr[f16])[place])
    if format == Format.U8:
        return f32(bitcast(start, Ptr[u8])[place])
    if format == Format.I8:
        return f32(bitcast(start, Ptr[i8])[place])
    if format == Format.U16:
        return f32(bitcast(start, Ptr[u16])[place])
    return f32(bitcast(start, Ptr[i16])[place])


def _largest(format: i32) -> f32:
    """What is read as 1."""
    if format == Format.U8:
        return 255.0
    if format == Format.I8:
        return 127.0
    if format == Format.U16:
        return 65535.0
    return 32767.0 if format == Format.I16 else 1.0


def _rounded(total: f32, format: i32) -> f32:
    """A weighted sum of stored numbers as the hardware gives it: fractions of 16 bits, f16 for f16 texels.

    Halves go up, for f16 away from zero: a little is added, more than the sum's last bit and less than would matter.
    """
    if format == Format.F32:
        return total
    if format == Format.F16:
        return f32(f16(total * 1.000000476837158203125))
    if format == Format.U8:
        return floor(total * 257.0 + 0.5) / 65535.0
    if format == Format.U16:
        return floor(total + 0.5) / 65535.0
    if format == Format.I16:
        return max(floor(total + 0.5), -32767.0) / 32767.0
    return max(floor(total * 258.0078740157480315 + 0.5), -32767.0) / 32767.0
