"""Streams, events, host functions, and memory that outlives its uses."""
from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

from simt.core import LaunchError
from tests.core.gpu.kernels import increment

f4 = np.float32


def test_work_in_a_stream_is_in_order(device):
    stream = device.stream()
    with stream:
        x = device.zeros(1000, f4)
        for _ in range(50):
            increment.for_elements(1000)(x, 1.0)
    assert stream.synchronize() is stream and stream.is_done()
    assert (x.numpy() == 50).all()


def test_streams_wait_for_each_other(device):
    first, second = device.stream(), device.stream()
    x = device.zeros(1 << 20, f4)
    device.synchronize()
    for turn in range(20):
        increment.for_elements(x.size)  # kept for the next lines
        increment[4096, 256, 0, (first, second)[turn % 2]](x, 1.0)
        (second, first)[turn % 2].wait((first, second)[turn % 2])
    first.synchronize()
    second.synchronize()
    assert (x.numpy() == 20).all()


def test_events_measure_time(device):
    stream = device.stream()
    x = device.zeros(1 << 22, f4)
    device.synchronize()
    began = stream.record()
    for _ in range(10):
        increment[16384, 256, 0, stream](x, 1.0)
    ended = stream.record()
    ended.synchronize()
    assert ended.is_done() and 0 <= began.elapsed(ended) < 10


def test_priorities(device):
    low, high = device.stream_priorities
    assert high <= low
    assert device.stream(priority=high).priority == high
    with pytest.raises(LaunchError, match=f"priority {high - 1}"):
        device.stream(priority=high - 1)


def test_python_functions_run_in_the_streams_order(device):
    stream, seen = device.stream(), []
    x = device.zeros(100, f4)
    device.synchronize()
    increment[1, 100, 0, stream](x, 1.0)
    stream.call(lambda: seen.append("after")).synchronize()
    assert seen == ["after"]


def test_streams_of_others_are_taken(device):
    class Foreign:
        def __init__(self, stream):
            self.stream = stream

        def __cuda_stream__(self):
            return 0, self.stream.handle

    x, stream = device.zeros(64, f4), device.stream()
    device.synchronize()
    increment[1, 64, 0, Foreign(stream)](x, 1.0)
    stream.synchronize()
    assert (x.numpy() == 1).all()
    for wrong in (7, "stream", object()):
        with pytest.raises(LaunchError, match="stream"):
            increment[1, 64, 0, wrong](x, 1.0)


def test_streams_are_left_in_the_order_of_entering(device):
    first, second = device.stream(), device.stream()
    first.__enter__()
    second.__enter__()
    with pytest.raises(RuntimeError, match="leave streams in the order of entering"):
        first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    first.__exit__(None, None, None)


def test_nothing_is_freed_while_a_stream_uses_it(device):
    busy, x = device.stream(), device.zeros(1 << 22, f4)
    device.synchronize()
    for _ in range(20):
        increment[16384, 256, 0, busy](x, 1.0)
    view = x[:4]
    del x
    gc.collect()
    others = [device.full(1 << 22, 5, f4) for _ in range(4)]  # would take the memory
    busy.synchronize()
    assert view.numpy().tolist() == [20.0] * 4 and (others[0][:4].numpy() == 5).all()


def test_two_threads_and_four_streams(device):
    arrays = [device.zeros(5000, f4) for _ in range(4)]
    device.synchronize()

    def work(mine):
        for turn in range(200):
            array, stream = mine[turn % 2]
            increment[20, 256, 0, stream](array, 1.0)
        for _, stream in mine:
            stream.synchronize()

    pairs = [(array, device.stream()) for array in arrays]
    threads = [threading.Thread(target=work, args=(pairs[2 * n : 2 * n + 2],)) for n in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for array in arrays:
        assert (array.numpy() == 100).all()


def test_ten_thousand_allocations_and_launches_leak_nothing(device):
    launch = increment.for_elements(100)
    launch(device.zeros(100, f4), 1.0)
    device.synchronize()
    gc.collect()
    live, used = len(device.live_allocations()), device.pool.use().used
    for _ in range(10_000):
        launch(device.zeros(100, f4), 1.0)
    device.synchronize()
    gc.collect()
    assert len(device.live_allocations()) == live and device.pool.use().used == used
