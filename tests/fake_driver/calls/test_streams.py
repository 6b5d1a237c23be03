"""Streams and events: order, deferred work, handles."""
from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest
from cuda.bindings import driver

from tests.fake_driver.calls.checked import cu, status

HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@pytest.fixture
def streams():
    made = [cu("cuStreamCreate", driver.CUstream_flags.CU_STREAM_NON_BLOCKING) for _ in range(2)]
    yield made
    for stream in made:
        cu("cuStreamDestroy", stream)


@pytest.fixture
def pinned():
    pointer = int(cu("cuMemHostAlloc", 64, 0))
    yield np.frombuffer((ctypes.c_uint8 * 64).from_address(pointer), np.uint8)
    cu("cuMemFreeHost", pointer)


@pytest.fixture
def deferred(monkeypatch):
    monkeypatch.setenv("SIMT_FAKE_DEFERRED", "1")
    yield
    cu("cuCtxSynchronize")


def call(stream, function):
    made = HOST(lambda _: function())
    cu("cuLaunchHostFunc", stream, driver.CUhostFn(ctypes.cast(made, ctypes.c_void_p).value), 0)
    return made


def test_work_runs_at_once_by_default(streams, pinned):
    cu("cuMemsetD8Async", pinned.ctypes.data, 5, 64, streams[0])
    assert (pinned == 5).all()
    assert status("cuStreamQuery", streams[0]) == "CUDA_SUCCESS"


def test_deferred_work_waits_for_its_stream_only(streams, pinned, deferred):
    cu("cuMemsetD8Async", pinned.ctypes.data, 1, 32, streams[0])
    cu("cuMemsetD8Async", pinned.ctypes.data + 32, 2, 32, streams[1])
    before = pinned.copy()
    cu("cuStreamSynchronize", streams[1])
    assert (pinned[:32] == before[:32]).all() and (pinned[32:] == 2).all()
    assert status("cuStreamQuery", streams[0]) == "NOT_READY"
    assert status("cuStreamQuery", streams[0]) == "CUDA_SUCCESS"  # the query let it run
    assert (pinned[:32] == 1).all()


def test_a_wait_for_an_event_orders_two_streams(streams, deferred):
    order = []
    kept = [call(streams[0], lambda: order.append("first"))]
    event = cu("cuEventCreate", 0)
    cu("cuEventRecord", event, streams[0])
    cu("cuStreamWaitEvent", streams[1], event, 0)
    kept.append(call(streams[1], lambda: order.append("second")))
    assert status("cuEventQuery", event) == "NOT_READY"
    cu("cuStreamSynchronize", streams[1])
    assert order == ["first", "second"]
    assert status("cuEventQuery", event) == "CUDA_SUCCESS"
    cu("cuEventDestroy", event)


def test_without_the_wait_the_order_shows(streams, deferred):
    order = []
    kept = [call(streams[0], lambda: order.append("first")), call(streams[1], lambda: order.append("second"))]
    cu("cuStreamSynchronize", streams[1])
    cu("cuStreamSynchronize", streams[0])
    assert order == ["second", "first"] and kept


def test_the_default_stream_waits_for_blocking_streams(deferred):
    blocking, order = cu("cuStreamCreate", 0), []
    kept = [call(blocking, lambda: order.append("blocking")), call(0, lambda: order.append("default"))]
    cu("cuStreamSynchronize", 0)
    assert order == ["blocking", "default"] and kept
    cu("cuStreamDestroy", blocking)


def test_copies_of_pageable_memory_have_ended_when_the_call_returns(streams, deferred):
    pointer, given = cu("cuMemAlloc", 4), np.array([1, 2, 3, 4], np.uint8)
    cu("cuMemcpyHtoDAsync", pointer, given.ctypes.data, 4, streams[0])
    given[:] = 0
    out = np.empty(4, np.uint8)
    cu("cuMemcpyDtoHAsync", out.ctypes.data, pointer, 4, streams[0])
    assert out.tolist() == [1, 2, 3, 4]
    cu("cuMemFree", pointer)


def test_a_host_function_may_not_call_the_driver(streams):
    seen = []
    kept = call(streams[0], lambda: seen.append(status("cuMemAlloc", 8)))
    assert seen == ["NOT_PERMITTED"] and kept


def test_elapsed_time_grows_and_needs_timing(streams):
    events = [cu("cuEventCreate", 0) for _ in range(2)]
    for event in events:
        cu("cuEventRecord", event, streams[0])
    assert 0 <= cu("cuEventElapsedTime", *events) < 1000
    silent = cu("cuEventCreate", driver.CUevent_flags.CU_EVENT_DISABLE_TIMING)
    cu("cuEventRecord", silent, streams[0])
    assert status("cuEventElapsedTime", events[0], silent) == "INVALID_HANDLE"
    for event in [*events, silent]:
        cu("cuEventDestroy", event)
    assert status("cuEventQuery", silent) == "INVALID_HANDLE"


def test_priorities_are_clamped_to_the_range():
    least, greatest = cu("cuCtxGetStreamPriorityRange")
    stream = cu("cuStreamCreateWithPriority", 0, greatest - 10)
    assert cu("cuStreamGetPriority", stream) == greatest < least
    cu("cuStreamDestroy", stream)
    assert status("cuStreamSynchronize", stream) == "INVALID_HANDLE"


def test_each_thread_has_its_own_current_context(context):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(status("cuMemAlloc", 8)))
    thread.start()
    thread.join()
    assert seen == ["INVALID_CONTEXT"]
    cu("cuCtxPushCurrent", context)
    assert int(cu("cuCtxPopCurrent")) == int(context) == int(cu("cuCtxGetCurrent"))
