"""The kernel of a given number of arrays, which sets one element, in each system's language."""
from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from types import ModuleType

SIMT = """
from simt.core import InOut, f32, kernel
from simt.cuda_std import thread

@kernel
def touch({parameters}):
    if thread.index_1d() == 0:
        {body}
"""
NUMBA = """
from numba import cuda

@cuda.jit
def touch({names}):
    if cuda.grid(1) == 0:
        {body}
"""
TRITON = """
import triton
import triton.language as tl

@triton.jit
def touch({names}):
    if tl.program_id(0) == 0:
        {triton_body}
"""
CUDA = """
extern "C" __global__ void touch({pointers}) {{
    if (blockIdx.x * blockDim.x + threadIdx.x == 0) {{ {cuda_body} }}
}}
"""


def source(template: str, count: int) -> str:
    """The text of the kernel with ``count`` arrays."""
    names = [f"a{index}" for index in range(count)]
    return template.format(
        names=", ".join(names), parameters=", ".join(f"{name}: InOut[f32]" for name in names),
        pointers=", ".join(f"float *{name}" for name in names), body="a0[0] = 1.0" if count else "pass",
        cuda_body="a0[0] = 1.0f;" if count else "", triton_body="tl.store(a0, 1.0)" if count else "pass",
    )


def module(template: str, count: int) -> ModuleType:
    """The text as a module, from a file, since these systems read sources."""
    folder = tempfile.mkdtemp()
    path = Path(folder, f"touch_{count}.py")
    path.write_text(source(template, count))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
