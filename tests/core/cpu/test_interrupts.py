"""Signals during a launch: the grid ends early, the handler's exception comes out, and the next launch works."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from simt.core import InOut, i32, kernel
from simt.cuda_std import atomic, thread

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@kernel
def slow(done: InOut[i32], rounds: i32):
    x = i32(thread.block_idx.x)
    for _ in range(rounds):
        x = (x * 1664525 + 1013904223) ^ (x >> 3)
    atomic.add(done, 0, 1)
    if x == 1234567:
        atomic.add(done, 1, 1)


BLOCKS, ROUNDS = 1_000_000, 50_000  # minutes of work



def interrupted_launch() -> float:
    """Launch what takes minutes, with an interrupt on its way; gives the seconds until the exception came."""
    done = np.zeros(2, np.int32)
    slow[2, 1](done, 10)
    sender = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    sender.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        slow[BLOCKS, 1](done, ROUNDS)
    took = time.perf_counter() - begin
    sender.join()
    assert 0 < done[0] < BLOCKS
    done[:] = 0
    slow[300, 1](done, 10)
    assert done[0] == 300
    return took


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_an_interrupt_ends_the_grid_and_the_next_launch_works(threads: str):
    program = "from test_interrupts import interrupted_launch; assert interrupted_launch() < 5"
    subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=60, cwd=os.path.dirname(__file__),
        env=os.environ | {"SIMT_CPU_THREADS": threads},
    )


def test_a_handler_that_returns_lets_the_grid_go_on():
    calls: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: calls.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        done = np.zeros(2, np.int32)
        while not calls:
            done[0] = 0
            slow[2000, 1](done, 20_000)
            assert done[0] == 2000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert calls == [signal.SIGALRM]
