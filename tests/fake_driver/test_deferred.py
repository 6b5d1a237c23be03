"""What the runtime owes to work that has not run yet, which the fake driver puts off until somebody waits for it."""
from __future__ import annotations

from tests.fake_driver.process import run_with_fake_gpu


def test_waiting_for_one_stream_does_not_lose_the_fault_of_another():
    """The other one's kernel has not run when the first wait looks for faults."""
    printed = run_with_fake_gpu(
        """
        import numpy as np
        from simt.core import DeviceFault
        from simt.core.gpu import gpu
        from tests.core.gpu.kernels import fails_at

        device = gpu()
        x, waited, slow = device.zeros(64, np.int32), device.stream(), device.stream()
        device.synchronize()
        fails_at[1, 64, 0, slow](x, 5)
        waited.synchronize()
        try:
            slow.synchronize()
        except DeviceFault as fault:
            print("thread 5 of 5" in str(fault), fault.count)
        slow.synchronize()
        """,
        SIMT_FAKE_DEFERRED="1",
    )
    assert printed == "True 1\n"


def test_a_launch_in_a_stream_of_its_own_comes_after_work_on_an_array_of_a_library_without_a_current_stream():
    """As JAX: asked for its array, it orders its work before the default stream, as DLPack has it."""
    printed = run_with_fake_gpu(
        """
        import numpy as np
        from simt.core.gpu import gpu
        from tests.core.gpu.kernels import increment

        device = gpu()
        x, theirs, ours = device.zeros(64, np.float32), device.stream(), device.stream()
        device.synchronize()

        class Array:
            def __dlpack__(self, *, stream, **arguments):
                device.foreign_stream(stream).wait(theirs)
                return x.__dlpack__(stream=-1, **arguments)

            def __dlpack_device__(self):
                return x.__dlpack_device__()

        increment[1, 64, 0, theirs](x, 1.0)
        before = fake.calls("cuStreamWaitEvent")
        increment[1, 64, 0, ours](Array(), 1.0)
        print(fake.calls("cuStreamWaitEvent") - before)  # the default stream for theirs, ours for the default stream
        increment[1, 64](x, 1.0)
        print(fake.calls("cuStreamWaitEvent") - before)
        """,
        SIMT_FAKE_DEFERRED="1",
    )
    assert printed == "2\n2\n"
