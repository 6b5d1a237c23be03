"""Threads that use the driver at once: nothing is lost, nothing leaks, in both modes."""
from __future__ import annotations

import ctypes
import struct
import threading

import pytest
from cuda.bindings import driver

from tests.fake_driver import fake
from tests.fake_driver.calls.checked import cu

IMAGE = b"SIMT-FAKE 5 add 16 1 0:8\n\0"
THREADS, ROUNDS = 4, 50


@pytest.mark.parametrize("deferred", ["0", "1"])
def test_streams_of_four_threads(context, deferred, monkeypatch):
    """Each thread allocates, fills, launches and frees in its own stream, and on the shared default stream."""
    monkeypatch.setenv("SIMT_FAKE_DEFERRED", deferred)
    module = cu("cuModuleLoadData", IMAGE)
    function = cu("cuModuleGetFunction", module, b"add")
    sums, errors, lock = [], [], threading.Lock()

    def kernel(image, entry, module, sizes, shared_bytes, record):
        (address,) = struct.unpack("<Q", record)
        with lock:
            sums.append(ctypes.c_uint8.from_address(address).value)
        return 0

    def work(number):
        try:
            cu("cuCtxSetCurrent", context)
            stream = cu("cuStreamCreate", driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
            for turn in range(ROUNDS):
                queue = stream if turn % 2 else 0
                pointer = cu("cuMemAllocAsync", 16, queue)
                cu("cuMemsetD8Async", pointer, number, 16, queue)
                value = ctypes.c_uint64(int(pointer))
                parameters = (ctypes.c_void_p * 1)(ctypes.addressof(value))
                cu("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, queue, ctypes.addressof(parameters), 0)
                cu("cuMemFreeAsync", pointer, queue)
                if turn % 7 == 0:
                    cu("cuStreamSynchronize", queue)
            cu("cuStreamSynchronize", stream)
            cu("cuStreamDestroy", stream)
        except BaseException as error:
            errors.append(error)

    fake.set_launch(kernel)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cu("cuCtxSynchronize")
    assert not errors
    assert sorted(sums) == [number for number in range(THREADS) for _ in range(ROUNDS)]
    cu("cuModuleUnload", module)
