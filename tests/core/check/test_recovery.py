"""One mistake gives one diagnostic, and the mistakes behind it are found all the same."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, Out, cfg, f32, i32, kernel
from simt.core.errors import CompileError


def faulty(x):
    return x + missing_inside


@kernel
def many(a: f32, n: i32, x: In[f32], out: Out[f32]):
    b = missing_1 + 1
    c = b * 2
    c += a
    for i in range(c):
        d = missing_2
        out[i] = d
    if b > 3:
        e = 1
    else:
        e = missing_3
    out[0] = e + c
    out[1] = x[0, 1] + x[n].attribute + missing_4(missing_5)
    y, z = missing_6
    out[2] = y + z
    while missing_7:
        out[3] = 1
    q: f32 = missing_8
    out[4] = q
    match missing_9:
        case 1:
            r = 1.0
        case _:
            r = 2.0
    out[5] = r
    n = a
    out[6] = n
    missing_10[3] = 3
    out[missing_11] = missing_12
    g = lambda v: v + missing_13
    out[7] = g(1) + g(2)
    out[8] = faulty(a) + faulty(x[0])
    assert missing_14, f"{missing_15}"
    print(missing_16)
    return missing_17


def test_every_mistake_once() -> None:
    with pytest.raises(CompileError) as caught:
        many.compile()
    names = [d.message.split("`")[1] for d in caught.value.diagnostics if d.code == "unknown-name"]
    assert sorted(names) == sorted([*(f"missing_{i}" for i in range(1, 18)), "missing_inside"])
    others = [d.code for d in caught.value.diagnostics if d.code != "unknown-name"]
    assert others == ["wrong-index-count", "unknown-attribute", "conflicting-types"]


@kernel
def guarded(x: In[f32], out: Out[f32]):
    if cfg.is_cpu:
        out[0] = x[0]
    else:
        out[0] = x[0].only_on_a_gpu


def test_what_is_not_compiled_is_not_checked() -> None:
    out = np.zeros(1, np.float32)
    guarded[1, 1](np.ones(1, np.float32), out)
    assert out[0] == 1


def test_lines_come_in_order() -> None:
    with pytest.raises(CompileError) as caught:
        many.compile()
    places = [d.primary.span for d in caught.value.diagnostics]
    lines = [(span.call_site or span).line for span in places]
    assert lines == sorted(lines)
