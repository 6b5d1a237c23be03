"""The main path: every stage can be seen, code for GPUs comes out without one, and our own failures leave a report."""
from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from simt.core import (
    CompileError,
    Const,
    In,
    InOut,
    InternalCompilerError,
    LaunchError,
    Out,
    SpillWarning,
    f32,
    f64,
    i32,
    kernel,
)
from simt.cuda_std import thread
from tests.core.compile import kernels

f4 = np.float32

FRAGMENTS = {
    "hir": "def saxpy(a: $f32", "tir": "kernel saxpy(a: f32, x: In[f32, (:)]", "llvm": "define void @simt_kernel",
    "asm": "simt_kernel", "sass": ".text.saxpy", "nvvm": "define void @saxpy(", "ptx": ".visible .entry saxpy(",
}


@pytest.mark.parametrize("stage", FRAGMENTS)
def test_every_stage_is_text(stage):
    assert FRAGMENTS[stage] in kernels.saxpy.inspect(stage)


def test_the_target_decides_the_ptx():
    assert ".target sm_75" in kernels.saxpy.inspect("ptx", target="sm_75")
    assert ".target sm_90a" in kernels.saxpy.inspect("ptx", target="compute_90a")
    fused = kernels.saxpy.inspect("ptx", target="sm_80")
    assert "fma.rn" in fused and "fma.rn" not in kernels.saxpy.with_options(fma=False).inspect("ptx", target="sm_80")


@pytest.mark.parametrize(("stage", "target", "message"), [
    ("pxt", None, r"'pxt' is no stage: did you mean 'ptx'\? the stages are hir, tir, llvm, asm, nvvm, ptx, sass"),
    ("ptx", "cpu", "ptx is a stage of GPU code; write target='sm_90'"),
    ("asm", "sm_90", "asm is a stage of the CPU target; for sm_90 there are nvvm, ptx and sass"),
    ("ptx", "sm_200", "target 'sm_200' is not an architecture; the names are sm_50, .*; or write cpu"),
])
def test_stages_and_targets_that_are_none(stage, target, message):
    with pytest.raises(LaunchError, match=message):
        kernels.saxpy.inspect(stage, target=target)


def test_code_for_a_gpu_comes_with_its_figures():
    compiled = kernels.saxpy.compile(target="sm_90a")
    assert compiled.cubin is not None and compiled.cubin.startswith(b"\x7fELF") and compiled.object is None
    assert compiled.ptx is not None and ".entry saxpy(" in compiled.ptx
    resources = compiled.resources
    assert resources.registers is not None and 4 <= resources.registers <= 40
    assert (resources.spill_bytes, resources.shared_bytes, resources.stack_bytes) == (0, 0, 0)
    again = kernels.saxpy.compile(target="sm_90a")
    assert again == compiled


def test_code_for_the_cpu():
    compiled = kernels.saxpy.compile()
    assert compiled.object is not None and compiled.ptx is None and compiled.resources.registers is None
    assert str(compiled.target) == "cpu"


@kernel
def crowded(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    a, b, c, d, e, f, g, h = x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5], x[i + 6], x[i + 7]
    k, l, m, n, o, p, q, r = x[i + 8], x[i + 9], x[i + 10], x[i + 11], x[i + 12], x[i + 13], x[i + 14], x[i + 15]
    for _ in range(100):
        a, b, c, d, e, f, g, h = b * k, c + l, d * m, e + n, f * o, g + p, h * q, a + r
        k, l, m, n, o, p, q, r = l * a, m + b, n * c, o + d, p * e, q + f, r * g, k + h
    out[i] = a + b * c + d * e + f * g + h + k * l + m * n + o * p + q * r


def test_a_kernel_that_spills_says_so():
    message = r"kernel crowded for sm_80 spills: \d+ bytes .* beside \d+ registers; raise or drop maxrregcount"
    with pytest.warns(SpillWarning, match=message):
        compiled = crowded.with_options(maxrregcount=16).compile(target="sm_80")
    assert compiled.resources.spill_bytes


def test_signatures_come_from_arguments_or_annotations():
    x = np.zeros(4)
    by_arguments = kernels.doubled.inspect("tir", x, x.copy())
    by_signature = kernels.doubled.inspect("tir", signature=(In[f64], InOut[f64]))
    assert by_arguments == by_signature and "In[f64" in by_signature
    assert kernels.doubled.inspect("tir", x, out=x.copy()) == by_arguments
    message = r"doubled is compiled for the types or values of x, out: pass .*, or signature=\(In\[f32\], InOut"
    with pytest.raises(LaunchError, match=message):
        kernels.doubled.inspect("tir")


@pytest.mark.parametrize(("signature", "message"), [
    ((In[f32],), "doubled has 2 parameters, the signature 1 entries"),
    ((In[i32], InOut[i32]), "signature of x: In.* given, In.* declared"),
    ((In[f32], Out[f32]), "signature of out"),
    ((3, InOut[f32]), "signature of x"),
])
def test_signatures_are_checked(signature, message):
    with pytest.raises(LaunchError, match=message):
        kernels.doubled.compile(signature=signature)


def test_compile_time_values_in_a_signature():
    @kernel
    def power(n: Const[i32], x: InOut[f32]):
        i = thread.index_1d()
        x[i] = x[i] ** n

    assert power.inspect("tir", signature=(3, InOut[f32])) != power.inspect("tir", signature=(2, InOut[f32]))
    with pytest.raises(LaunchError, match="power is compiled for the types or values of n"):
        power.inspect("tir")


def test_dumped_stages_go_to_standard_error(monkeypatch, capsys):
    monkeypatch.setenv("SIMT_DUMP", "tir, ptx")
    monkeypatch.setenv("SIMT_VERIFY", "1")
    monkeypatch.setenv("SIMT_CACHE_DIR", "")
    kernels.saxpy.compile(target="sm_80")
    error = capsys.readouterr().err
    titles = re.findall(r"^--- (.*)$", error, re.MULTILINE)
    signature = "saxpy(f32, In[f32, (:)], In[f32, (:)], Out[f32, (:)]) for sm_80"
    assert titles == [f"tir of {signature}", f"ptx of {signature}"]
    assert "kernel saxpy(" in error and ".entry saxpy(" in error


def test_our_own_failure_leaves_a_report(monkeypatch, tmp_path):
    from simt.core import compile as path

    def broken(kernel, options):
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr(path, "emit_for_host", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(InternalCompilerError, match=r"failed on saxpy.* for cpu: ZeroDivisionError") as error:
        kernels.saxpy.inspect("llvm")
    folder = Path(error.value.folder)
    assert folder.parent == tmp_path and str(folder) in str(error.value)
    assert {path.name for path in folder.iterdir()} == {"report.txt", "source.txt", "hir.txt", "tir.txt"}
    report = (folder / "report.txt").read_text()
    assert "no such thing" in report and "llvmlite" in report and report.startswith("saxpy(f32")
    assert "kernel saxpy(" in (folder / "tir.txt").read_text()
    assert "out[i] = a * x[i] + y[i]" in (folder / "source.txt").read_text()


def test_mistakes_in_a_kernel_are_all_reported():
    @kernel
    def confused(x: In[f32], out: Out[f32]):
        i = thread.index_1d()
        out[i] = x[i] + undefined
        out[i] = x[i, 0]

    with pytest.raises(CompileError) as error:
        confused[1, 8](np.zeros(8, f4), np.zeros(8, f4))
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["unknown-name", "wrong-index-count"]
    with pytest.raises(CompileError):
        confused.compile(target="sm_90")
