"""simt on the fake driver, in a process of its own: real kernels, faults with and without a check."""
from __future__ import annotations

from tests.fake_driver.process import run_with_fake_gpu

START = """
import numpy as np
from simt.core import DeviceFault, DriverError, In, Out, default_device, f32, kernel
from simt.cuda_std import thread

@kernel
def shifted(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i + 1]

device = default_device()
assert device.name.startswith("Fake GPU"), device.name
x, out = device.array(np.arange(33, dtype=np.float32)), device.empty(32, np.float32)
"""


def test_a_kernel_runs_through_the_driver():
    run_with_fake_gpu(START, """
        shifted[1, 32](x, out)
        assert (out.numpy() == np.arange(1, 33)).all()
        assert fake.calls("cuLaunchKernel") == 1
    """)


def test_a_checked_fault_is_reported_with_its_place_and_the_context_survives():
    run_with_fake_gpu(START, """
        checked = shifted.with_options(checks=True)
        checked[1, 64](x, out)
        try:
            device.synchronize()
            raise AssertionError("no fault")
        except DeviceFault as fault:
            assert fault.source_line == "out[i] = x[i + 1]", fault
            assert fault.kernel == "shifted"
        checked[1, 32](x, out)
        device.synchronize()
    """)


def test_a_fault_that_the_kernel_does_not_check_ends_the_context_as_the_hardware_does():
    run_with_fake_gpu(START, """
        shifted[1, 64](x, out)
        for again in range(2):
            try:
                device.synchronize()
                raise AssertionError("no error")
            except DriverError as error:
                assert error.result == "CUDA_ERROR_ILLEGAL_ADDRESS", error
    """)


def test_a_captured_graph_replays_with_replaced_arguments():
    run_with_fake_gpu(START, """
        from simt.core import InOut

        @kernel
        def scale(x: InOut[f32], factor: f32):
            i = thread.index_1d()
            x[i] *= factor

        with device.stream().capture() as graph:
            scale[1, 33](x, 2.0)
            scale[1, 33](x, 3.0)
        assert x.numpy()[1] == 1
        run = graph.instantiate()
        run.launch().synchronize()
        run.update(scale, factor=5.0).launch().synchronize()
        assert x.numpy()[1] == 150
        assert fake.calls("cuGraphLaunch") == 2
    """)


def test_deferred_work_runs_when_it_is_waited_for():
    run_with_fake_gpu(START, """
        shifted[1, 32](x, out)
        assert not device.default_stream.is_done()  # the question let the driver go on
        device.synchronize()
        assert (out.numpy() == np.arange(1, 33)).all()
    """, SIMT_FAKE_DEFERRED="1")


def test_what_only_the_cpu_target_finds_is_printed():
    run_with_fake_gpu(START, """
        import contextlib, io
        from simt.cuda_std import shared

        @kernel
        def unwritten(out: Out[f32]):
            held = shared.array(f32, 32)
            out[thread.index_1d()] = held[0]

        with contextlib.redirect_stderr(io.StringIO()) as words:
            unwritten[1, 32](out)
        assert "not checked there" in words.getvalue() and "held[0]" in words.getvalue(), words.getvalue()
    """)
