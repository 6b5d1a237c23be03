"""Bit operations against Python's integers."""
from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

from simt.core import D2, In, Out, i32, i64, kernel, u32, u64
from simt.cuda_std import bits, thread
from tests.cuda_std.targets import Run, both_targets

Word = TypeVar("Word", i32, u32, i64, u64)


@kernel
def counts(x: In[Word], out: Out[i32, D2], reversed_bits: Out[Word]):
    i = thread.index_1d()
    out[i, 0] = bits.popc(x[i])
    out[i, 1] = bits.clz(x[i])
    out[i, 2] = bits.ctz(x[i])
    out[i, 3] = bits.ffs(x[i])
    reversed_bits[i] = bits.brev(x[i])


@kernel
def selections(low: In[u32], high: In[u32], pick: In[u32], permuted: Out[u32], left: Out[u32], right: Out[u32]):
    i = thread.index_1d()
    permuted[i] = bits.byte_permute(low[i], high[i], pick[i])
    left[i] = bits.funnel_shift_left(low[i], high[i], pick[i])
    right[i] = bits.funnel_shift_right(low[i], high[i], pick[i])


@both_targets
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_counts_and_order(run: Run, dtype: type) -> None:
    width = np.dtype(dtype).itemsize * 8
    patterns = [0, 1, 2, 6, 1 << (width - 1), (1 << width) - 1, 0x00F0]
    patterns += [3 << place for place in range(0, width - 1, 5)]
    x = np.array(patterns, np.uint64).astype(f"u{width // 8}").view(dtype)
    out, backwards = np.zeros((len(x), 4), np.int32), np.zeros_like(x)
    run(counts, 1, len(x), x, out, backwards)
    for i, pattern in enumerate(patterns):
        text = f"{pattern:0{width}b}"
        low_zeros = len(text) - len(text.rstrip("0"))
        high_zeros = len(text) - len(text.lstrip("0"))
        assert out[i].tolist() == [text.count("1"), high_zeros, low_zeros, low_zeros + 1 if pattern else 0]
        assert int(backwards[i]) % (1 << width) == int(text[::-1], 2)


@both_targets
def test_selections_from_two_words(run: Run) -> None:
    rng = np.random.default_rng(11)
    low, high, pick = rng.integers(0, 2**32, (3, 64), dtype=np.uint32)
    pick[:32] = np.arange(32)
    permuted, left, right = (np.zeros(64, np.uint32) for _ in range(3))
    run(selections, 1, 64, low, high, pick, permuted, left, right)
    for i in range(64):
        eight = low[i].tobytes() + high[i].tobytes()
        digits = [int(pick[i]) >> (4 * place) & 15 for place in range(4)]
        chosen = [(0xFF if eight[d & 7] >= 128 else 0) if d & 8 else eight[d & 7] for d in digits]
        assert permuted[i] == int.from_bytes(bytes(chosen), "little")
        both, count = int(high[i]) << 32 | int(low[i]), int(pick[i]) % 32
        assert left[i] == (both << count) >> 32 & 0xFFFFFFFF
        assert right[i] == both >> count & 0xFFFFFFFF
