"""``python -m simt.core.doctor``: what it says and its exit status, with and without problems."""
from __future__ import annotations

import json

import pytest

from simt.core.cache import DiskCache
from simt.core.device import Device
from simt.core.doctor import gpus, host, toolchain
from simt.core.doctor.__main__ import main, text_of
from simt.core.doctor.finding import Finding, State
from simt.core.doctor.trial import try_kernel
from simt.core.errors import CompileError, UnavailableError
from simt.core.runtime.cpu_device import CpuDevice
from simt.core.runtime.driver_start import DeviceFiles
from tests.fake_driver.process import run_with_fake_gpu


def test_the_report_of_a_machine_where_nothing_is_wrong():
    output = run_with_fake_gpu("""
        from simt.core.doctor.__main__ import main
        assert main(["--json"]) == 0
    """)
    found = {(row["section"], row["name"]): row for row in json.loads(output)}
    assert found["cpu target", "kernel"]["text"].startswith("compiled and ran on CPU")
    assert "Fake GPU, compute capability 9.0, compiled for as sm_90a" in found["gpu", "GPU 0"]["text"]
    assert found["GPU 0", "kernel"]["text"].startswith("compiled and ran on Fake GPU")
    assert "of CUDA 13.0, reads PTX up to 9.0" in found["gpu", "driver"]["text"]
    assert found["gpu", "launch path"]["state"] == "ok"


def test_a_gpu_that_cannot_be_used_is_a_problem_and_no_gpu_is_none(monkeypatch, capsys):
    def without(*arguments):
        raise UnavailableError("no GPU can be used: says why")

    monkeypatch.setattr(gpus, "driver", without)
    monkeypatch.setattr(gpus, "KERNEL_MODULE", host.Path("/nowhere"))
    monkeypatch.delenv("SIMT_DEVICE", raising=False)
    monkeypatch.setattr(gpus, "device_files", lambda: DeviceFiles((), ()))
    assert main([]) == 0
    assert "- driver               no GPU can be used: says why" in capsys.readouterr().out
    monkeypatch.setattr(gpus, "device_files", lambda: DeviceFiles(("/dev/nvidia0",), ("/dev/nvidia0",)))
    assert main([]) == 1
    output = capsys.readouterr().out
    assert "! device files         this user may not open /dev/nvidia0" in output
    assert "2 problems, marked !" in output


def test_a_driver_older_than_the_bindings():
    output = run_with_fake_gpu("""
        from simt.core.doctor.__main__ import main
        assert main([]) == 1
    """, SIMT_FAKE_DRIVER="12040")
    assert "of CUDA 12.4, and cuda.bindings are of CUDA 13: install a newer driver or simt-core[cu12]" in output


@pytest.mark.parametrize(("needed", "state"), [(True, State.PROBLEM), (False, State.ABSENT)])
def test_a_toolchain_that_is_not_installed(monkeypatch, needed, state):
    def absent(*arguments):
        raise UnavailableError("not found: install simt-core[cu13]")

    monkeypatch.setattr(toolchain.libnvvm, "bindings", absent)
    monkeypatch.setattr(toolchain.libnvvm, "empty_ptx", absent)
    monkeypatch.setattr(toolchain.libnvvm, "libdevice_path", absent)
    monkeypatch.setattr(toolchain.link, "nvjitlink", lambda: None)
    monkeypatch.setattr(toolchain.link, "find_tool", lambda name: None)
    monkeypatch.setattr(toolchain.nvtx, "library_path", absent)
    found = {row.name: row for row in toolchain.findings(needed)}
    assert {found[name].state for name in ("libNVVM", "libdevice", "assembler")} == {state}
    assert {found[name].state for name in ("ptxas", "nvdisasm", "NVTX")} == {State.ABSENT}
    assert all("found" in row.text for row in found.values())


def test_text():
    rows = [Finding("a", "one", State.OK, "fine\nsecond line"), Finding("b", "two", State.PROBLEM, "bad")]
    assert text_of(rows) == (
        f"a\n  {'one':<20} fine\n{'':23}second line\nb\n! {'two':<20} bad\n1 problem, marked !"
    )


def test_a_kernel_that_does_not_run_or_gives_wrong_numbers(monkeypatch):
    class Wrong(CpuDevice):
        def array(self, host, dtype=None):
            return super().array(host + 1, dtype)

    class Broken(CpuDevice):
        def array(self, host, dtype=None):
            raise CompileError(())

    device: Device
    for device, words in ((Wrong(), "gave wrong numbers on CPU"), (Broken(), "does not run on CPU")):
        finding = try_kernel("cpu target", device)
        assert finding.state is State.PROBLEM
        assert finding.text.startswith(words)


@pytest.mark.parametrize(("prepare", "state", "words"), [
    (lambda folder: folder / "new", State.OK, "made when the first kernel is compiled"),
    (lambda folder: folder, State.OK, "0 kernels in 0.0 MB of at most"),
    (lambda folder: None, State.ABSENT, "nothing is kept on disk"),
])
def test_the_cache(tmp_path, monkeypatch, prepare, state, words):
    folder = prepare(tmp_path)
    monkeypatch.setattr(host, "disk_cache", lambda: None if folder is None else DiskCache(folder))
    finding = host._cache()
    assert (finding.state, words in finding.text) == (state, True), finding


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(host, "disk_cache", lambda: DiskCache(tmp_path))
    monkeypatch.setattr(host.os, "access", lambda path, mode: False)
    assert host._cache().state is State.PROBLEM
