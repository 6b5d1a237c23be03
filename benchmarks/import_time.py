"""How long ``import`` takes in a fresh interpreter, beside NumPy, which simt imports, and numba."""
from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.measure import save

PROGRAM = "import time; start = time.perf_counter(); import {0}; print(time.perf_counter() - start)"
MODULES = ("numpy", "simt.core", "simt.core, simt.cuda_std.thread", "llvmlite.binding", "numba")
ROUNDS = 11


def seconds(modules: str) -> float:
    """One fresh interpreter's time to import ``modules``; the files are in the system's cache after the first."""
    command = [sys.executable, "-c", PROGRAM.format(modules)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def run() -> None:
    samples: dict[str, list[float]] = {modules: [] for modules in MODULES}
    for _ in range(ROUNDS):
        for modules, times in samples.items():
            times.append(seconds(modules))
    rows: list[dict[str, object]] = [
        {"import": modules, "ms": 1e3 * statistics.median(times)} for modules, times in samples.items()
    ]
    print(*rows, sep="\n")
    save("import_time", rows)


if __name__ == "__main__":
    run()
