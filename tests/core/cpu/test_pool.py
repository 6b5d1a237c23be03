"""Launches from many threads, in forked and fresh processes, with any number of workers."""
from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from simt.core import DeviceFault, In, InOut, UnavailableError, i32, kernel
from simt.core.cpu import workers
from simt.core.cpu.executable import CpuExecutable
from simt.core.runtime.cpu_code import CpuCode
from simt.cuda_std import atomic, block, shared, thread


@kernel
def count(out: InOut[i32], rounds: i32):
    s = shared.array(i32, 1)
    if thread.thread_idx.x == 0:
        s[0] = 0
    block.sync()
    for _ in range(rounds):
        atomic.add(s, 0, 1)
    block.sync()
    if thread.thread_idx.x == 0:
        atomic.add(out, thread.block_idx.x % out.size, s[0])


def run() -> bool:
    out = np.zeros(7, np.int32)
    count[700, 40](out, 3)
    return bool((out == 100 * 40 * 3).all())


def test_many_threads_launch_at_once():
    results: list[bool] = []
    launchers = [threading.Thread(target=lambda: results.extend(run() for _ in range(5))) for _ in range(6)]
    for launcher in launchers:
        launcher.start()
    for launcher in launchers:
        launcher.join()
    assert results == [True] * 30


def test_threads_that_prepare_the_same_launch_keep_their_records(monkeypatch: pytest.MonkeyPatch):
    assert run()
    specialisation = next(iter(count._specialisations.values()))  # pyright: ignore[reportPrivateUsage]
    code = specialisation.executable
    assert isinstance(code, CpuCode)
    make = CpuExecutable._template  # pyright: ignore[reportPrivateUsage]
    together = threading.Barrier(4)
    records: list[weakref.ref[object]] = []

    def make_together(*arguments: Any) -> object:  # Any: the method's own
        together.wait()
        record = make(*arguments)
        records.append(weakref.ref(record))
        return record

    monkeypatch.setattr(CpuExecutable, "_template", make_together)
    launchers: list[object] = []
    askers = [
        threading.Thread(target=lambda: launchers.append(code.executable.launcher((3, 1, 1), (40, 1, 1), 0)))
        for _ in range(4)
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(launchers) == len(records) == 4
    assert all(record() is not None for record in records), "a launcher's record is freed while it can be called"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_the_pools_code_is_loaded_once_whichever_threads_ask_together(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "_PROCESS", workers._Process(threading.RLock()))  # pyright: ignore[reportPrivateUsage]
    together = threading.Barrier(6)
    found: list[workers.NativePool] = []

    def ask() -> None:
        together.wait()
        found.append(workers.native_pool())

    askers = [threading.Thread(target=ask) for _ in range(6)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(found) == 6 and all(native is found[0] for native in found)


def test_a_forked_child_has_its_own_pool():
    assert run()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(run)
    assert run()


@kernel
def visit(visits: InOut[i32], rounds: In[i32]):
    b = thread.block_idx.x
    waited = i32(0)
    for k in range(rounds[b]):
        waited = waited * 3 + k
    if thread.thread_idx.x == 0:
        atomic.add(visits, b, 1 + (waited & 0))


@kernel
def fail_from(first: i32, visits: InOut[i32]):
    b = thread.block_idx.x
    atomic.add(visits, b, 1)
    assert b < first, "too far"


KEPT: list[workers.Pool] = []
"""Pools whose workers still wait in them when their test has ended."""


@pytest.fixture(params=[2, 5])
def crowd(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool of so many threads, whatever the machine has."""
    monkeypatch.setenv("SIMT_CPU_THREADS", str(request.param))
    monkeypatch.setattr(workers._PROCESS, "pool", None)  # pyright: ignore[reportPrivateUsage]
    KEPT.append(workers.pool())


@pytest.mark.usefixtures("crowd")
@pytest.mark.parametrize("blocks", [1, 2, 3, 7, 64, 1001])
@pytest.mark.parametrize("longest", [0, 3000])
def test_every_block_runs_once_whether_or_not_the_last_launch_was_long(blocks: int, longest: int):
    rounds = np.zeros(blocks, np.int32)
    rounds[:: max(1, blocks // 5)] = longest
    visits = np.zeros(blocks, np.int32)
    launch = visit[blocks, 4]
    for times in range(1, 5):
        launch(visits, rounds)
        assert (visits == times).all()


@pytest.mark.usefixtures("crowd")
@pytest.mark.parametrize("first", [0, 1, 499, 950])
def test_the_lowest_failed_block_is_reported_and_all_below_it_have_run(first: int):
    for _ in range(3):
        visits = np.zeros(1000, np.int32)
        with pytest.raises(DeviceFault, match=rf"block \({first}, 0, 0\)"):
            fail_from[1000, 1](first, visits)
        assert (visits[: first + 1] == 1).all() and visits.max() == 1


@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_number_of_threads_and_a_clean_exit(threads: str):
    program = "from tests.core.cpu.test_pool import run, workers; assert run(); print(workers.pool().threads)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"SIMT_CPU_THREADS": threads}, capture_output=True, text=True,
        timeout=60, check=False,
    )
    assert done.stdout == f"{threads}\n", done.stderr


def test_a_number_of_threads_that_is_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SIMT_CPU_THREADS", "many")
    monkeypatch.setattr(workers, "_PROCESS", workers._Process(threading.RLock()))  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(UnavailableError, match="SIMT_CPU_THREADS is 'many'"):
        workers.pool()
