"""``@kernel(requires=...)``: relations between arguments, declared once and checked at every launch."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import D2, Const, In, LaunchError, Out, Strided, f32, i32, kernel
from simt.core.requirements import relations_of
from simt.core.runtime.cpu_device import CpuDevice
from simt.cuda_std import thread

f4 = np.float32
NAMES = ("x", "out", "n")


@kernel(requires="x.size == out.size")
def double(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = x[i] * 2.0


@kernel(requires=("x.shape == out.shape", "x.shape[0] % 4 == 0 and n <= x.size // 2", "1 < n < x.shape[1] + 2 * scale"))
def rows(x: In[f32, D2, Strided], out: Out[f32, D2], n: i32, scale: Const[i32] = 3):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = x[row, col] * f32(n)


@pytest.fixture(params=["gpu", "cpu"])
def either(request):
    """The GPU, and the CPU device."""
    return request.getfixturevalue("device") if request.param == "gpu" else CpuDevice()


def test_every_launch_is_judged(either):
    x, out, short = either.full(12, 1, f4), either.zeros(12, f4), either.zeros(10, f4)
    launch = double.for_elements(12)
    for _ in range(3):
        launch(x, out)
        with pytest.raises(LaunchError, match=r"^double requires x\.size == out\.size: 12 and 10$") as caught:
            launch(x, short)
        assert caught.value.argument == "x"
    assert (out.numpy() == 2).all() and (short.numpy() == 0).all()


@pytest.mark.parametrize(("x", "out", "n", "words"), [
    ((8, 4), (8, 5), 2, r"rows requires x\.shape == out\.shape: \(8, 4\) and \(8, 5\)"),
    ((6, 4), (6, 4), 2, r"rows requires x\.shape\[0\] % 4 == 0: 2 and 0"),
    ((8, 4), (8, 4), 17, r"rows requires n <= x\.size // 2: 17 and 16"),
    ((8, 4), (8, 4), 10, r"rows requires 1 < n < x\.shape\[1\] \+ 2 \* scale: 1, 10 and 10"),
    ((8, 4), (8, 4), np.int32(1), r"rows requires 1 < n < x\.shape\[1\] \+ 2 \* scale: 1, 1 and 10"),
])
def test_the_error_has_the_relation_and_its_values(either, x, out, n, words):
    launch = rows.for_elements((8, 8))
    good = either.zeros((8, 4), f4)
    for _ in range(2):
        launch(good, either.zeros((8, 4), f4), 3)
        with pytest.raises(LaunchError, match=words):
            launch(either.zeros(x, f4), either.zeros(out, f4), n)


def test_strided_arrays_and_numpy(device):
    memory = np.ones((8, 8), f4)
    out = np.zeros((8, 4), f4)
    for _ in range(2):
        rows.for_elements((8, 4))(memory[:, ::2], out, np.int32(3))
        assert (out == 3).all()
        with pytest.raises(LaunchError, match=r"x\.shape == out\.shape"):
            rows.for_elements((8, 4))(memory, out, 3)
        with pytest.raises(LaunchError, match=r"x\.shape == out\.shape"):
            rows.for_elements((8, 4)).on(device)(memory, out, 3)


def test_prepared_launches_and_graphs(either):
    x, out, short = either.full(12, 1, f4), either.zeros(12, f4), either.zeros(10, f4)
    launch = double.for_elements(12)
    prepared = launch.prepare(x, out)
    with pytest.raises(LaunchError, match="12 and 10"):
        prepared.replace(out=short)
    with pytest.raises(LaunchError, match="12 and 10"):
        launch.prepare(x, short)
    either.synchronize()
    with either.stream().capture() as graph:
        launch(x, out)
    with pytest.raises(LaunchError, match="10 and 12"):
        graph.instantiate().update(double, x=short)


def test_division_by_zero_is_an_unmet_relation(either):
    @kernel(requires="x.size % n == 0")
    def divided(x: Out[f32], n: i32):
        x[0] = f32(n)

    x = either.zeros(12, f4)
    for _ in range(2):
        divided[1, 1](x, 4)
        with pytest.raises(LaunchError, match=r"divided requires x\.size % n == 0: that divides by zero"):
            divided[1, 1](x, 0)


@pytest.mark.parametrize(("relation", "words"), [
    ("n.size == 3", "requires a size of n, which is i32 and has none"),
    ("x == n", "requires something of x itself, which is no number here; of an array write x.size"),
    ("x.shape[1] == 3", r"requires something of x.shape\[1\], and x has 1 axes"),
])
def test_what_the_arguments_do_not_have(relation, words):
    def body(x: Out[f32], n: i32):
        x[0] = f32(n)

    with pytest.raises(LaunchError, match=words):
        kernel(requires=relation)(body)[1, 1](np.zeros(3, f4), 3)


@pytest.mark.parametrize(("requires", "words"), [
    ("y.size == out.size", r"names y, which is no parameter of \(x, out, n\)"),
    ("ou.size == x.size", "names ou, which is no parameter, did you mean out?"),
    ("x.sise == out.size", "holds x.sise; relations are made of parameters, x.size"),
    ("x.size", "is no comparison"), ("x.size == ", "is no expression"), ("x.size == 1 or n == 1", "is no comparison"),
    ("x.size / 2 == n", "holds x.size / 2"), ("n == 2.5", "holds 2.5"), ("1 == 1", "names no parameter"),
    ("x.shape == 3", "compares a shape with something else"), ("x.shape < out.shape", "compares a shape"),
    ("n in x.shape", "compares with something else than =="), ("len(x) == n", r"holds len\(x\)"),
    (["x.size == n"], "is no text"), ((3,), "3 is no text"), ("x.shape[n] == 3", r"holds x\.shape\[n\]"),
])
def test_relations_are_judged_at_the_declaration(requires, words):
    with pytest.raises(TypeError, match=words):
        relations_of(requires, NAMES)


def test_the_declaration_checks_them():
    with pytest.raises(TypeError, match="names y, which is no parameter"):
        @kernel(requires="y.size == x.size")
        def wrong(x: Out[f32]):
            x[0] = 1.0
