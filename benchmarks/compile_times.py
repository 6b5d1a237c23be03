"""Compilation of saxpy: each step, and the first launch of a process with an empty and with a filled cache."""
from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.measure import save

ROUNDS = 9


def once(mode: str, cache: str) -> dict[str, float]:
    """Milliseconds of each step in a fresh process; ``cache``: folder, empty for none."""
    command = [sys.executable, "-m", "benchmarks.compile_once", mode]
    environment = os.environ | {"SIMT_CACHE_DIR": cache}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def medians(runs: list[dict[str, float]], names: dict[str, str]) -> list[dict[str, object]]:
    """Rows of the medians, under the names on the page."""
    return [
        {"step": shown, "ms": statistics.median(run[name] for run in runs)} for name, shown in names.items()
    ]


def run() -> None:
    with tempfile.TemporaryDirectory() as filled:
        once("launch", filled)
        steps, cold, cached = [], [], []
        for _ in range(ROUNDS):
            steps.append(once("steps", ""))
            cold.append(once("launch", ""))
            cached.append(once("launch", filled))
    rows = medians(steps, {name: name for name in steps[0]})
    rows += medians(cold, {"first launch": "first launch of a process, no cache, loading of the compiler included"})
    rows += medians(cached, {
        "first launch": "first launch of a process, from the cache", "second launch": "the launch after it",
    })
    print(*rows, sep="\n")
    save("compile_times", rows)


if __name__ == "__main__":
    run()
