"""Instructions in the PTX of the benchmark kernels: ours through libNVVM, and nvrtc's from CUDA C++."""
from __future__ import annotations

import re

from cuda.bindings import nvrtc

from benchmarks.kernels import all_cases
from benchmarks.measure import save

ARCHITECTURE = "90"


def count(ptx: str) -> int:
    """Instructions: lines inside a body that are neither labels, directives, braces nor comments."""
    body = re.sub(r"//[^\n]*", "", ptx)
    statement = re.compile(r"^\s*(?:@!?%p\d+\s+)?[a-z][\w.:]*(?:\s[^;]*)?;", re.MULTILINE)
    return len(statement.findall(body))


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


def run() -> None:
    rows: list[dict[str, object]] = []
    for case in all_cases():
        ours = count(case.kernel.inspect("ptx", target=f"sm_{ARCHITECTURE}"))
        theirs = count(nvrtc_ptx(case.cuda))
        rows.append({"kernel": case.name, "simt": ours, "nvrtc": theirs, "ratio": ours / theirs})
        print(case.name, ours, theirs, f"{ours / theirs:.2f}")
    save("ptx_counts", rows)


if __name__ == "__main__":
    run()
