"""Instructions in the PTX of the benchmark kernels: ours through libNVVM, and nvrtc's from CUDA C++."""
from __future__ import annotations

from benchmarks.instructions import ptx_count
from benchmarks.kernels import all_cases
from benchmarks.measure import save
from benchmarks.nvrtc import ARCHITECTURE, nvrtc_ptx


def run() -> None:
    rows: list[dict[str, object]] = []
    for case in all_cases():
        ours = ptx_count(case.kernel.inspect("ptx", target=f"sm_{ARCHITECTURE}"))
        theirs = ptx_count(nvrtc_ptx(case.cuda))
        rows.append({"kernel": case.name, "simt": ours, "nvrtc": theirs, "ratio": ours / theirs})
        print(case.name, ours, theirs, f"{ours / theirs:.2f}")
    save("ptx_counts", rows)


if __name__ == "__main__":
    run()
