"""Runs the suite's launches on a GPU: SIMT_TEST_DEVICE=gpu in the environment.

Launches of host arrays are copied to the GPU and back, and run with checks on as the CPU target does, so that a test
written for the CPU target asks the same of the GPU. Every result is written to the file that SIMT_TEST_STATUS names,
with what it ran on, see ``tools/dev/gpu_test.py``.
"""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.dev.gpu_test import write_status

STATUS = os.environ.get("SIMT_TEST_STATUS")
ACTIVE = os.environ.get("SIMT_TEST_DEVICE") == "gpu"


class Status:
    """Keeps the outcome of every test, and writes them when the session ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report) -> None:
        """A test failed if any of its phases did."""
        if report.when == "call" or report.outcome != "passed":
            worst = self.outcomes.get(report.nodeid)
            self.outcomes[report.nodeid] = report.outcome if worst in (None, "passed") else worst

    def pytest_sessionfinish(self, session) -> None:
        """Only the process that hears of all tests writes."""
        if not hasattr(session.config, "workerinput"):
            write_status(self.path, self.outcomes)


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
        return general_launch.Prepared(lambda run, *arguments: False, None, configuration)

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
