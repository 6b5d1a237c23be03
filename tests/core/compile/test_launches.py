"""Real kernels from Python to results on the CPU target."""
from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from simt.core import (
    Const,
    DeviceFault,
    In,
    InOut,
    LaunchError,
    Out,
    Strided,
    bf16,
    c64,
    c128,
    default_device,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    i128,
    kernel,
    static_range,
    struct,
    u8,
    u16,
    u32,
    u64,
    u128,
)
from simt.core.declared_options import OptionFields
from simt.cuda_std import thread
from tests.core.compile import kernels

f4 = np.float32


def test_saxpy_on_numpy_arrays():
    x, y = np.arange(1000, dtype=f4), np.ones(1000, f4)
    out = np.zeros(1000, f4)
    kernels.saxpy[4, 256](2.0, x, y, out)
    assert np.array_equal(out, 2 * x + y)
    kernels.saxpy.for_elements(1000)(a=3.0, x=x, y=y, out=out)
    assert np.array_equal(out, 3 * x + y)


def test_saxpy_on_device_arrays_and_mixed():
    device = default_device()
    x, y = device.array(np.arange(1000, dtype=f4)), np.ones(1000, f4)
    out = device.zeros(1000, f32)
    launch = kernels.saxpy.for_elements(x.shape)
    for a in (1.0, 2.0, 3):
        launch(a, x, y, out)
        assert np.array_equal(out.numpy(), f4(a) * np.arange(1000, dtype=f4) + 1)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (33, 70), (8, 32)])
def test_for_elements_reaches_every_element_of_a_plane(shape):
    out = np.full(shape, -1, np.int32)
    kernels.numbered.for_elements(shape)(out)
    assert np.array_equal(out, np.arange(out.size).reshape(shape))


def test_for_elements_reaches_every_element_of_a_volume():
    out = np.full((3, 5, 70), -1, np.int32)
    kernels.numbered_3d.for_elements(out.shape)(out)
    assert np.array_equal(out, np.arange(out.size).reshape(out.shape))


def test_no_elements_run_nothing_but_are_checked():
    x = np.zeros(0, f4)
    kernels.saxpy.for_elements(0)(1.0, x, x, np.zeros(0, f4))
    with pytest.raises(LaunchError, match="argument out: float64 given"):
        kernels.saxpy.for_elements(0)(1.0, x, x, np.zeros(0))


SCALARS = [
    (bool, True), (i8, -128), (i16, 2**15 - 1), (i32, -(2**31)), (i64, 2**63 - 1), (i128, -(2**127)), (u8, 255),
    (u16, 65535), (u32, 2**32 - 1), (u64, 2**64 - 1), (u128, 2**128 - 1), (f16, 0.5), (bf16, -2.5), (f32, 1.5),
    (f64, 0.1), (c64, 1 + 2j), (c128, 0.1 - 0.2j),
]


@pytest.mark.parametrize(("type", "value"), SCALARS, ids=lambda v: getattr(v, "__name__", ""))
def test_every_scalar_type_arrives_as_argument_and_as_element(type, value):
    @kernel
    def copy(before: u8, given: type, x: In[type], out: Out[type]):
        i = thread.index_1d()
        out[i] = given if i == 0 else x[i]

    device = default_device()
    source = device.zeros(3, np.bool_ if type is bool else type)
    raw = source.memory.view(np.uint8)
    raw[:] = np.random.default_rng(3).integers(0, 2 if type is bool else 120, raw.size)
    out = device.zeros(3, source.dtype)
    copy[1, 3](7, value, source, out)
    copy[1, 3](7, value, source, out)
    width = source.dtype.itemsize
    assert out.memory.tobytes()[width:] == source.memory.tobytes()[width:]
    if type in (i128, u128, bf16):
        expected = value.to_bytes(16, "little", signed=value < 0) if type is not bf16 else b"\x20\xc0"
        assert out.memory.tobytes()[:width] == expected
    else:
        assert out.numpy()[0] == value


@struct
class Inner:
    small: u8
    wide: f64


@struct
class Outer:
    tag: i16
    inner: Inner
    z: c64


@kernel
def fold(items: In[Outer], one: Outer, out: Out[f64], pair: tuple[u8, f64]):
    i = thread.index_1d()
    item = items[i]
    out[i] = f64(item.tag) + item.inner.wide + f64(item.inner.small) + one.inner.wide + pair[1] + f64(pair[0])


def test_structs_and_tuples():
    dtype = Outer.numpy_dtype
    items = np.zeros(4, dtype)
    items["tag"], items["inner"]["wide"], items["inner"]["small"] = np.arange(4), 0.5, 7
    out = np.zeros(4)
    one = Outer(1, Inner(2, 100.0), 1j)
    fold[1, 4](items, one, out, (3, 1000.0))
    expected = np.arange(4) + 0.5 + 7 + 100 + 1000 + 3
    assert np.array_equal(out, expected)
    scalar = np.zeros((), dtype)[()]
    scalar["inner"]["wide"] = 100.0
    fold[1, 4](items, scalar, out, (3, 1000.0))
    assert np.array_equal(out, expected)
    with pytest.raises(LaunchError, match="argument one: Inner given; Outer expected"):
        fold[1, 4](items, Inner(1, 1.0), out, (3, 1.0))
    with pytest.raises(LaunchError, match=r"items: .* given, Outer expected; its dtype is Outer.numpy_dtype, {"):
        fold[1, 4](np.zeros(4, [("tag", "i2")]), one, out, (3, 1.0))


def test_strided_views():
    @kernel
    def copy(x: In[f32, Strided], out: Out[f32, Strided]):
        i = thread.index_1d()
        out[i] = x[i]

    x, out = np.arange(20, dtype=f4), np.zeros(30, f4)
    copy[1, 5](x[::-4], out[1::6])
    assert out[1::6].tolist() == [19, 15, 11, 7, 3] and np.count_nonzero(out) == 5


def test_kernels_made_by_a_function_keep_their_own_captures():
    def make(factor):
        @kernel
        def scale(x: In[f32], out: Out[f32]):
            i = thread.index_1d()
            out[i] = factor * x[i]

        return scale

    x, out = np.ones(4, f4), np.zeros(4, f4)
    made = [make(factor) for factor in (2.0, 3.0, 4)]
    for scale, factor in zip(made, (2, 3, 4), strict=True):
        scale[1, 4](x, out)
        assert out.tolist() == [factor] * 4


def test_annotations_may_be_local_names():
    number = f32

    @kernel
    def twice(x: In[number], out: Out[number]):
        i = thread.index_1d()
        out[i] = 2 * x[i]

    out = np.zeros(4, f4)
    twice[1, 4](np.ones(4, f4), out)
    assert out.tolist() == [2] * 4


@kernel
def apply(f: Callable[[f32], f32], n: Const[i32], x: InOut[f32]):
    i = thread.index_1d()
    for _ in static_range(n):
        x[i] = f(x[i])


def test_functions_and_constants_as_arguments():
    x = np.zeros(4, f4)
    for step in (1, 10):
        apply[1, 4](lambda v, step=step: v + step, 3, x)
    assert x.tolist() == [33] * 4
    apply[1, 4](lambda v: v * 2, 0, x)
    assert x.tolist() == [33] * 4


def test_a_fault_is_raised_by_its_launch_and_by_no_later_one():
    x, out = np.ones(8, f4), np.zeros(4, f4)
    launch = kernels.overrun[1, 8]
    for _ in range(2):
        with pytest.raises(DeviceFault) as fault:
            launch(x, out)
        assert fault.value.count == 4 and fault.value.thread.x == 4 and fault.value.kernel == "overrun"
    default_device().synchronize()
    launch(x, np.zeros(8, f4))
    assert out.tolist() == [1] * 4


def test_checks_can_be_left_out_and_put_back():
    unchecked = kernels.saxpy.with_options(checks=False)
    assert unchecked.options.checks is False and kernels.saxpy.options.checks is None
    assert "out-of-bounds" not in unchecked.inspect("tir")
    assert len(unchecked.inspect("llvm")) < len(kernels.saxpy.inspect("llvm"))


def test_threads_may_launch_the_same_kernel_together():
    errors = []

    def work(dtype):
        x, out = np.arange(300, dtype=dtype), np.zeros(300, dtype)
        for _ in range(60):
            out[:] = 0
            launch(x, out)
            if not np.array_equal(out, 2 * x):
                errors.append(dtype)

    launch = kernels.doubled.for_elements(300)
    workers = [threading.Thread(target=work, args=(dtype,)) for dtype in (f4, np.float64, f4, np.float64)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors


def test_a_kernel_is_no_function():
    with pytest.raises(LaunchError, match=r"saxpy is a kernel: launch it with saxpy\[grid, block\]\(...\)"):
        kernels.saxpy(1.0, 2, 3, 4)


@pytest.mark.parametrize(("options", "message"), [
    ({"checcks": True}, r"no option is called checcks: did you mean checks\? the options are opt, checks"),
    ({"gpu": True}, "no option is called gpu; the options are opt, checks"),
    ({"race": "yes"}, "race='yes' is no switch; write True or False"),
    ({"checks": 1}, "checks=1 is no switch; write True, False or None"),
    ({"fma": None}, "fma=None is no switch"), ({"prec_div": []}, r"prec_div=\[\] is no switch"),
    ({"debug": 1, "opt": 0}, "debug=1 is no switch"),
    ({"opt": "3"}, "opt='3' is not 0 or 3"), ({"maxrregcount": -5}, "maxrregcount=-5 is not an integer from 1 to 255"),
    ({"name": 5}, "name=5 is no name"), ({"name": "a b"}, "name='a b' is no name; write letters, digits and _"),
    ({"max_threads": 0}, "max_threads=0 is not an integer from 1 to 1024"),
    ({"max_threads": 1025}, "max_threads=1025"), ({"min_blocks": 2.0}, "min_blocks=2.0"),
    ({"cluster": (2, 0)}, r"cluster=\(2, 0\) is not one to three positive integers"),
    ({"debug": True}, "debug=True needs opt=0"),
    ({"opt": 2}, "opt=2 is not 0 or 3"),
    ({"maxrregcount": 0}, "maxrregcount=0 is not an integer from 1 to 255"),
])
def test_declarations_are_checked(options, message):
    with pytest.raises(TypeError, match=message):
        @kernel(**options)
        def k(x: In[f32]):
            pass
    if set(options) <= set(OptionFields.__annotations__):
        with pytest.raises(TypeError, match=message):
            kernels.saxpy.with_options(**options)


SAXPY = r"signature=\(f32, In\[f32\], In\[f32\], Out\[f32\],\)"


@pytest.mark.parametrize(("arguments", "message"), [
    ({"target": "sm90"}, r"target 'sm90' is not an architecture: did you mean sm_90\? the names are .*or write cpu"),
    ({"target": 90}, r"target '90' .* did you mean sm_90\?"),
    ({"target": 9.0}, r"target '9.0' .* did you mean sm_90\?"),
    ({"target": 5}, "target '5' is not an architecture; the names are"), ({"target": ""}, "target '' is not"),
    ({"target": True}, "target True is a bool; write 'sm_90' or 'cpu'"), ({"target": b"sm_90"}, "is a bytes"),
    ({"target": "CPU"}, "target 'CPU' is not a target: did you mean 'cpu'"),
    ({"signature": 5}, f"signature 5 is no tuple; write {SAXPY}"),
    ({"signature": In[f32]}, "signature In.f32. is no tuple"),
    ({"signature": (In[f32],)}, f"saxpy has 4 parameters, the signature 1 entries; write {SAXPY}"),
    ({"signature": (f32,), "a": 1.0}, "saxpy: give example arguments or signature=, not both"),
])
def test_what_is_asked_of_a_compilation_is_checked(arguments, message):
    with pytest.raises(LaunchError, match=message):
        kernels.saxpy.compile(**arguments)
    with pytest.raises(LaunchError, match=message):
        kernels.saxpy.inspect("tir", **arguments)


@pytest.mark.parametrize(("stage", "message"), [
    (5, "5 is no stage; the stages are hir, tir"), (None, "None is no stage"),
    ("pxt", r"'pxt' is no stage: did you mean 'ptx'\? the stages are hir, tir"), ("PTX", "did you mean 'ptx'"),
])
def test_other_stages_are_refused(stage, message):
    with pytest.raises(LaunchError, match=message):
        kernels.saxpy.inspect(stage)


def test_only_functions_are_kernels():
    with pytest.raises(TypeError, match="@kernel takes a function, not int"):
        kernel(3)


def test_a_kernel_looks_like_its_function():
    assert kernels.saxpy.name == "saxpy" and kernels.saxpy.__name__ == "saxpy"
    assert kernels.saxpy.__module__ == kernels.__name__ and kernels.saxpy.__wrapped__ is kernels.saxpy.function
    assert repr(kernels.saxpy) == "<kernel saxpy(a, x, y, out)>"
    assert repr(kernels.saxpy[2, 8]) == "<launch of saxpy, grid (2, 1, 1), block (8, 1, 1)>"


def test_configurations_are_reused_but_never_confused():
    assert kernels.saxpy[2, 8] is kernels.saxpy[2, 8]
    assert kernels.saxpy[2, 8] is not kernels.saxpy[8, 2]
    with pytest.raises(LaunchError, match=r"grid 2.0 is a float"):
        kernels.saxpy[2.0, 8]
    kernels.saxpy[1, 8]
    with pytest.raises(LaunchError, match="grid True is a bool"):
        kernels.saxpy[True, 8]
