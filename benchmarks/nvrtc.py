"""CUDA C++ through nvrtc, which needs no toolkit."""
from __future__ import annotations

from cuda.bindings import nvrtc

ARCHITECTURE = "90"


def nvrtc_ptx(source: str) -> str:
    """PTX of CUDA C++ at nvrtc's defaults (full optimisation, fused multiply-add)."""
    status, program = nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], [])
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    option = f"--gpu-architecture=compute_{ARCHITECTURE}".encode()
    (status,) = nvrtc.nvrtcCompileProgram(program, 1, [option])
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        _, size = nvrtc.nvrtcGetProgramLogSize(program)
        log = b" " * size
        nvrtc.nvrtcGetProgramLog(program, log)
        raise AssertionError(log.decode())
    _, size = nvrtc.nvrtcGetPTXSize(program)
    ptx = b" " * size
    nvrtc.nvrtcGetPTX(program, ptx)
    return ptx.decode().rstrip("\0")
