"""Launches: each argument is checked, and what reaches the code is exactly the argument."""
from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from simt.core import scalars
from simt.core.annotations import D2, D3, Const, In, InOut, Out, Ptr, Strided
from simt.core.device import CpuDevice
from simt.core.errors import CompileError, LaunchError
from simt.core.scalars import bf16, f32, f64, i32, i64, u8
from simt.core.vectors import f32x2, f32x4
from tests.core.runtime.fake import fake

T = TypeVar("T", f32, f64)
f4 = np.float32


def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    pass


def plane(x: In[f32, D2], out: Out[f32, D2]):
    pass


def strided(x: In[f32, D2, Strided], out: Out[f32, Strided]):
    pass


def generic(x: In[T], low: T, out: Out[T]):
    pass


def refused(kernel, *args, **kwargs):
    """The error of a launch, made twice: the generated path must refuse what the general one refuses."""
    with pytest.raises(LaunchError) as error:
        kernel[1, 8](*args, **kwargs)
    assert not kernel.recorder.launches
    return error.value


def launched(kernel, *args, **kwargs):
    """The argument record of a launch; the generated path must make the same one."""
    launch = kernel[1, 8]
    launch(*args, **kwargs)
    first = kernel.record
    launch(*args, **kwargs)
    assert kernel.record == first
    return first


def test_the_record_holds_scalars_addresses_and_extents_in_order():
    x, y, out = np.ones(5, f4), np.ones(6, f4), np.zeros(7, f4)
    record = launched(fake(saxpy), 2.5, x, y, out)
    expected = struct.pack("=f4xQqQqQq", 2.5, x.ctypes.data, 5, y.ctypes.data, 6, out.ctypes.data, 7)
    assert record == expected


def test_arguments_by_keyword_and_by_default():
    def step(x: In[f32], out: Out[f32], rate: f32 = 0.25, *, count: i32 = 3):
        pass

    x, out = np.ones(2, f4), np.ones(2, f4)
    record = launched(fake(step), out=out, x=x)
    assert record == struct.pack("=QqQqfi", x.ctypes.data, 2, out.ctypes.data, 2, 0.25, 3)
    assert launched(fake(step), x, out, count=9)[-4:] == struct.pack("=i", 9)


@pytest.mark.parametrize(("args", "kwargs", "argument", "message"), [
    ((1.0, 2, 3, 4, 5), {}, None, r"saxpy takes 4 arguments, 5 given: \(a, x, y, out\)"),
    ((1.0, 2), {}, "y", r"saxpy is missing y, out; its parameters are \(a, x, y, out\)"),
    ((1.0,), {"nope": 1}, "nope", "saxpy has no parameter nope"),
    ((1.0,), {"a": 1}, "a", "argument a of saxpy is given twice"),
])
def test_names_and_counts(args, kwargs, argument, message):
    with pytest.raises(LaunchError, match=message) as error:
        fake(saxpy)[1, 8](*args, **kwargs)
    assert error.value.argument == argument


def test_keyword_only_parameters_are_not_positional():
    def k(x: In[f32], *, n: i32):
        pass

    with pytest.raises(LaunchError, match="k takes 1 positional argument, 2 given"):
        fake(k)[1, 8](np.ones(1, f4), 3)


def frozen(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(("out", "message"), [
    (np.zeros(8), "float64 given, f32 expected; make the array with dtype=np.float32"),
    (np.zeros(8, np.int32), "int32 given, f32 expected"),
    (np.zeros(8, ">f4"), ">f4 in the other byte order given, f32 expected; make the array with dtype=np.float32"),
    (np.zeros((2, 4), f4), r"2-D array of shape \(2, 4\) given, 1-D expected; write out.ravel.* Out\[f32, D2\]"),
    (np.zeros(16, f4)[::2], r"not C-contiguous .* declare it Out\[f32, D1, Strided\], or write to a contiguous array"),
    (np.zeros(8, f4)[::-1], "not C-contiguous"),
    (frozen(np.zeros(8, f4)), "the array is read-only and the parameter is Out; pass a writable copy"),
    (np.zeros(33, np.uint8)[1:].view(f4), "is not aligned to the 4 bytes of f32"),
    ([0.0] * 8, r"list given; write np.asarray\(...\) with its dtype"),
    (3.0, "float given; an array expected"),
    (None, "NoneType given; an array expected"),
    (np.zeros(8, object), "object given, f32 expected"),
])
@pytest.mark.parametrize("warm", [False, True])
def test_an_array_that_does_not_fit(out, message, warm):
    kernel = fake(saxpy)
    launch = kernel[1, 8]
    x = np.ones(8, f4)
    if warm:
        launch(1.0, x, x, np.zeros(8, f4))
        kernel.recorder.launches.clear()
    with pytest.raises(LaunchError, match=f"argument out: .*{message}") as error:
        launch(1.0, x, x, out)
    assert error.value.argument == "out" and not kernel.recorder.launches


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize(("low", "high"), [(0, 8), (4, 12), (7, 15), (-4, 4)])
def test_an_output_may_share_no_byte_with_another_array(low, high, warm):
    memory = np.zeros(40, f4)
    kernel = fake(saxpy)
    launch = kernel[1, 8]
    x, out = memory[10:18], memory[10 + low : 10 + high]
    if warm:
        launch(1.0, x, x, memory[20:28])
        kernel.recorder.launches.clear()
    with pytest.raises(LaunchError, match=r"argument out: an output shares memory with argument [xy], which is") as e:
        launch(1.0, np.zeros(3, f4), x, out)
    assert e.value.argument == "out" and not kernel.recorder.launches
    launch(1.0, x, x, memory[18:26])
    launch(1.0, x, x, memory[2:10])
    assert len(kernel.recorder.launches) == 2


def test_two_outputs_may_not_be_one_array():
    def k(a: InOut[f32], b: Out[f32]):
        pass

    x = np.zeros(4, f4)
    assert "which is written by this kernel too" in str(refused(fake(k), x, x))


def test_interleaved_strided_arrays_are_told_apart_exactly():
    memory = np.zeros((4, 8), f4)
    kernel = fake(strided)
    kernel[1, 8](memory[:, ::2], memory[0, 1::2])
    assert len(kernel.recorder.launches) == 1
    with pytest.raises(LaunchError, match="shares memory"):
        kernel[1, 8](memory[:, ::2], memory[0, ::2])


def test_strides_are_passed_in_elements():
    x, out = np.zeros((6, 10), f4)[::-2, 1::3], np.zeros(9, f4)[::4]
    record = launched(fake(strided), x, out)
    assert record == struct.pack("=Q2q2qQqq", x.ctypes.data, 3, 3, -20, 3, out.ctypes.data, 3, 4)
    x = np.zeros((6, 10), f4)[::2, 1::3]
    record = launched(fake(strided), x, out)
    assert record == struct.pack("=Q2q2qQqq", x.ctypes.data, 3, 3, 20, 3, out.ctypes.data, 3, 4)


def test_a_strided_output_whose_elements_coincide_is_refused():
    one = np.lib.stride_tricks.as_strided(np.zeros(1, f4), (4,), (0,))
    kernel = fake(strided)
    kernel[1, 8](np.zeros((2, 2), f4), np.zeros(8, f4)[::2])
    kernel.recorder.launches.clear()
    assert "several elements of the output have the same address" in str(refused(kernel, np.zeros((2, 2), f4), one))


def test_empty_arrays_are_arrays():
    x = np.zeros(0, f4)
    record = launched(fake(saxpy), 1.0, x, x, np.zeros(0, f4))
    assert struct.unpack("=f4xQqQqQq", record)[2::2] == (0, 0, 0)
    empty = np.zeros((0, 3), f4)
    assert launched(fake(plane), empty, empty.copy())[8:24] == struct.pack("=qq", 0, 3)


def test_transposed_and_broadcast_inputs_need_the_declaration():
    x = np.zeros((3, 4), f4)
    assert "not C-contiguous" in str(refused(fake(plane), x.T, np.zeros((4, 3), f4)))
    wide = np.broadcast_to(np.zeros((1, 4), f4), (3, 4))
    assert "declare it In[f32, D2, Strided]" in str(refused(fake(plane), wide, x))
    assert launched(fake(strided), wide, np.zeros(1, f4))[24:40] == struct.pack("=qq", 0, 1)


def test_read_only_inputs_are_fine():
    x = frozen(np.ones(4, f4))
    record = launched(fake(saxpy), 1.0, x, x, np.zeros(4, f4))
    assert struct.unpack_from("=Q", record, 8)[0] == x.ctypes.data


class Exporter:
    """An array of another library: only DLPack, of the versioned protocol or the older one."""

    def __init__(self, array, versioned=True, device=(1, 0)):
        self.array, self.versioned, self.device = array, versioned, device

    def __dlpack__(self, *, stream=None, max_version=None):
        if not self.versioned:
            return self.array.__dlpack__()
        return self.array.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return self.device


class OldExporter(Exporter):
    def __dlpack__(self):
        return self.array.__dlpack__()


@pytest.mark.parametrize("wrap", [
    Exporter, OldExporter, lambda a: Exporter(a, versioned=False), CpuDevice().array, lambda a: a.view(np.recarray),
])
def test_arrays_of_any_library_are_passed_without_a_copy(wrap):
    x, out = np.arange(6, dtype=f4), np.zeros(6, f4)
    wrapped = wrap(x)
    record = launched(fake(saxpy), 1.0, wrapped, wrapped, wrap(out))
    address = wrapped.address if hasattr(wrapped, "address") else x.ctypes.data
    assert struct.unpack_from("=QqQq", record, 8) == (address, 6, address, 6)


def test_dlpack_says_what_is_read_only_and_where_it_lies():
    x = np.zeros(4, f4)
    assert "read-only" in str(refused(fake(saxpy), 1.0, x, x, Exporter(frozen(x.copy()))))
    error = refused(fake(saxpy), 1.0, x, Exporter(x, device=(2, 0)), x.copy())
    assert error.argument == "y"
    assert "Exporter lies on GPU 0, and argument x, ndarray, lies in host memory" in str(error)
    assert "write device.array(x)" in str(error)
    error = refused(fake(saxpy), 1.0, x, Exporter(x, device=(8, 0)), x.copy())
    assert error.argument == "y" and "lies on a Metal device, which no target reaches" in str(error)


# ---- TypeVars, compile-time values, pointers, tuples


def test_a_launch_on_the_cpu_refuses_what_is_no_stream_of_it():
    x = np.zeros(4, f4)
    with pytest.raises(LaunchError, match="stream 7: this launch is on the CPU"):
        fake(saxpy)[1, 4, 0, 7](1.0, x, x, x.copy())


def test_a_typevar_means_one_type():
    x = np.zeros(4, f4)
    record = launched(fake(generic), x, 1, x.copy())
    assert struct.unpack_from("=f", record, 16)[0] == 1.0
    error = refused(fake(generic), x, 0.5, np.zeros(4))
    assert error.argument == "out"
    assert "argument out: T is f32 by argument x, but f64 here" in str(error)
    error = refused(fake(generic), x, np.float64(0.5), x.copy())
    assert error.argument == "low" and "T is f32 by argument x, but f64 here" in str(error)
    error = refused(fake(generic), np.zeros(4, np.int32), 0, np.zeros(4, np.int32))
    assert "argument x: i32 given, T is one of f32, f64" in str(error)


def test_each_type_has_its_own_specialisation():
    kernel = fake(generic)
    launch = kernel[1, 8]
    for dtype in (f4, np.float64, f4, np.float64):
        x = np.zeros(4, dtype)
        launch(x, 1, x.copy())
    assert len(kernel.made) == 2


def test_compile_time_values_are_told_apart_exactly():
    def k(n: Const[i32], rate: Const[f32], flag: Const[bool], out: Out[f32]):
        pass

    kernel, out = fake(k), np.zeros(2, f4)
    for n, rate, flag in ((1, 1.0, True), (1, 0.0, True), (1, -0.0, True), (1, 1, True), (1, float("nan"), False)):
        kernel[1, 8](n, rate, flag, out)
        assert kernel.record == struct.pack("=Qq", out.ctypes.data, 2)
    kernel[1, 8](1, float("nan"), False, out)
    assert len(kernel.made) == 4
    assert "2.5 given, i32 expected" in str(refused(fake(k), 2.5, 1.0, True, out))
    assert "int given, bool expected" in str(refused(fake(k), 2, 1.0, 1, out))


def test_functions_are_told_apart_by_code_and_captures():
    def k(f: Callable[[f32], f32], out: Out[f32]):
        pass

    def scaled(factor):
        return lambda x: x * factor

    kernel, out = fake(k), np.zeros(2, f4)
    launch = kernel[1, 8]
    for factor in (2, 3, 2, 2.0, 3):
        launch(scaled(factor), out)
    assert len(kernel.made) == 3 and len(kernel.recorder.launches) == 5


def test_a_changed_capture_is_noticed_by_the_next_launch():
    kernel, x = fake(plane), np.zeros((2, 2), f4)
    launch = kernel[1, 8]
    launch(x, x.copy())
    launch(x, x.copy())
    (first,) = kernel.made.values()
    first.stale = True
    launch(x, x.copy())
    (second,) = kernel.made.values()
    assert second is not first and len(kernel.recorder.launches) == 3


def test_pointers_take_arrays_and_addresses():
    def k(p: Ptr[f32], n: i64):
        pass

    x = np.zeros(4, f4)
    assert launched(fake(k), x, 4) == struct.pack("=Qq", x.ctypes.data, 4)
    assert launched(fake(k), x.ctypes.data, 4) == struct.pack("=Qq", x.ctypes.data, 4)
    assert "is not aligned to the 4 bytes" in str(refused(fake(k), x.ctypes.data + 2, 4))
    assert "float64 given, f32 expected" in str(refused(fake(k), np.zeros(4), 4))


def test_tuples_are_laid_out_as_structs():
    def k(pair: tuple[u8, f64], out: Out[f32]):
        pass

    out = np.zeros(1, f4)
    assert launched(fake(k), (7, 0.5), out)[:16] == struct.pack("=B7xd", 7, 0.5)
    error = refused(fake(k), (7,), out)
    assert error.argument == "pair" and "tuple given; a tuple of 2 values expected" in str(error)
    assert "argument pair[0]: 300 is out of the range of u8" in str(refused(fake(k), (300, 0.5), out))


def test_more_than_30_bits_of_threads_lose_the_small_promise():
    kernel, x = fake(plane), np.zeros((2, 2), f4)
    kernel[2**21, 1024](x, x.copy())
    kernel[1, 1024](x, x.copy())
    assert [made.signature.small for made in kernel.made.values()] == [False, True]


def test_a_parameter_without_annotation_is_offered_one():
    def k(x, n, f, table, flag, out: Out[f32]):
        pass

    with pytest.raises(CompileError) as error:
        fake(k)[1, 8](np.zeros((2, 3)), 2**40, lambda a: a, np.zeros((2, 3, 4), np.uint8), True, np.zeros(1, f4))
    assert [d.code for d in error.value.diagnostics] == ["missing-annotation"] * 5
    helps = [d.help for d in error.value.diagnostics]
    for help, offered in zip(helps, (
        "`x: In[f64, D2]`, or `x: Out[f64, D2]`", "`n: i64`", "`f: Callable[[f32], f32]`", "`table: In[u8, D3]`",
        "`flag: bool`",
    ), strict=True):
        assert help.startswith(f"write {offered}")


def test_an_annotation_that_is_no_type_is_a_compile_error():
    def k(n: int, out: Out[f32]):
        pass

    with pytest.raises(CompileError, match="int has no fixed width; write i32 or i64"):
        fake(k)[1, 8](3, np.zeros(1, f4))


def test_three_dimensions():
    def k(x: In[f32, D3], out: Out[f32]):
        pass

    x = np.zeros((2, 3, 4), f4)
    assert launched(fake(k), x, np.zeros(1, f4))[:32] == struct.pack("=Q3q", x.ctypes.data, 2, 3, 4)


def test_typed_scalars_of_the_language():
    def k(n: i32, a: f32, out: Out[f32]):
        pass

    out = np.zeros(1, f4)
    assert launched(fake(k), scalars.i64(5), scalars.f16(0.5), out)[:8] == struct.pack("=if", 5, 0.5)
    assert launched(fake(k), np.int32(5), np.float32(0.5), out)[:8] == struct.pack("=if", 5, 0.5)


def test_inputs_are_offered_a_conversion():
    x, out = np.zeros(8, f4), np.zeros(8, f4)
    assert "write y.astype(np.float32)" in str(refused(fake(saxpy), 1.0, x, np.zeros(8), out))
    assert "or pass np.ascontiguousarray(y)" in str(refused(fake(saxpy), 1.0, x, np.zeros(16, f4)[::2], out))


def test_more_than_30_bits_of_elements_lose_the_small_promise():
    def k(x: In[f32, Strided]):
        pass

    kernel = fake(k)
    one = np.zeros(1, f4)
    for size in (2**30 - 1, 2**30, 2**40):
        record = launched(kernel, np.broadcast_to(one, (size,)))
        assert struct.unpack("=Qqq", record) == (one.ctypes.data, size, 0)
    assert [made.signature.small for made in kernel.made.values()] == [True, False]


def test_vectors_come_as_structured_arrays_or_with_a_last_axis():
    def k(x: In[f32x4], v: f32x2, out: Out[f32x4]):
        pass

    plain, structured = np.zeros((5, 4), f4), np.zeros(5, [(name, "f4") for name in "xyzw"])
    out = CpuDevice().zeros(5, f32x4)
    for x in (plain, structured):
        record = launched(fake(k), x, f32x2(1.0, 2.0), out)
        assert record == struct.pack("=QqffQq", x.ctypes.data, 5, 1.0, 2.0, out.address, 5)
    assert "float32 given, f32x4 expected" in str(refused(fake(k), np.zeros((5, 3), f4), f32x2(1.0, 2.0), out))


def test_arrays_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed: it gives NumPy the type bfloat16")

    def k(a: bf16, x: In[bf16], out: Out[T]):
        pass

    x = np.ones(3, ml_dtypes.bfloat16)
    record = launched(fake(k), x[0], x, np.zeros(1, f4))
    assert record[:24] == struct.pack("=H6xQq", 0x3F80, x.ctypes.data, 3)
