"""From TIR to PTX and cubins in one call, for tests. Needs libNVVM and nvJitLink, no GPU."""
from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from simt.core.architecture import parse_architecture
from simt.core.check import tir
from simt.core.nvvm.functions import emit_kernel
from simt.core.nvvm.module import NvvmModule
from simt.core.options import Options
from simt.core.target import Gpu

pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")

from simt.core.nvvm import libnvvm, link

ARCHITECTURES = ("sm_75", "sm_90", "sm_100")  # the last libNVVM with LLVM 7, the default, and the modern dialect


@dataclass(frozen=True)
class Result:
    """A kernel's NVVM IR and PTX for one target."""

    module: NvvmModule
    ptx: str
    gpu: Gpu
    options: Options

    def assemble(self) -> link.Cubin:
        return link.assemble(self.module, self.ptx, self.gpu, self.options)

    @property
    def instructions(self) -> list[str]:
        """The instructions of the entry, without registers, directives and comments."""
        body = self.ptx[self.ptx.index(".entry") :]
        lines = (re.sub(r"^@!?%p\d+\s+", "", line.strip()) for line in body.splitlines())
        return [line for line in lines if line.endswith(";") and not line.startswith((".", "//"))]


def compile_for(
    kernel: tir.Kernel, target: str = "sm_90", options: Options | None = None, *, small: bool = True,
) -> Result:
    """``target`` is an architecture's name, ``small`` whether indices fit in 32 bits."""
    gpu, chosen = Gpu(parse_architecture(target)), options or Options()
    module = emit_kernel(kernel, gpu, chosen, small)
    return Result(module, libnvvm.compile_ptx(module, gpu, chosen), gpu, chosen)
