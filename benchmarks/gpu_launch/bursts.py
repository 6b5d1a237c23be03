"""Bursts of launches, the systems in turns; medians."""
from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from benchmarks.gpu_codegen import machine
from benchmarks.gpu_launch.systems import SYSTEMS, Call, floor
from benchmarks.measure import save

COUNTS = (0, 1, 4, 16, 64)
LAUNCHES, ROUNDS = 500, 25


def burst(call: Call, wait: Callable[[], None]) -> float:
    """Microseconds of host time a launch."""
    function, arguments = call
    wait()
    start = time.perf_counter()
    for _ in range(LAUNCHES):
        function(*arguments)
    took = time.perf_counter() - start
    wait()
    return took / LAUNCHES * 1e6


def run() -> None:
    """Measure, print and save."""
    from simt.core.gpu.device import gpu
    from simt.core.gpu.launch_extension import extension, reason

    print("launch path:", "compiled" if extension is not None else f"Python ({reason})")
    rows: list[dict[str, object]] = []
    for count in COUNTS:
        calls: dict[str, Call] = {}
        for name, make in SYSTEMS.items():
            try:
                calls[name] = make(count)
                burst(calls[name], gpu().synchronize)
            except Exception as error:  # a peer that cannot run here is a row that says so
                calls.pop(name, None)
                rows.append({"arguments": count, "system": name, "why_not": f"{type(error).__name__}: {error}"[:160]})
        samples: dict[str, list[float]] = {name: [] for name in calls}
        least_of, floors = floor(count), list[float]()
        for _ in range(ROUNDS):
            gpu().synchronize()
            floors.append(least_of(LAUNCHES))
            for name, call in calls.items():
                samples[name].append(burst(call, gpu().synchronize))
        least = statistics.median(floors)
        rows.append({"arguments": count, "system": "C, cuLaunchKernel (floor)", "us": least})
        for name, times in samples.items():
            us = statistics.median(times)
            rows.append({"arguments": count, "system": name, "us": us, "ratio": us / least})
    print(*rows, sep="\n")
    save("gpu_launch", rows, machine(gpu()))
