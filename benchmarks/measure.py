"""Time by medians, systems taken in turns, and what is known of the machine and the versions."""
from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

LOAD_AT_START = os.getloadavg()[0]
"""Above about 0.5, other processes disturb the figures, those of systems whose threads wait for each other most."""
RESULTS = Path(__file__).parent / "results"
PACKAGES = (
    "simt-core", "numpy", "llvmlite", "numba", "pyopencl", "pocl-binary-distribution", "nvidia-nvvm",
    "nvidia-nvjitlink", "nvidia-cuda-nvrtc",
)


def medians(systems: dict[str, Callable[[], None]], *, rounds: int = 7, round_s: float = 0.05) -> dict[str, float]:
    """Median seconds of one call of each system.

    Systems take turns, so that a change of the machine's speed meets all of them. Each has been called before, so
    compilation is not counted.
    """
    samples: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(rounds):
        for name, call in systems.items():
            end = time.perf_counter() + round_s
            while True:
                start = time.perf_counter()
                call()
                now = time.perf_counter()
                samples[name].append(now - start)
                if now > end:
                    break
    return {name: statistics.median(times) for name, times in samples.items()}


def versions() -> dict[str, str]:
    """Of the packages of ``PACKAGES`` that are installed."""
    return {
        name: importlib.metadata.version(name)
        for name in PACKAGES
        if any(importlib.metadata.distributions(name=name))
    }


def machine() -> dict[str, str]:
    """Processor, cores, Python, date and the versions of what was measured."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":")[1].strip() if lines else model
    return {
        "processor": f"{model}, {len(os.sched_getaffinity(0))} cores",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "other load": f"{LOAD_AT_START:.1f} processes were running when it began",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        **versions(),
    }


def save(name: str, rows: list[dict[str, object]], measured_on: dict[str, str] | None = None) -> None:
    """Writes benchmarks/results/``name``.json: the machine, this one by default, and the rows."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": measured_on or machine(), "rows": rows}, indent=1)
    (RESULTS / f"{name}.json").write_text(text + "\n")
