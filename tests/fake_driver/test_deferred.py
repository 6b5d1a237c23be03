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
