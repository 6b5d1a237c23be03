"""Forked and spawned processes, and processes that end with work in their queues."""
from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tests.core.gpu.conftest import FAKE

START = """
import os, sys
import numpy as np
from simt.core.gpu.device import gpu
from tests.core.gpu.kernels import increment
device = gpu()
x = device.zeros(1 << 20, np.float32)
"""


def run(text):
    prefix = "from tests.fake_driver import bridge\nbridge.install()\n" if FAKE else ""
    program = prefix + START + textwrap.dedent(text)
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr, done.stderr
    return done.stdout


def test_a_forked_child_is_told_to_spawn(device):
    assert "fork and CUDA" not in run("""
        from simt.core import UnavailableError
        child = os.fork()
        if child == 0:
            try:
                device.zeros(10, np.float32)
            except UnavailableError as error:
                os._exit(0 if "CUDA does not survive a fork" in str(error) else 1)
            os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert (x.numpy() == 0).all()
    """)


def test_a_process_may_end_with_work_in_its_queues(device):
    run("""
        stream = device.stream()
        for _ in range(1000):
            increment[4096, 256, 0, stream](x, 1.0)
        graph = stream.capture()
        with graph as captured:
            increment[4096, 256, 0, stream](x, 1.0)
        run = captured.instantiate()
    """)


@pytest.mark.parametrize("how", ["spawn"])
def test_processes_share_the_gpu(device, how):
    if FAKE:
        pytest.skip("needs an NVIDIA GPU: the fake driver is one process's")
    run(f"""
        import multiprocessing
        from tests.core.gpu.child import work
        with multiprocessing.get_context({how!r}).Pool(2) as pool:
            assert pool.map(work, [1.0, 2.0]) == [1000.0, 2000.0]
    """)
