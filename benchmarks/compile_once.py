"""One compilation of saxpy in this fresh process, timed step by step; run by ``compile_times``. Prints JSON.

``steps`` goes along the path of ``simt.core.compile`` by hand; ``launch`` is what a user sees: the first launch.
"""
from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

T = TypeVar("T")
times: dict[str, float] = {}


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


def step(name: str, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = work()
    times[name] = 1e3 * (time.perf_counter() - start)
    return result


def first_launch() -> None:
    x, y, out = (np.ones(1000, np.float32) for _ in range(3))
    step("first launch", lambda: saxpy.for_elements(1000)(2.0, x, y, out))
    step("second launch", lambda: saxpy.for_elements(1000)(2.0, x, y, out))
    assert (out == 3).all()


def load_compiler() -> None:
    """What a process imports before its first compilation, whatever the kernel."""
    importlib.import_module("simt.core.compile")
    importlib.import_module("simt.core.cpu.executable")
    importlib.import_module("simt.core.cpu.jit").host_description()


def load_cuda() -> None:
    """What a process imports before its first compilation for a GPU."""
    importlib.import_module("simt.core.nvvm.libnvvm").libnvvm_version()
    importlib.import_module("simt.core.nvvm.link").assembler_version()


def steps() -> None:
    step("load the compiler and LLVM (once a process)", load_compiler)
    from simt.core import compile as path
    from simt.core.cpu.executable import load
    from simt.core.declared_signature import signature_of
    from simt.core.task import Task, parse_target

    signature = signature_of(saxpy.name, saxpy.declaration.parameters, None)
    host = Task(saxpy.declaration, signature, parse_target("cpu"), saxpy.options)
    hir = step("read: Python to HIR", lambda: path.read(host))
    tir = step("check: HIR to TIR", lambda: path.check(host, hir))
    module = step("emit: TIR to LLVM IR", lambda: path.emit_llvm(host, tir))
    image = step("LLVM: to machine code", lambda: path.assemble_llvm(host, module))
    step("load: machine code into memory", lambda: load(module.kernel, image))
    step("load libNVVM and nvJitLink (once a process)", load_cuda)
    gpu = Task(saxpy.declaration, signature, parse_target("sm_90"), saxpy.options)
    tir_gpu = path.check(gpu, hir)
    nvvm = step("emit: TIR to NVVM IR", lambda: path.emit_nvvm(gpu, tir_gpu))
    ptx = step("libNVVM: to PTX for sm_90", lambda: path.to_ptx(gpu, nvvm))
    step("nvJitLink: PTX to cubin", lambda: path.to_cubin(gpu, nvvm, ptx))


if __name__ == "__main__":
    {"steps": steps, "launch": first_launch}[sys.argv[1]]()
    print(json.dumps(times))
