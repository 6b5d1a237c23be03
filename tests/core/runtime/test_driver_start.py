"""Why no GPU can be used, in words: no device, no permission, hidden, a driver too old."""
from __future__ import annotations

import pytest

from simt.core.runtime import driver_start
from simt.core.runtime.driver_start import device_files, start_failure
from tests.fake_driver.process import run_with_fake_gpu

NO_DEVICE = "CUDA_ERROR_NO_DEVICE"


@pytest.fixture
def nodes(tmp_path, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for name in ("nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-modeset", "null"):
        (tmp_path / name).touch()
    return tmp_path


def test_files_of_the_driver(nodes):
    found = device_files(nodes)
    assert [path.rpartition("/")[2] for path in found.present] == ["nvidia0", "nvidiactl", "nvidia-uvm"]
    assert found.forbidden == ()


def test_why_no_device_is_found(nodes, tmp_path_factory, monkeypatch):
    assert "there is no /dev/nvidia*" in start_failure(NO_DEVICE, tmp_path_factory.mktemp("empty"))
    assert "nvidia-smi says more" in start_failure(NO_DEVICE, nodes)
    (nodes / "nvidia-uvm").unlink()
    assert "there is no /dev/nvidia-uvm: run nvidia-modprobe -u" in start_failure(NO_DEVICE, nodes)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    assert "CUDA_VISIBLE_DEVICES=7 names no GPU of this machine" in start_failure(NO_DEVICE, nodes)
    monkeypatch.setattr(driver_start.os, "access", lambda path, mode: not str(path).endswith("0"))
    assert f"may not open {nodes}/nvidia0: join the group" in start_failure("CUDA_ERROR_OPERATING_SYSTEM", nodes)
    assert "install a newer" in start_failure("CUDA_ERROR_INSUFFICIENT_DRIVER", nodes)


def test_errors_of_programs():
    run_with_fake_gpu('''
        import pytest
        from cuda.bindings import driver
        from simt.core import UnavailableError
        from simt.core.gpu.device import gpu
        from simt.core.runtime.cuda_driver import cu
        for status, words in ((100, "no GPU can be used: there is no /dev/nvidia.*cuInit gave CUDA_ERROR_NO_DEVICE"),
                              (304, "no GPU can be used: .*cuInit gave")):
            fake.fail("cuInit", status)
            with pytest.raises(UnavailableError, match=words):
                gpu()
        gpu()
        with pytest.raises(UnavailableError, match="GPU 3 asked for, and there are 1"):
            gpu(3)
        with pytest.raises(UnavailableError, match="of CUDA 13.0, has no cuCoredumpGetAttributeGlobal: install"):
            cu("cuCoredumpGetAttributeGlobal", driver.CUcoredumpSettings.CU_COREDUMP_PIPE)
    ''')


def test_a_gpu_that_others_hold_and_code_that_the_driver_does_not_read():
    run_with_fake_gpu('''
        import numpy as np
        import pytest
        from simt.core import Out, UnavailableError, i32, kernel
        from simt.core.gpu.device import gpu

        @kernel
        def one(out: Out[i32]):
            out[0] = 1

        for status, words in ((46, "GPU 0 cannot be used: another process has it for itself"),
                              (2, "GPU 0 cannot be used: other processes have taken all its memory")):
            fake.fail("cuDevicePrimaryCtxRetain", status)
            with pytest.raises(UnavailableError, match=words):
                gpu().zeros(1, i32)
        out = gpu().zeros(1, i32)
        fake.fail("cuModuleLoadData", 200)
        with pytest.raises(UnavailableError, match="of CUDA 13.0, does not read the code that .*nvJitLink .* makes"):
            one[1, 1](out)
        one[1, 1](out)
        assert out.numpy() == [1]
    ''')


def test_what_is_missing_is_named():
    run_with_fake_gpu('''
        import sys
        import pytest
        from simt.core import UnavailableError
        from simt.core.gpu import gpu
        from simt.core.runtime import cuda_driver

        sys.modules["cuda.bindings.driver"] = None
        with pytest.raises(UnavailableError, match="libcuda.so.1 is there, and cuda.bindings is not.*simt-core.cu13"):
            gpu()
        cuda_driver.LIBRARY = "libcuda.so.none"
        with pytest.raises(UnavailableError, match="libcuda.so.none does not load .*install the driver, .*--gpus all"):
            gpu()
    ''')
