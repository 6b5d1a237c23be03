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
from simt.core.compile import Task, check, parse_target, read
from simt.core.specialize import signature_of
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
    for name in ("check.kernel", "check.show", "frontend.show", "cpu.functions", "cpu.executable", "nvvm.functions"):
        importlib.import_module(f"simt.core.{name}")
    jit = importlib.import_module("simt.core.cpu.jit")
    jit.host_description()


def load_cuda() -> None:
    from simt.core.nvvm.libnvvm import libnvvm_version
    from simt.core.nvvm.link import assembler_version

    libnvvm_version()
    assembler_version()


def steps() -> None:
    step("load the compiler and LLVM (once a process)", load_compiler)
    from simt.core.compile import ptx_of
    from simt.core.cpu import jit
    from simt.core.cpu.executable import load
    from simt.core.cpu.functions import emit_kernel as emit_host
    from simt.core.nvvm.functions import emit_kernel as emit_nvvm
    from simt.core.nvvm.link import assemble

    signature = signature_of(saxpy.name, saxpy.declaration.parameters, None)
    host = Task(saxpy.declaration, signature, parse_target("cpu"), saxpy.options)
    step("read: Python to HIR", lambda: read(host))
    kernel_host = step("check: HIR to TIR", lambda: check(host))
    module = step("emit: TIR to LLVM IR", lambda: emit_host(kernel_host, host.options))
    image = step("LLVM: to machine code", lambda: jit.compile_text(module.text, 3))
    step("load: machine code into memory", lambda: load(module.kernel, image))
    step("load libNVVM and nvJitLink (once a process)", load_cuda)
    gpu = Task(saxpy.declaration, signature, parse_target("sm_90"), saxpy.options)
    kernel_gpu = check(gpu)
    nvvm = step("emit: TIR to NVVM IR", lambda: emit_nvvm(kernel_gpu, gpu.target, gpu.options, signature.small))
    ptx = step("libNVVM: to PTX for sm_90", lambda: ptx_of(gpu, nvvm))
    step("nvJitLink: PTX to cubin", lambda: assemble(nvvm, ptx, gpu.target, gpu.options))


if __name__ == "__main__":
    {"steps": steps, "launch": first_launch}[sys.argv[1]]()
    print(json.dumps(times))
