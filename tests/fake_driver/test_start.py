"""What the environment sets: devices, versions, peers; and calls made to fail."""
from __future__ import annotations

from tests.fake_driver.process import run_with_fake_gpu, run_without_simt

CU = """
from tests.fake_driver.calls.checked import cu, status
from cuda.bindings import driver
"""


def test_no_device():
    run_without_simt(CU, 'assert status("cuInit", 0) == "NO_DEVICE"', SIMT_FAKE_DEVICES="0")


def test_calls_before_the_start_and_without_a_context_are_refused():
    run_without_simt(CU, """
        assert status("cuDeviceGetCount") == "NOT_INITIALIZED"
        cu("cuInit", 0)
        assert status("cuMemAlloc", 8) == "INVALID_CONTEXT"
    """)


def test_devices_have_numbers_and_reach_each_other():
    run_without_simt(CU, """
        cu("cuInit", 0)
        assert cu("cuDeviceGetCount") == 3 and status("cuDeviceGet", 3) == "INVALID_DEVICE"
        contexts = [cu("cuDevicePrimaryCtxRetain", ordinal) for ordinal in range(3)]
        assert cu("cuDeviceCanAccessPeer", 0, 1) == 1 and cu("cuDeviceCanAccessPeer", 1, 1) == 0
        cu("cuCtxSetCurrent", contexts[0])
        cu("cuCtxEnablePeerAccess", contexts[1], 0)
        assert status("cuCtxEnablePeerAccess", contexts[1], 0) == "PEER_ACCESS_ALREADY_ENABLED"
        source = cu("cuMemAlloc", 8)
        cu("cuMemsetD8", source, 5, 8)
        cu("cuCtxSetCurrent", contexts[1])
        to = cu("cuMemAlloc", 8)
        cu("cuMemcpyPeer", to, contexts[1], source, contexts[0], 8)
        out = bytearray(8)
        cu("cuMemcpyDtoH", out, to, 8)
        assert out == b"\\x05" * 8
        assert cu("cuPointerGetAttribute", driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, to) == 1
    """, SIMT_FAKE_DEVICES="3")


def test_an_old_driver_lacks_new_functions():
    run_without_simt(CU, """
        cu("cuInit", 0)
        assert cu("cuDriverGetVersion") == 11080
        cu("cuDevicePrimaryCtxRetain", 0)
        try:
            driver.cuGraphGetEdges(0)
            raise AssertionError("found")
        except RuntimeError as error:
            assert "cuGraphGetEdges" in str(error), error
    """, SIMT_FAKE_DRIVER="11080")


def test_the_capability_is_as_asked():
    run_without_simt(CU, """
        cu("cuInit", 0)
        name = driver.CUdevice_attribute
        get = lambda attribute: cu("cuDeviceGetAttribute", attribute, 0)
        assert get(name.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 12
        assert get(name.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) == 1
        assert get(name.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) == 7
        assert cu("cuDeviceTotalMem", 0) == 4096
    """, SIMT_FAKE_CAPABILITY="121", SIMT_FAKE_SMS="7", SIMT_FAKE_MEMORY="4096")


def test_chosen_calls_fail_once():
    run_without_simt(CU, """
        cu("cuInit", 0)
        cu("cuCtxSetCurrent", cu("cuDevicePrimaryCtxRetain", 0))
        fake.reset_counts()
        fake.fail("cuMemAlloc", 719, position=2)
        assert [status("cuMemAlloc", 8) for _ in range(3)] == ["CUDA_SUCCESS", "LAUNCH_FAILED", "CUDA_SUCCESS"]
        assert fake.calls("cuMemAlloc") == 3 and fake.allocations(fake.Memory.DEVICE) == 2
    """)


def test_a_second_driver_in_the_process_is_refused():
    run_without_simt("""
        import ctypes, shutil, tempfile
        from tests.fake_driver.build import library
        from tests.fake_driver import build
        assert fake.load() is fake.load()
        with tempfile.TemporaryDirectory() as folder:
            ctypes.CDLL(shutil.copy(library(), folder))
            fake.load.cache_clear()
            try:
                fake.load()
                raise AssertionError("loaded")
            except RuntimeError as error:
                assert "must be loaded before" in str(error)
    """)


def test_a_program_with_kernels_has_as_many_devices_as_asked():
    run_with_fake_gpu("""
        import numpy as np
        from simt.core import Out, f32, kernel
        from simt.core.gpu.device import gpu
        from simt.cuda_std import thread

        @kernel
        def fill(out: Out[f32], value: f32):
            out[thread.index_1d()] = value

        arrays = [gpu(ordinal).empty(32, np.float32) for ordinal in range(2)]
        for number, array in enumerate(arrays):
            fill[1, 32](array, number)
        assert [array.numpy()[5] for array in arrays] == [0, 1]
    """, SIMT_FAKE_DEVICES="2")
