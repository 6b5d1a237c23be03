"""Random nested structs copied through registers, local and shared memory, parameters and single fields."""
from __future__ import annotations

import random

import numpy as np
import pytest

from simt.core.testing.differential import check_same
from simt.core.testing.programs import kernel_from_text

SCALARS = (
    "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "c64", "c128", "bool",
)
VECTORS = ("f32x2", "f32x3", "f32x4", "i32x2", "u8x4", "i16x3", "f64x2")
HEADER = """\
from __future__ import annotations
from simt.core import *
from simt.cuda_std import block, shared, thread

"""
KERNEL = """
def changed(s: {top}) -> {top}:
    t = {top}({fields})
    return t

@kernel
def move(x: In[{top}], one: {top}, out: InOut[{top}], whole: Out[{top}]):
    i = thread.index_1d()
    mine = local_array({top}, 2)
    tile = shared.array({top}, 4)
    mine[1] = x[i]
    tile[i] = mine[1]
    block.sync()
    s = tile[3 - i]
    whole[i] = s
    t = changed(s)
    {stores}
    if i == 2:
        whole[i] = one
    elif i == 3:
        whole[i] = changed(x[0])
"""


class Layouts:
    """Writes structs; the last one contains some of those before."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self.structs: list[tuple[str, list[tuple[str, str]]]] = []

    def field(self, depth: int) -> str:
        choice = self.source.random()
        if depth and choice < 0.2 and self.structs:
            return self.source.choice(self.structs)[0]
        if depth and choice < 0.35:
            return f"tuple[{', '.join(self.field(0) for _ in range(self.source.randint(1, 3)))}]"
        return self.source.choice(VECTORS if choice > 0.85 else SCALARS)

    def text(self) -> str:
        for number in range(3):
            fields = [(f"m{k}", self.field(1)) for k in range(self.source.randint(1, 5))]
            self.structs.append((f"S{number}", fields))
        blocks = [
            "@struct\nclass " + name + ":\n" + "".join(f"    {field}: {kind}\n" for field, kind in fields)
            for name, fields in self.structs
        ]
        top, fields = self.structs[-1]
        stores = "\n    ".join(f"out[i].{field} = {self.source.choice('st')}.{field}" for field, _ in fields)
        body = KERNEL.format(top=top, fields=", ".join(f"s.{field}" for field, _ in fields), stores=stores)
        return HEADER + "\n".join(blocks) + body


def filled(dtype: np.dtype, count: int, seed: int) -> np.ndarray:
    """Random bytes, but bools 0 or 1 and no NaN, whose bits a float may lose."""
    array = np.zeros(count, dtype)
    fill(array, np.random.default_rng(seed))
    return array


def fill(array: np.ndarray, source: np.random.Generator) -> None:
    if array.dtype.names is not None:
        for name in array.dtype.names:
            fill(array[name], source)
    elif array.dtype.kind == "b":
        array[...] = source.integers(0, 2, array.shape)
    elif array.dtype.kind in "fc":
        array[...] = source.integers(-100, 100, array.shape) / 4
    else:
        array[...] = source.integers(0, 100, array.shape)


def check(seed: int) -> None:
    layouts = Layouts(seed)
    text = layouts.text()
    try:
        move = kernel_from_text(text, "move", f"struct layouts {seed}")
        top = move.function.__globals__[layouts.structs[-1][0]]
        dtype = top.numpy_dtype
        one = top.from_buffer(filled(dtype, 1, seed + 1).tobytes())
        out, whole = np.zeros(4, dtype), np.zeros(4, dtype)
        x = filled(dtype, 4, seed)
        _, out, whole = check_same(move, 1, 4, (x, one, out, whole))
        assert out.tobytes() != bytes(out.nbytes)
        for row, expected in ((0, x[3]), (1, x[2]), (3, x[0])):
            assert whole[row] == expected
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n\n{text}") from error


@pytest.mark.parametrize("seed", range(10))
def test_layout(seed: int):
    check(seed)


@pytest.mark.slow
def test_many_layouts():
    for seed in range(100, 300):
        check(seed)
