"""Runs the suite's launches on a GPU: SIMT_TEST_DEVICE=gpu in the environment.

Launches of host arrays are copied to the GPU and back, and run with checks on as the CPU target does, so that a test
written for the CPU target asks the same of the GPU. Every result is written to the file that SIMT_TEST_STATUS names,
with what it ran on, see ``tools/dev/gpu_test.py``.
"""
from __future__ import annotations

import os

import pytest

ACTIVE = os.environ.get("SIMT_TEST_DEVICE") == "gpu"


def redirect_launches() -> None:
    """Have the general path of every launch go to the GPU; it gives no fast path, so every launch takes it."""
    from simt.core import copying_launch, general_launch
    from simt.core.copying_launch import run_on
    from simt.core.gpu.device import gpu

    original = general_launch.launch_generally

    def on_gpu(kernel, configuration, arguments, without_arrays=None):
        if without_arrays is not None:
            return original(kernel, configuration, arguments, without_arrays)
        run_on(gpu(), kernel, configuration, arguments)
        return None

    general_launch.launch_generally = on_gpu
    copying_launch.launch_generally = original


@pytest.fixture(autouse=True)
def no_fault_left_over():
    """A fault that a test did not wait for is not the next test's."""
    yield
    if ACTIVE:
        from simt.core.errors import DeviceFault
        from simt.core.gpu.device import gpu

        while True:
            try:
                gpu().synchronize()
            except DeviceFault:
                continue
            break
