"""Tests of the CUDA runtime. They run on a GPU, or with SIMT_TEST_FAKE_GPU=1 on the fake driver."""
from __future__ import annotations

import os

import pytest

from simt.core.errors import UnavailableError
from simt.core.gpu.device import gpu

FAKE = os.environ.get("SIMT_TEST_FAKE_GPU") == "1"


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/core/gpu" in str(item.path).replace("\\", "/"):
            item.add_marker(pytest.mark.gpu)


@pytest.fixture
def device():
    """The first GPU."""
    try:
        return gpu()
    except UnavailableError as error:
        pytest.skip(f"needs an NVIDIA GPU: {error}")


@pytest.fixture
def real_device(device):
    """A GPU that is not the fake one."""
    if FAKE:
        pytest.skip("needs an NVIDIA GPU: the fake driver has no such behaviour")
    return device
