"""Shuffles against a model that cuts the warp into Python lists, for every lane, out-of-range ones included."""
from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

from simt.core import (
    D2,
    In,
    Out,
    bf16,
    c64,
    c128,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    i128,
    kernel,
    u8,
    u16,
    u32,
    u64,
    u128,
)
from simt.cuda_std import thread, warp
from tests.cuda_std.targets import Run, both_targets

Value = TypeVar("Value", bool, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128)
WIDTHS = (1, 2, 4, 8, 16, 32)


@kernel
def four_shuffles(
    x: In[Value], amount: i32, width: i32, indexed: Out[Value], up: Out[Value], down: Out[Value], crossed: Out[Value]
):
    i = thread.index_1d()
    indexed[i] = warp.shuffle(x[i], amount, width)
    up[i] = warp.shuffle_up(x[i], amount, width)
    down[i] = warp.shuffle_down(x[i], amount, width)
    crossed[i] = warp.shuffle_xor(x[i], amount, width)


@kernel
def flags(x: In[f64], amount: i32, width: i32, up: Out[bool], down: Out[bool], crossed: Out[bool], sums: Out[f64]):
    i = thread.index_1d()
    from_below, up[i] = warp.shuffle_up_with_flag(x[i], amount, width)
    from_above, down[i] = warp.shuffle_down_with_flag(x[i], amount, width)
    from_across, crossed[i] = warp.shuffle_xor_with_flag(x[i], amount, width)
    sums[i] = from_below + from_above + from_across


@kernel
def among_members(x: In[i32], members: u32, out: Out[i32]):
    i = thread.index_1d()
    if (members >> warp.lane_id()) & 1 != 0:
        out[i] = warp.shuffle_down(x[i], 1, members=members)


@kernel
def down_by_sixteen(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = warp.shuffle_down(x[i], 16)


def sources(amount: int, width: int) -> dict[str, list[int | None]]:
    """For each mode and lane the lane it reads, None for out of range, by cutting a list of lanes."""
    lanes = list(range(32))
    out: dict[str, list[int | None]] = {"indexed": [], "up": [], "down": [], "crossed": []}
    for start in range(0, 32, width):
        segment = lanes[start : start + width]
        padded = [None] * 32 + segment + [None] * 32
        out["indexed"] += [segment[amount % width]] * width
        out["up"] += padded[32 - amount : 32 - amount + width]
        out["down"] += padded[32 + amount : 32 + amount + width]
    for lane in lanes:
        other = lane ^ amount
        out["crossed"].append(None if other // width > lane // width else other)
    return out


def expected(x: np.ndarray, reads: list[int | None]) -> np.ndarray:
    warps = [chunk[[lane if read is None else read for lane, read in enumerate(reads)]] for chunk in x.reshape(-1, 32)]
    return np.concatenate(warps)


def values(dtype: str, count: int) -> np.ndarray:
    """Values whose every byte differs between lanes, so that a lost word shows."""
    kind = np.dtype(dtype)
    if kind == np.bool_:
        return np.random.default_rng(1).random(count) < 0.5
    if kind.kind in "iu":
        return np.random.default_rng(2).integers(0, 256, count * kind.itemsize, dtype=np.uint8).view(kind)
    if kind.kind == "c":
        return (np.random.default_rng(3).random(count) + 1j * np.random.default_rng(4).random(count)).astype(kind)
    return (np.random.default_rng(5).random(count) - 0.5).astype(kind)


@both_targets
@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_and_distance(run: Run, width: int) -> None:
    x = values("i4", 32)
    for amount in (0, 1, 3, 8, 16, 31):
        results = {name: np.zeros_like(x) for name in ("indexed", "up", "down", "crossed")}
        run(four_shuffles, 1, 32, x, amount, width, *results.values())
        for name, reads in sources(amount, width).items():
            np.testing.assert_array_equal(results[name], expected(x, reads), err_msg=f"{name} by {amount}")


@both_targets
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_every_scalar_keeps_all_its_bits(run: Run, dtype: str) -> None:
    x = values(dtype, 32)
    results = {name: np.zeros_like(x) for name in ("indexed", "up", "down", "crossed")}
    run(four_shuffles, 1, 32, x, 3, 32, *results.values())
    for name, reads in sources(3, 32).items():
        assert results[name].tobytes() == expected(x, reads).tobytes(), name


@both_targets
@pytest.mark.parametrize("width", [4, 32])
def test_flags_tell_which_lanes_were_in_range(run: Run, width: int) -> None:
    x = np.arange(32.0)
    for amount in (0, 1, 5, 31):
        up, down, crossed, sums = (np.zeros(32, dtype) for dtype in (np.bool_, np.bool_, np.bool_, np.float64))
        run(flags, 1, 32, x, amount, width, up, down, crossed, sums)
        reads = sources(amount, width)
        for name, flag in (("up", up), ("down", down), ("crossed", crossed)):
            assert flag.tolist() == [read is not None for read in reads[name]], f"{name} by {amount}"
        total = sum(expected(x, reads[name]) for name in ("up", "down", "crossed"))
        np.testing.assert_array_equal(sums, total)


@both_targets
@pytest.mark.parametrize("members", [0xFFFFFFFF, 0x0000FFFF, 0xAAAAAAAA, 0x80000001, 0x1, 0x7FFFFFFE])
def test_lanes_outside_the_members_stay_out(run: Run, members: int) -> None:
    """A member whose neighbour is none gets 0, lane 31 its own value; a lane that is none runs past."""
    x, out = np.arange(100, 132, dtype=np.int32), np.full(32, -1, np.int32)
    run(among_members, 1, 32, x, members, out)
    inside = [bool(members >> lane & 1) for lane in range(32)]
    read = [*(x[1:] * inside[1:]), x[31]]
    assert out.tolist() == [read[lane] if inside[lane] else -1 for lane in range(32)]


@both_targets
def test_shuffle_down_by_sixteen_in_blocks_of_256_keeps_own_value_out_of_range(run: Run) -> None:
    x, out = np.random.default_rng(6).random(512, dtype=np.float32), np.zeros(512, np.float32)
    run(down_by_sixteen, 2, 256, x, out)
    np.testing.assert_array_equal(out, expected(x, [*range(16, 32), *[None] * 16]))


@kernel
def wide_and_narrow(x: In[u64], narrow: In[f32], out: Out[u64, D2], narrow_out: Out[f32]):
    i = thread.index_1d()
    wide = (u128(x[i]) << 64) | u128(x[31 - i])
    moved = warp.shuffle_xor(wide, 1)
    out[0, i] = u64(moved >> 64)
    out[1, i] = u64(moved)
    signed = warp.shuffle_xor(i128(x[i]) - i128(x[31 - i]), 2)
    out[2, i] = u64(signed >> 64)
    out[3, i] = u64(signed)
    narrow_out[i] = f32(warp.shuffle_xor(bf16(narrow[i]), 4))


@both_targets
def test_scalars_that_numpy_does_not_have(run: Run) -> None:
    x = values("u8", 32)
    narrow = np.arange(32, dtype=np.float32) * 0.5  # every value is one of bf16
    out, narrow_out = np.zeros((4, 32), np.uint64), np.zeros(32, np.float32)
    run(wide_and_narrow, 1, 32, x, narrow, out, narrow_out)
    for lane in range(32):
        assert out[0, lane] == x[lane ^ 1]
        assert out[1, lane] == x[31 - (lane ^ 1)]
        difference = int(x[lane ^ 2]) - int(x[31 - (lane ^ 2)])
        assert int(out[2, lane]) << 64 | int(out[3, lane]) == difference % (1 << 128)
        assert narrow_out[lane] == narrow[lane ^ 4]
