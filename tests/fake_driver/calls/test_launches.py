"""Images, functions and launches."""
from __future__ import annotations

import ctypes
import struct
import threading

import pytest
from cuda.bindings import driver

from tests.fake_driver import fake
from tests.fake_driver.calls.checked import cu, status

IMAGE = b"SIMT-FAKE 7 entry 40 3 0:4 8:8 16:2\nshared 1024\nglobal seen 16\n\0"
FUNCTION = driver.CUfunction_attribute


@pytest.fixture
def module():
    made = cu("cuModuleLoadData", IMAGE)
    yield made
    cu("cuModuleUnload", made)


@pytest.fixture
def entry(module):
    return cu("cuModuleGetFunction", module, b"entry")


def arguments(*values):
    """Addresses of packed values, as cuLaunchKernel takes them, and what keeps them alive."""
    held = [ctypes.create_string_buffer(value, len(value)) for value in values]
    return (ctypes.c_void_p * len(held))(*map(ctypes.addressof, held)), held


GOOD = arguments(struct.pack("<i", -3), struct.pack("<q", 1 << 40), struct.pack("<h", 9))


def launch(function, grid=(1, 1, 1), block=(32, 1, 1), shared=0, stream=0):
    return status("cuLaunchKernel", function, *grid, *block, shared, stream, ctypes.addressof(GOOD[0]), 0)


def test_the_launch_function_gets_what_was_launched(module, entry):
    seen = []
    fake.set_launch(lambda *given: seen.append(given) or 0)
    assert launch(entry, (2, 3, 4), (8, 4, 2), 100) == "CUDA_SUCCESS"
    record = struct.pack("<i4xqh", -3, 1 << 40, 9)
    assert seen == [(7, b"entry", int(module), (2, 3, 4, 8, 4, 2), 100, record)]


@pytest.mark.parametrize(("grid", "block", "shared", "expected"), [
    ((1, 1, 1), (1024, 1, 1), 0, "CUDA_SUCCESS"),
    ((0, 1, 1), (32, 1, 1), 0, "INVALID_VALUE"),
    ((1, 1, 1), (1025, 1, 1), 0, "INVALID_VALUE"),
    ((1, 1, 1), (32, 64, 1), 0, "INVALID_VALUE"),
    ((1, 1, 1), (1, 1, 65), 0, "INVALID_VALUE"),
    ((1, 65536, 1), (1, 1, 1), 0, "INVALID_VALUE"),
    ((1, 1, 1), (32, 1, 1), 48 * 1024 - 1024, "CUDA_SUCCESS"),
    ((1, 1, 1), (32, 1, 1), 48 * 1024 - 1023, "INVALID_VALUE"),
])
def test_limits_of_a_launch(entry, grid, block, shared, expected):
    assert launch(entry, grid, block, shared) == expected


def test_more_shared_memory_is_allowed_on_request(entry):
    name = FUNCTION.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    assert status("cuFuncSetAttribute", entry, name, 232448) == "INVALID_VALUE"  # 1024 are the kernel's own
    cu("cuFuncSetAttribute", entry, name, 100_000)
    assert launch(entry, shared=100_000) == "CUDA_SUCCESS"


def test_registers_limit_the_block():
    module = cu("cuModuleLoadData", b"SIMT-FAKE 1 big 72 0\n\0")
    function = cu("cuModuleGetFunction", module, b"big")
    assert launch(function, block=(896, 1, 1)) == "CUDA_SUCCESS"
    assert launch(function, block=(928, 1, 1)) == "LAUNCH_OUT_OF_RESOURCES"
    cu("cuModuleUnload", module)


def test_what_a_function_says(entry):
    get = lambda name: cu("cuFuncGetAttribute", getattr(FUNCTION, f"CU_FUNC_ATTRIBUTE_{name}"), entry)
    assert (get("NUM_REGS"), get("SHARED_SIZE_BYTES"), get("MAX_THREADS_PER_BLOCK")) == (40, 1024, 1024)
    assert [cu("cuFuncGetParamInfo", entry, place) for place in range(3)] == [(0, 4), (8, 8), (16, 2)]
    assert status("cuFuncGetParamInfo", entry, 3) == "INVALID_VALUE"
    assert cu("cuFuncGetName", entry) == b"entry"


def test_occupancy_is_the_least_of_what_runs_out(entry):
    blocks = lambda threads, shared: cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", entry, threads, shared)
    assert blocks(1024, 0) == 1  # 65536 registers // (1024 * 40)
    assert blocks(64, 0) == 25  # 65536 // (64 * 40)
    assert blocks(32, 100 * 1024) == 2  # 228 KiB // 102 KiB
    assert cu("cuOccupancyMaxPotentialBlockSize", entry, None, 0, 0)[1] % 32 == 0


def test_a_cooperative_grid_must_be_resident(entry):
    resident = 132 * cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", entry, 64, 0)
    run = lambda blocks: status("cuLaunchCooperativeKernel", entry, blocks, 1, 1, 64, 1, 1, 0, 0,
                                ctypes.addressof(GOOD[0]))
    assert run(resident) == "CUDA_SUCCESS"
    assert run(resident + 1) == "COOPERATIVE_LAUNCH_TOO_LARGE"


def test_the_grid_is_made_of_whole_clusters(entry):
    def run(blocks, cluster):
        attribute = driver.CUlaunchAttribute()
        attribute.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        attribute.value.clusterDim.x, attribute.value.clusterDim.y, attribute.value.clusterDim.z = cluster, 1, 1
        given = driver.CUlaunchConfig()
        given.gridDimX, given.gridDimY, given.gridDimZ, given.blockDimX, given.blockDimY, given.blockDimZ = (
            blocks, 1, 1, 32, 1, 1
        )
        given.attrs, given.numAttrs = [attribute], 1
        return status("cuLaunchKernelEx", given, entry, ctypes.addressof(GOOD[0]), 0)

    assert run(8, 4) == "CUDA_SUCCESS"
    assert run(6, 4) == "INVALID_VALUE"
    assert run(16, 16) == "INVALID_VALUE"
    cu("cuFuncSetAttribute", entry, FUNCTION.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)
    assert run(16, 16) == "CUDA_SUCCESS"


@pytest.mark.parametrize(("image", "expected"), [
    (b"\x7fELF\0", "INVALID_IMAGE"),
    (b".version 9.0\n.target sm_90\n\0", "INVALID_IMAGE"),
    (b".version 9.9\n.target sm_90\n\0", "UNSUPPORTED_PTX_VERSION"),
    (b"SIMT-FAKE 1 entry 8 2 0:4\n\0", "INVALID_IMAGE"),
    (b"SIMT-FAKE 1 entry 8 0\nnonsense\n\0", "INVALID_IMAGE"),
])
def test_other_images_are_refused(image, expected):
    assert status("cuModuleLoadData", image) == expected


def test_variables_start_at_zero_and_end_with_the_module():
    module = cu("cuModuleLoadData", IMAGE)
    address, size = cu("cuModuleGetGlobal", module, b"seen")
    assert size == 16 and ctypes.string_at(int(address), 16) == bytes(16)
    assert fake.global_address(int(module), "seen") == int(address)
    assert status("cuModuleGetGlobal", module, b"other") == "NOT_FOUND"
    assert status("cuModuleGetFunction", module, b"other") == "NOT_FOUND"
    function = cu("cuModuleGetFunction", module, b"entry")
    cu("cuModuleUnload", module)
    assert launch(function) == "INVALID_HANDLE"
    assert status("cuModuleUnload", module) == "INVALID_HANDLE"


def test_a_failed_launch_ends_the_context(entry, module):
    fake.set_launch(lambda *given: 700)
    assert launch(entry) == "CUDA_SUCCESS"  # the launch itself went well
    assert status("cuCtxSynchronize") == "ILLEGAL_ADDRESS"
    assert launch(entry) == status("cuMemAlloc", 8) == "ILLEGAL_ADDRESS"
    cu("cuDevicePrimaryCtxReset", 0)


def test_threads_launch_at_the_same_time(entry, context):
    """Both launches are inside the launch function at once: the driver's lock is free there."""
    meet = threading.Barrier(2, timeout=20)
    fake.set_launch(lambda *given: meet.wait() and 0)
    results = []

    def run():
        cu("cuCtxSetCurrent", context)
        stream = cu("cuStreamCreate", driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
        results.append(launch(entry, stream=stream))
        cu("cuStreamDestroy", stream)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["CUDA_SUCCESS"] * 2
