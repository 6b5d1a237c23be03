"""Tests of the fake driver through the calls of ``cuda.bindings``. They need a process in which it is the driver."""
from __future__ import annotations

import os

import pytest

if os.environ.get("SIMT_TEST_FAKE_GPU") != "1":
    collect_ignore_glob = ["test_*.py"]  # tests/fake_driver/test_processes.py runs them


@pytest.fixture(autouse=True)
def context():
    """The primary context of device 0, current and not lost; afterwards nothing that the test made may be left."""
    from tests.fake_driver import fake
    from tests.fake_driver.calls.checked import cu

    cu("cuInit", 0)
    primary = cu("cuDevicePrimaryCtxRetain", 0)
    cu("cuDevicePrimaryCtxReset", 0)
    cu("cuCtxSetCurrent", primary)
    before = fake.allocations()
    yield primary
    fake.set_launch(None)
    assert fake.allocations() == before, "the test leaks memory"
    cu("cuDevicePrimaryCtxRelease", 0)
